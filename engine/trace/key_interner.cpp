#include "trace/key_interner.h"

#define XXH_INLINE_ALL // short keys: a call would cost as much as the hash
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace blockloom::trace {
namespace {

constexpr std::size_t smallest_table = 64;
constexpr std::size_t batch = 32; ///< keys whose cache misses overlap

} // namespace

/// 32 bits are enough to find a slot, and a slot that keeps them can move without its key.
std::uint32_t KeyInterner::hash_of(std::string_view key) noexcept {
    return static_cast<std::uint32_t>(XXH3_64bits(key.data(), key.size()));
}

void KeyInterner::reserve(std::size_t keys, std::size_t bytes) {
    begin_.reserve(keys + 1);
    text_.reserve(bytes);
    if (keys > size()) make_room(keys - size());
}

std::vector<std::uint32_t> KeyInterner::hashes() const {
    std::vector<std::uint32_t> hashes(size());
    for (const Slot slot : slots_)
        if (slot.entry != 0) hashes[slot.entry - 1] = slot.hash;
    return hashes;
}

std::size_t KeyInterner::memory() const noexcept {
    return slots_.capacity() * sizeof(Slot) + begin_.capacity() * sizeof(std::uint64_t) +
           text_.capacity();
}

/// Keeps at least a third of the slots free for `more` further keys.
void KeyInterner::make_room(std::size_t more) {
    const std::size_t needed = (size() + more) * 3 / 2 + 1;
    if (needed <= slots_.size()) return;
    rehash(std::max(smallest_table, std::bit_ceil(needed)));
}

void KeyInterner::rehash(std::size_t slot_count) {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slot_count));
    for (const Slot slot : old) {
        if (slot.entry == 0) continue;
        std::size_t at = slot.hash & mask();
        while (slots_[at].entry != 0) at = (at + 1) & mask();
        slots_[at] = slot;
    }
}

KeyId KeyInterner::find_hashed(std::string_view wanted, std::uint32_t hash) const noexcept {
    for (std::size_t at = hash & mask(); slots_[at].entry != 0; at = (at + 1) & mask())
        if (slots_[at].hash == hash && key(slots_[at].entry - 1) == wanted)
            return slots_[at].entry - 1;
    return no_key;
}

KeyId KeyInterner::find(std::string_view wanted) const {
    return slots_.empty() ? no_key : find_hashed(wanted, hash_of(wanted));
}

/// There is room.
KeyId KeyInterner::insert_hashed(std::string_view wanted, std::uint32_t hash) {
    std::size_t at = hash & mask();
    for (; slots_[at].entry != 0; at = (at + 1) & mask())
        if (slots_[at].hash == hash && key(slots_[at].entry - 1) == wanted)
            return slots_[at].entry - 1;
    const KeyId id = size();
    if (id == max_keys) return no_key;
    text_.append(wanted);
    begin_.push_back(text_.size());
    slots_[at] = {hash, id + 1};
    return id;
}

KeyId KeyInterner::insert(std::string_view wanted) {
    make_room(1);
    return insert_hashed(wanted, hash_of(wanted));
}

void KeyInterner::insert(std::span<const std::string_view> keys,
                         std::span<const std::uint32_t> known, std::span<KeyId> ids) {
    std::array<std::uint32_t, batch> hashes;
    for (std::size_t first = 0; first < keys.size(); first += batch) {
        const std::size_t count = std::min(batch, keys.size() - first);
        make_room(count);
        const std::size_t ahead = std::min(batch, keys.size() - first - count);
        for (std::size_t i = 0; i < ahead; ++i) __builtin_prefetch(keys[first + count + i].data());
        // Each loop prefetches the memory that the next one reads: slot, place of the text, text.
        for (std::size_t i = 0; i < count; ++i) {
            hashes[i] = known.empty() ? hash_of(keys[first + i]) : known[first + i];
            __builtin_prefetch(&slots_[hashes[i] & mask()]);
        }
        for (std::size_t i = 0; i < count; ++i) {
            const Slot slot = slots_[hashes[i] & mask()];
            if (slot.entry != 0) __builtin_prefetch(&begin_[slot.entry - 1]);
        }
        for (std::size_t i = 0; i < count; ++i) {
            const Slot slot = slots_[hashes[i] & mask()];
            if (slot.entry != 0) __builtin_prefetch(text_.data() + begin_[slot.entry - 1]);
        }
        for (std::size_t i = 0; i < count; ++i)
            ids[first + i] = insert_hashed(keys[first + i], hashes[i]);
    }
}

} // namespace blockloom::trace
