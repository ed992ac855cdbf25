// Keys of one transaction, numbered in the order of their first use.
#pragma once

#include "state/value.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace blockloom::state {

/// A transaction accesses about ten keys: up to `scanned` keys are found by scanning their hashes,
/// more by open addressing.
class KeyTable {
public:
    static constexpr std::uint32_t absent = ~std::uint32_t{0};

    /// The key's number, or `absent`.
    [[nodiscard]] std::uint32_t find(std::string_view key) const noexcept;
    /// The key's number; a new key gets the previous size().
    std::uint32_t add(std::string_view key);

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

    [[nodiscard]] std::uint32_t find(std::string_view key, std::uint64_t hash) const noexcept;
    void place(std::uint32_t number) noexcept;
    void grow();

    std::vector<Key> keys_;
    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint32_t> slots_; ///< a power of two, at most half full; empty while scanned
};

} // namespace blockloom::state
