#include "state/written_state.h"

#include "state/sort_keys.h"

#include <utility>

namespace blockloom::state {

WrittenState::Entry* WrittenState::find_entry(const KeyView& key) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    const std::uint32_t tag = tag_of(key.hash);
    for (std::size_t at = key.hash & mask; slots_[at].entry != 0; at = (at + 1) & mask) {
        if (slots_[at].hash != tag) continue;
        Entry& found = entry(slots_[at].entry - 1);
        if (found.key.bytes() == key.bytes) return &found;
    }
    return nullptr;
}

void WrittenState::put(const KeyView& key, Value value) {
    if (slots_.size() < 2 * (size_ + 1)) grow();
    if (Entry* const found = find_entry(key)) {
        found->value = std::move(value);
        return;
    }
    if (size_ / chunk_size == chunks_.size())
        chunks_.push_back(std::make_unique<Entry[]>(chunk_size));
    Entry& added = entry(size_++);
    added.key = Key(key);
    added.value = std::move(value);
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = key.hash & mask;
    while (slots_[at].entry != 0) at = (at + 1) & mask;
    slots_[at] = {tag_of(key.hash), static_cast<std::uint32_t>(size_)};
}

void WrittenState::grow() {
    slots_.assign(slots_.empty() ? smallest_table : 2 * slots_.size(), Slot());
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t number = 0; number < size_; ++number) {
        const std::uint64_t hash = entry(number).key.hash();
        std::size_t at = hash & mask;
        while (slots_[at].entry != 0) at = (at + 1) & mask;
        slots_[at] = {tag_of(hash), static_cast<std::uint32_t>(number + 1)};
    }
}

std::vector<const WrittenState::Entry*> WrittenState::sorted() const {
    std::vector<KeyInOrder> order;
    order.reserve(size_);
    for (std::size_t number = 0; number < size_; ++number)
        order.push_back({entry(number).key.bytes(), static_cast<std::uint32_t>(number), 0});
    sort_keys(order);
    std::vector<const Entry*> entries;
    entries.reserve(size_);
    for (const KeyInOrder& item : order) entries.push_back(&entry(item.number));
    return entries;
}

void WrittenState::clear() {
    if (chunks_.size() > most_kept_chunks) {
        chunks_.clear();
        slots_ = {};
    } else {
        for (std::size_t number = 0; number < size_; ++number) entry(number) = Entry();
        slots_.assign(slots_.size(), Slot());
    }
    size_ = 0;
}

} // namespace blockloom::state
