// Keys of one transaction, numbered in the order of their first use.
#pragma once

#include "base/prefetch.h"
#include "state/key.h"

#include <cstdint>
#include <vector>

namespace blockloom::state {

/// A transaction accesses about ten keys: up to `scanned` keys are found by scanning their hashes,
/// more by open addressing.
class KeyTable {
public:
    static constexpr std::uint32_t absent = ~std::uint32_t{0};

    /// The key's number, or `absent`.
    [[nodiscard]] std::uint32_t find(const KeyView& key) const noexcept;
    /// The key's number; a new key gets the previous size().
    std::uint32_t add(const KeyView& key);
    /// Forgets all keys; keeps their memory.
    void clear() noexcept;

    /// All of it will be used soon.
    void prefetch() const noexcept {
        prefetch_lines(keys_.data(), keys_.size());
        prefetch_lines(hashes_.data(), hashes_.size());
    }

    void reserve(std::size_t keys) {
        keys_.reserve(keys);
        hashes_.reserve(keys);
    }

    [[nodiscard]] const Key& key(std::uint32_t number) const noexcept { return keys_[number]; }
    [[nodiscard]] std::uint32_t size() const noexcept {
        return static_cast<std::uint32_t>(keys_.size());
    }

private:
    static constexpr std::size_t scanned = 16;

    void place(std::uint32_t number) noexcept;
    void grow();

    std::vector<Key> keys_;
    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint32_t> slots_; ///< a power of two, at most half full; empty while scanned
};

} // namespace blockloom::state
