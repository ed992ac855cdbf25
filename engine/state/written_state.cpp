#include "state/written_state.h"

#include "state/sort_keys.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace blockloom::state {

std::size_t WrittenState::slot_of(const KeyView& key) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    const std::uint32_t tag = tag_of(key.hash);
    std::size_t at = tag & mask;
    for (; slots_[at].entry != 0; at = (at + 1) & mask)
        if (slots_[at].hash == tag && entry(slots_[at].entry - 1).key.bytes() == key.bytes) break;
    return at;
}

WrittenState::Slot& WrittenState::room_for(const KeyView& key) {
    if (slots_.size() < 2 * (size_ + 1)) grow_to(std::max(smallest_table, 2 * slots_.size()));
    return slots_[slot_of(key)];
}

WrittenState::Entry& WrittenState::add(Slot& slot, const KeyView& key) {
    if (size_ / chunk_size == chunks_.size())
        chunks_.push_back(std::make_unique<Entry[]>(chunk_size));
    const std::size_t number = size_++;
    const std::uint32_t tag = tag_of(key.hash);
    slot = {tag, static_cast<std::uint32_t>(size_)};
    filter_[tag >> filter_shift_] |= filter_bits(tag);
    return entry(number);
}

void WrittenState::reserve(std::size_t keys) {
    if (slots_.size() < 2 * keys) grow_to(std::bit_ceil(std::max(smallest_table, 2 * keys)));
}

void WrittenState::grow_to(std::size_t slots) {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots));
    const std::size_t words = slots / slots_a_word, mask = slots - 1;
    filter_.assign(words, 0);
    filter_shift_ = 32U - static_cast<unsigned>(std::countr_zero(words));
    for (const Slot& slot : old) {
        if (slot.entry == 0) continue;
        filter_[slot.hash >> filter_shift_] |= filter_bits(slot.hash);
        std::size_t at = slot.hash & mask;
        while (slots_[at].entry != 0) at = (at + 1) & mask;
        slots_[at] = slot;
    }
}

std::vector<const WrittenState::Entry*> WrittenState::sorted() const {
    std::vector<const Entry*> entries;
    entries.reserve(size_);
    add_entries(entries);
    sort(entries);
    return entries;
}

void WrittenState::add_entries(std::vector<const Entry*>& to) const {
    for (std::size_t number = 0; number < size_; ++number) to.push_back(&entry(number));
}

void WrittenState::sort(std::vector<const Entry*>& entries) {
    sort_by_key(entries, [](const Entry* entry) { return entry->key.bytes(); });
}

void WrittenState::clear() {
    if (chunks_.size() > most_kept_chunks) {
        chunks_.clear();
        slots_ = {};
        filter_ = {};
    } else {
        for (std::size_t number = 0; number < size_; ++number) entry(number) = Entry();
        slots_.assign(slots_.size(), Slot());
        filter_.assign(filter_.size(), 0);
    }
    size_ = 0;
}

} // namespace blockloom::state
