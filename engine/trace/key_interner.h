// Maps byte strings to dense ids, in order of first appearance.
#pragma once

#include "trace/access.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::trace {

/// Open addressing over XXH3 hashes; the strings are stored one after the other in one array.
/// Memory: the bytes of the keys, and 8 + at most 32 (while growing: 48) bytes a key. Not
/// thread-safe while it grows.
class KeyInterner {
public:
    static constexpr KeyId no_key = ~KeyId{0};

    /// The id of a key; a new one gets the next id. no_key if there are `max_keys` already.
    KeyId insert(std::string_view key);

    /// The same for many, in their order: `ids[i]` becomes the id of `keys[i]`. Faster than one by
    /// one, because the cache misses of neighbours overlap. `ids` must be as long as `keys`.
    void insert(std::span<const std::string_view> keys, std::span<KeyId> ids) {
        insert(keys, {}, ids);
    }
    /// `hashes`: of the keys, by `hash_of`, or empty.
    void insert(std::span<const std::string_view> keys, std::span<const std::uint32_t> hashes,
                std::span<KeyId> ids);

    /// The low half of XXH3 with its usual seed.
    [[nodiscard]] static std::uint32_t hash_of(std::string_view key) noexcept;

    /// no_key if it was never inserted.
    [[nodiscard]] KeyId find(std::string_view key) const;

    /// Valid until the next insertion.
    [[nodiscard]] std::string_view key(KeyId id) const noexcept {
        return std::string_view(text_).substr(begin_[id], begin_[id + 1] - begin_[id]);
    }
    [[nodiscard]] KeyId size() const noexcept { return static_cast<KeyId>(begin_.size() - 1); }

    /// Of all keys, by id.
    [[nodiscard]] std::vector<std::uint32_t> hashes() const;

    void reserve(std::size_t keys, std::size_t bytes);
    /// Of all keys together.
    [[nodiscard]] std::size_t bytes() const noexcept { return text_.size(); }

    /// Bytes of memory held.
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t entry = 0; ///< id + 1; 0: free
    };

    [[nodiscard]] std::size_t mask() const noexcept { return slots_.size() - 1; }
    [[nodiscard]] KeyId find_hashed(std::string_view key, std::uint32_t hash) const noexcept;
    KeyId insert_hashed(std::string_view key, std::uint32_t hash);
    void make_room(std::size_t more);
    void rehash(std::size_t slot_count);

    std::vector<Slot> slots_; ///< a power of two, or none
    std::vector<std::uint64_t> begin_{0};
    std::string text_;
};

} // namespace blockloom::trace
