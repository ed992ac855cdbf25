#include "execute/flow/key_readers.h"

#include "execute/flow/spin_lock.h"

#include <algorithm>
#include <atomic>
#include <bit>

namespace blockloom::execute {
namespace {

constexpr std::size_t fewest_lists = 64, most_lists = std::size_t{1} << 19U;
/// A task reads a few dozen keys; most lists then have less than a line has room for.
constexpr std::size_t lists_a_task = 4;
/// A list is searched for places that were added several times when it has so many, and each time
/// that it has twice as many: tasks that are aborted again and again would make it grow each time.
constexpr std::uint32_t worth_a_search = 128;

} // namespace

void KeyReaders::begin(std::size_t tasks) {
    ++generation_;
    const std::size_t wanted =
        std::clamp(std::bit_ceil(tasks * lists_a_task), fewest_lists, most_lists);
    mask_ = wanted - 1;
    if (wanted <= size_) return;
    lists_.grow(wanted);
    for (std::size_t at = 0; at < wanted; ++at) lists_[at] = {};
    beyond_.clear();
    size_ = wanted;
}

/// A list of an earlier generation is empty now.
KeyReaders::List& KeyReaders::lock(std::uint64_t hash) const {
    List& list = lists_[hash & mask_];
    const std::atomic_ref locked(list.locked);
    while (locked.exchange(1, std::memory_order_acquire) != 0)
        spin_while_held([&] { return locked.load(std::memory_order_relaxed) == 0; });
    if (list.generation != generation_) {
        list.generation = generation_;
        list.count = 0;
        if (list.beyond != nullptr) list.beyond->clear();
    }
    return list;
}

void KeyReaders::unlock(List& list) noexcept {
    std::atomic_ref(list.locked).store(0, std::memory_order_release);
}

void KeyReaders::add(std::uint64_t hash, std::uint32_t place) {
    List& list = lock(hash);
    const Unlock unlocked{list};
    if (list.count != 0) {
        const std::uint32_t last =
            list.count <= inside ? list.places[list.count - 1] : list.beyond->back();
        if (last == place) return;
    }
    if (list.count < inside) {
        list.places[list.count] = place;
    } else {
        if (list.beyond == nullptr) {
            const std::lock_guard guard(beyond_guard_);
            list.beyond = &beyond_.emplace_back();
        }
        list.beyond->push_back(place);
    }
    ++list.count;
    if (list.count >= worth_a_search && std::has_single_bit(list.count)) remove_repeated(list);
}

void KeyReaders::remove_repeated(List& list) {
    std::vector<std::uint32_t>& beyond = *list.beyond;
    const std::uint32_t latest = beyond.back();
    beyond.insert(beyond.end(), list.places.begin(), list.places.end());
    std::sort(beyond.begin(), beyond.end());
    beyond.erase(std::unique(beyond.begin(), beyond.end()), beyond.end());
    std::iter_swap(std::find(beyond.begin(), beyond.end(), latest), beyond.end() - 1);
    list.count = static_cast<std::uint32_t>(beyond.size());
    const auto moved = beyond.begin() + std::min<std::ptrdiff_t>(inside, list.count);
    std::copy(beyond.begin(), moved, list.places.begin());
    beyond.erase(beyond.begin(), moved);
}

} // namespace blockloom::execute
