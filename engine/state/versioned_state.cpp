#include "state/versioned_state.h"

#include "state/key_shards.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace blockloom::state {

/// What one writer of a key wrote.
struct VersionedState::Version {
    std::uint32_t index = 0;
    Value value;
};

/// The versions of a key are in the order of their indices.
struct VersionedState::Shard : KeyShard<std::vector<Version>> {
    static auto at_or_after(std::vector<Version>& versions, std::uint32_t index) {
        return std::lower_bound(
            versions.begin(), versions.end(), index,
            [](const Version& version, std::uint32_t i) { return version.index < i; });
    }
};

struct VersionedState::Published {
    std::mutex guard;
    std::unordered_map<std::uint32_t, std::shared_ptr<const WriteSet>> sets;

    /// What `index` had published; `next` takes its place.
    std::shared_ptr<const WriteSet> exchange(std::uint32_t index,
                                             std::shared_ptr<const WriteSet> next) {
        const std::lock_guard lock(guard);
        return std::exchange(sets[index], std::move(next));
    }
};

VersionedState::VersionedState(const StateView& before)
    : before_(&before), shards_(std::make_unique<Shard[]>(key_shards)),
      published_(std::make_unique<Published>()) {}

VersionedState::~VersionedState() = default;

VersionedState::Shard& VersionedState::shard_of(std::string_view key) const noexcept {
    return shards_[shard_number(key)];
}

void VersionedState::publish(std::uint32_t index, std::shared_ptr<const WriteSet> writes) {
    const auto old = published_->exchange(index, writes);
    if (writes) {
        for (const auto& [key, value] : *writes) {
            Shard& shard = shard_of(key);
            const std::unique_lock lock(shard.guard);
            std::vector<Version>& versions = shard.map[key];
            const auto at = Shard::at_or_after(versions, index);
            if (at != versions.end() && at->index == index)
                at->value = value.canonical();
            else
                versions.insert(at, {index, value.canonical()});
        }
    }
    if (!old) return;
    for (const auto& [key, value] : *old) {
        if (writes) {
            const auto again = std::lower_bound(
                writes->begin(), writes->end(), key,
                [](const auto& write, const Key& wanted) { return write.first < wanted; });
            if (again != writes->end() && again->first == key) continue;
        }
        Shard& shard = shard_of(key);
        const std::unique_lock lock(shard.guard);
        const auto found = shard.map.find(key);
        if (found == shard.map.end()) continue;
        const auto at = Shard::at_or_after(found->second, index);
        if (at != found->second.end() && at->index == index) found->second.erase(at);
        if (found->second.empty()) shard.map.erase(found);
    }
}

void VersionedState::withdraw(std::uint32_t index) {
    publish(index, nullptr);
}

Result<Value> VersionedState::get_below(std::uint32_t index, std::string_view key) const {
    Shard& shard = shard_of(key);
    {
        const std::shared_lock lock(shard.guard);
        const auto found = shard.map.find(key);
        if (found != shard.map.end()) {
            const auto at = Shard::at_or_after(found->second, index);
            if (at != found->second.begin()) return std::prev(at)->value;
        }
    }
    return before_->get(key);
}

} // namespace blockloom::state
