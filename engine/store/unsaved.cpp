#include "store/unsaved.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

namespace blockloom::store {
namespace {

constexpr std::uint32_t erased = 0xffffffff;
constexpr std::size_t block_bytes = std::size_t{1} << 20;
constexpr std::size_t first_slots = 1024;

std::uint64_t hash_of(std::string_view key) noexcept {
    return std::hash<std::string_view>{}(key);
}

} // namespace

UnsavedEntry UnsavedTable::Record::entry() const noexcept {
    const std::string_view name(key, key_size);
    if (value_size == erased) return {name, std::nullopt};
    return {name, std::string_view(key + key_size, value_size)};
}

std::size_t UnsavedTable::slot_of(std::string_view key, std::uint64_t hash) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    const auto upper = static_cast<std::uint32_t>(hash >> 32U);
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
        const Slot& slot = slots_[i];
        if (slot.number == 0) return i;
        if (slot.hash != upper) continue;
        const Record& record = records_[slot.number - 1];
        if (std::string_view(record.key, record.key_size) == key) return i;
    }
}

std::optional<UnsavedEntry> UnsavedTable::find(std::string_view key) const noexcept {
    if (empty()) return std::nullopt;
    const Slot& slot = slots_[slot_of(key, hash_of(key))];
    if (slot.number == 0) return std::nullopt;
    return records_[slot.number - 1].entry();
}

void UnsavedTable::put(std::string_view key, std::optional<std::string_view> value) {
    if (records_.size() * 2 >= slots_.size()) grow();
    const std::uint64_t hash = hash_of(key);
    Slot& slot = slots_[slot_of(key, hash)];
    const std::size_t size = value ? value->size() : 0;
    const bool known = slot.number != 0;
    Record record{nullptr, static_cast<std::uint32_t>(key.size()), erased, hash};
    if (known) record = records_[slot.number - 1];
    const std::size_t room = known && record.value_size != erased ? record.value_size : 0;
    if (!known || size > room) {
        record.key = take(key.size() + size);
        std::copy(key.begin(), key.end(), record.key);
    }
    record.value_size = value ? static_cast<std::uint32_t>(size) : erased;
    if (size != 0) std::memcpy(record.key + key.size(), value->data(), size);
    if (known) {
        records_[slot.number - 1] = record;
        return;
    }
    records_.push_back(record);
    slot = {static_cast<std::uint32_t>(hash >> 32U), static_cast<std::uint32_t>(records_.size())};
}

std::vector<UnsavedEntry> UnsavedTable::sorted(std::string_view prefix) const {
    std::vector<UnsavedEntry> entries;
    for (const Record& record : records_)
        if (const UnsavedEntry entry = record.entry(); entry.key.starts_with(prefix))
            entries.push_back(entry);
    std::sort(entries.begin(), entries.end(),
              [](const UnsavedEntry& a, const UnsavedEntry& b) { return a.key < b.key; });
    return entries;
}

char* UnsavedTable::take(std::size_t size) {
    if (size > left_) {
        const bool alone = size > block_bytes / 2; // what is left of the last block stays in use
        const std::size_t bytes = alone ? size : block_bytes;
        blocks_.push_back(std::make_unique_for_overwrite<char[]>(bytes));
        held_ += bytes;
        if (alone) return blocks_.back().get();
        free_ = blocks_.back().get();
        left_ = bytes;
    }
    left_ -= size;
    return std::exchange(free_, free_ + size);
}

void UnsavedTable::grow() {
    slots_.assign(std::max(first_slots, 2 * slots_.size()), {});
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t n = 0; n < records_.size(); ++n) {
        const std::uint64_t hash = records_[n].hash;
        std::size_t i = hash & mask;
        while (slots_[i].number != 0) i = (i + 1) & mask;
        slots_[i] = {static_cast<std::uint32_t>(hash >> 32U), static_cast<std::uint32_t>(n + 1)};
    }
}

} // namespace blockloom::store
