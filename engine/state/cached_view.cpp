#include "state/cached_view.h"

#include "state/key_shards.h"

#include <mutex>

namespace blockloom::state {

struct CachedView::Shard : KeyShard<Value> {};

CachedView::CachedView(const StateView& base)
    : base_(&base), shards_(std::make_unique<Shard[]>(key_shards)) {}

CachedView::~CachedView() = default;

Result<Value> CachedView::get(std::string_view key) const {
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
