// Maps from keys that many threads share: each key belongs to one of several maps, each behind its
// own lock.
#pragma once

#include "state/key.h"

#include <cstddef>
#include <functional>
#include <shared_mutex>
#include <unordered_map>

namespace blockloom::state {

inline constexpr std::size_t key_shards = 64;

/// Allows searching a map of keys by a view.
struct KeyHash {
    using is_transparent = void;
    [[nodiscard]] std::size_t operator()(const KeyView& key) const noexcept { return key.hash; }
};

template <typename Content> struct alignas(64) KeyShard {
    mutable std::shared_mutex guard;
    std::unordered_map<Key, Content, KeyHash, std::equal_to<>> map;
};

[[nodiscard]] inline std::size_t shard_number(const KeyView& key) noexcept {
    // The map uses the low bits of the same hash.
    return (key.hash >> 48U) % key_shards;
}

} // namespace blockloom::state
