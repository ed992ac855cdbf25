#include "state/key_table.h"

namespace blockloom::state {

std::uint32_t KeyTable::find(const KeyView& key) const noexcept {
    if (slots_.empty()) {
        // From the latest one: what was just used is mostly used again.
        for (std::uint32_t number = size(); number-- > 0;)
            if (hashes_[number] == key.hash && keys_[number].bytes() == key.bytes) return number;
        return absent;
    }
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = key.hash & mask;; slot = (slot + 1) & mask) {
        const std::uint32_t number = slots_[slot];
        if (number == absent) return absent;
        if (hashes_[number] == key.hash && keys_[number].bytes() == key.bytes) return number;
    }
}

std::uint32_t KeyTable::add(const KeyView& key) {
    if (const std::uint32_t number = find(key); number != absent) return number;
    const std::uint32_t number = size();
    keys_.emplace_back(key);
    hashes_.push_back(key.hash);
    if (keys_.size() > scanned && keys_.size() * 2 > slots_.size())
        grow();
    else if (!slots_.empty())
        place(number);
    return number;
}

void KeyTable::clear() noexcept {
    keys_.clear();
    hashes_.clear();
    slots_.clear();
}

void KeyTable::place(std::uint32_t number) noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hashes_[number] & mask;
    while (slots_[slot] != absent) slot = (slot + 1) & mask;
    slots_[slot] = number;
}

void KeyTable::grow() {
    slots_.assign(slots_.empty() ? 4 * scanned : 2 * slots_.size(), absent);
    for (std::uint32_t number = 0; number < size(); ++number) place(number);
}

} // namespace blockloom::state
