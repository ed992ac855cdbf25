#include "execute/predict/hash_numbers.h"

#include <algorithm>
#include <utility>

namespace blockloom::execute {
namespace {

constexpr std::size_t first_slots = 64;

} // namespace

/// Of the hash, or of a free slot for it.
std::size_t HashNumbers::place_of(std::uint64_t hash) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].hash != 0 && slots_[at].hash != hash) at = (at + 1) & mask;
    return at;
}

std::uint32_t HashNumbers::find(std::uint64_t hash) const noexcept {
    if (slots_.empty()) return none;
    const Slot& slot = slots_[place_of(hash)];
    return slot.hash == 0 ? none : slot.number;
}

std::uint32_t HashNumbers::find_or_add(std::uint64_t hash, std::uint32_t next) {
    if (2 * (used_ + 1) > slots_.size()) {
        const std::vector<Slot> old =
            std::exchange(slots_, std::vector<Slot>(std::max(first_slots, 2 * slots_.size())));
        for (const Slot& slot : old)
            if (slot.hash != 0) slots_[place_of(slot.hash)] = slot;
    }
    Slot& slot = slots_[place_of(hash)];
    if (slot.hash == 0) {
        slot = {hash, next};
        ++used_;
    }
    return slot.number;
}

void HashNumbers::clear() noexcept {
    slots_.clear();
    used_ = 0;
}

} // namespace blockloom::execute
