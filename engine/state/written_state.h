// Keys and values by hash: what blocks have written. The order of the hashes is never visible:
// whoever looks at all entries gets them sorted by key bytes.
#pragma once

#include "base/prefetch.h"
#include "state/key.h"
#include "state/value.h"

#include <concepts>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace blockloom::state {

/// Open addressing over entries that do not move. Several threads may read it while nobody changes
/// it.
class WrittenState {
public:
    struct Entry {
        Key key;
        Value value;
    };

    /// Null: it holds no such key. Valid until `clear`.
    [[nodiscard]] const Value* find(const KeyView& key) const noexcept {
        if (!may_hold(key)) return nullptr;
        const std::uint32_t found = slots_[slot_of(key)].entry;
        return found == 0 ? nullptr : &entry(found - 1).value;
    }
    /// Adds or replaces.
    void put(const KeyView& key, Value value) {
        Slot& slot = room_for(key);
        if (slot.entry == 0) add(slot, key).key = Key(key);
        entry(slot.entry - 1).value = std::move(value);
    }
    /// The same of a key and a value that are copied as they are.
    template <std::same_as<Key> Added> void put(const Added& key, const Value& value) {
        Slot& slot = room_for(key);
        if (slot.entry == 0) add(slot, key).key = key;
        entry(slot.entry - 1).value = value;
    }
    /// Makes room for so many keys in all.
    void reserve(std::size_t keys);
    /// Begins to bring into the cache where `put` of this key will look first.
    void expect_place(const KeyView& key) const noexcept {
        if (!slots_.empty()) __builtin_prefetch(&slots_[tag_of(key.hash) & (slots_.size() - 1)]);
    }
    /// The same for `find`, which looks nowhere for most keys that it does not hold.
    void expect(const KeyView& key) const noexcept {
        if (may_hold(key)) expect_place(key);
    }
    /// Some time after one of them: begins to bring the entry.
    void expect_value(const KeyView& key) const noexcept {
        if (!may_hold(key)) return;
        const std::uint32_t tag = tag_of(key.hash);
        const Slot slot = slots_[tag & (slots_.size() - 1)];
        if (slot.entry != 0 && slot.hash == tag) prefetch_near(&entry(slot.entry - 1));
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// All entries, by key bytes.
    [[nodiscard]] std::vector<const Entry*> sorted() const;
    /// Adds all entries, in no order.
    void add_entries(std::vector<const Entry*>& to) const;
    /// Sorts entries by key bytes.
    static void sort(std::vector<const Entry*>& entries);
    /// Forgets all entries; keeps the memory of a small number.
    void clear();

private:
    static constexpr std::size_t chunk_size = 64, smallest_table = 64, slots_a_word = 16;
    /// Of the entries that `clear` keeps memory for.
    static constexpr std::size_t most_kept_chunks = 256;

    struct Slot {
        std::uint32_t hash = 0;  ///< the low half, which also says where it lies
        std::uint32_t entry = 0; ///< its number + 1; 0: free
    };
    [[nodiscard]] static std::uint32_t tag_of(std::uint64_t hash) noexcept {
        return static_cast<std::uint32_t>(hash);
    }

    /// Of a key's bits in the filter: those of three numbers of six bits. Which word has them, says
    /// the other end of the tag.
    [[nodiscard]] static std::uint64_t filter_bits(std::uint32_t tag) noexcept {
        return std::uint64_t{1} << (tag & 63U) | std::uint64_t{1} << (tag >> 6U & 63U) |
               std::uint64_t{1} << (tag >> 12U & 63U);
    }
    [[nodiscard]] bool may_hold(const KeyView& key) const noexcept {
        if (slots_.empty()) return false;
        const std::uint32_t tag = tag_of(key.hash);
        const std::uint64_t bits = filter_bits(tag);
        return (filter_[tag >> filter_shift_] & bits) == bits;
    }

    [[nodiscard]] Entry& entry(std::size_t number) const noexcept {
        return chunks_[number / chunk_size][number % chunk_size];
    }
    /// Where the key's slot is, or would be; there is a free one.
    [[nodiscard]] std::size_t slot_of(const KeyView& key) const noexcept;
    /// Where the key belongs: it is there, or there is room for it.
    [[nodiscard]] Slot& room_for(const KeyView& key);
    /// The next entry, which becomes that of the slot.
    Entry& add(Slot& slot, const KeyView& key);
    void grow_to(std::size_t slots);

    std::vector<Slot> slots_; ///< a power of two, at most half full, or none
    /// A Bloom filter of the keys, 8 bits for each: it stays in a near cache, where the slots of a
    /// large state do not. A word for 16 slots, by the highest bits of the tag.
    std::vector<std::uint64_t> filter_;
    unsigned filter_shift_ = 0;
    std::vector<std::unique_ptr<Entry[]>> chunks_;
    std::size_t size_ = 0;
};

} // namespace blockloom::state
