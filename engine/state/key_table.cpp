#include "state/key_table.h"

#include <functional>

namespace blockloom::state {

std::uint32_t KeyTable::find(std::string_view key) const noexcept {
    return find(key, std::hash<std::string_view>{}(key));
}

std::uint32_t KeyTable::find(std::string_view key, std::uint64_t hash) const noexcept {
    if (slots_.empty()) {
        for (std::uint32_t number = 0; number < size(); ++number)
            if (hashes_[number] == hash && keys_[number] == key) return number;
        return absent;
    }
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
        const std::uint32_t number = slots_[slot];
        if (number == absent) return absent;
        if (hashes_[number] == hash && keys_[number] == key) return number;
    }
}

std::uint32_t KeyTable::add(std::string_view key) {
    const std::uint64_t hash = std::hash<std::string_view>{}(key);
    if (const std::uint32_t number = find(key, hash); number != absent) return number;
    const std::uint32_t number = size();
    keys_.emplace_back(key);
    hashes_.push_back(hash);
    if (keys_.size() > scanned && keys_.size() * 2 > slots_.size())
        grow();
    else if (!slots_.empty())
        place(number);
    return number;
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
