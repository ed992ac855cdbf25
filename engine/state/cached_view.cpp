#include "state/cached_view.h"

#include "state/key_shards.h"
#include "state/written_state.h"

#include <atomic>
#include <mutex>

namespace blockloom::state {
namespace {

/// What this thread has read through one view: found again without a lock. No view has the number
/// of another one, so that values of an earlier view are never taken for its own.
struct ReadHere {
    /// More are looked up behind the locks.
    static constexpr std::size_t most_values = 65'536;

    std::uint64_t view = 0;
    WrittenState values;
};
thread_local ReadHere read_here;

std::uint64_t next_view() noexcept {
    static std::atomic<std::uint64_t> views{0};
    return ++views;
}

} // namespace

struct CachedView::Shard : KeyShard<Value> {};

CachedView::CachedView(const StateView& base)
    : base_(&base), number_(next_view()), shards_(std::make_unique<Shard[]>(key_shards)) {}

CachedView::~CachedView() = default;

Result<Value> CachedView::get(const KeyView& key) const {
    ReadHere& here = read_here;
    if (here.view != number_) {
        here.values.clear();
        here.view = number_;
    }
    if (const Value* const found = here.values.find(key)) return *found;
    Result<Value> value = get_shared(key);
    if (value && here.values.size() < ReadHere::most_values) here.values.put(key, *value);
    return value;
}

Result<Value> CachedView::get_shared(const KeyView& key) const {
    Shard& shard = shards_[shard_number(key)];
    {
        const std::shared_lock lock(shard.guard);
        const auto found = shard.map.find(key);
        if (found != shard.map.end()) return found->second;
    }
    Result<Value> value = base_->get(key);
    if (!value) return value;
    const std::unique_lock lock(shard.guard);
    shard.map.emplace(Key(key), *value);
    return value;
}

} // namespace blockloom::state
