// What bulk mode has written but not yet saved to the database. Only included by this room's
// sources.
#pragma once

#include "store/family.h"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace blockloom::store {

/// A key with its value; without a value it is erased.
struct UnsavedEntry {
    std::string_view key;
    std::optional<std::string_view> value;
};

/// The latest value of each key of one family. Open addressing over hashes; the bytes are in blocks
/// that are freed together. A lookup costs two cache misses, a sorted buffer's costs twenty.
class UnsavedTable {
public:
    /// Copies key and value; the latest value replaces earlier ones.
    void put(std::string_view key, std::optional<std::string_view> value);
    /// Valid until the next put.
    [[nodiscard]] std::optional<UnsavedEntry> find(std::string_view key) const noexcept;
    /// Entries whose keys start with `prefix`, in the order of key bytes. Valid until the next put.
    [[nodiscard]] std::vector<UnsavedEntry> sorted(std::string_view prefix = {}) const;

    [[nodiscard]] bool empty() const noexcept { return records_.empty(); }
    /// Memory used by keys and values.
    [[nodiscard]] std::size_t bytes() const noexcept { return held_; }

private:
    struct Record {
        char* key; ///< the value follows
        std::uint32_t key_size, value_size;
        std::uint64_t hash;

        [[nodiscard]] UnsavedEntry entry() const noexcept;
    };
    /// The upper half of the hash, and the record's number from 1; 0: free.
    struct Slot {
        std::uint32_t hash = 0, number = 0;
    };

    [[nodiscard]] std::size_t slot_of(std::string_view key, std::uint64_t hash) const noexcept;
    [[nodiscard]] char* take(std::size_t size);
    void grow();

    std::vector<Record> records_;
    std::vector<Slot> slots_; ///< a power of two, at most half full
    std::vector<std::unique_ptr<char[]>> blocks_;
    char* free_ = nullptr; ///< in the last block
    std::size_t left_ = 0; ///< bytes free there
    std::size_t held_ = 0;
};

/// All families.
using Unsaved = std::array<UnsavedTable, families>;

} // namespace blockloom::store
