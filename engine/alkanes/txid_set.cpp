#include "alkanes/txid_set.h"

#include <algorithm>
#include <bit>

namespace blockloom::alkanes {
namespace {

constexpr std::size_t fewest_slots = 16;

} // namespace

std::size_t TxidSet::slot_of(const Hash256& txid) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = read_le<std::size_t>(txid.data()) & mask;
    while (slots_[slot] != 0 && txids_[slots_[slot] - 1] != txid) slot = (slot + 1) & mask;
    return slot;
}

void TxidSet::reserve(std::size_t count) {
    const std::size_t slots = std::bit_ceil(std::max(fewest_slots, 2 * count));
    if (slots <= slots_.size()) return;
    txids_.reserve(count);
    slots_.assign(slots, 0);
    for (std::size_t i = 0; i < txids_.size(); ++i)
        slots_[slot_of(txids_[i])] = static_cast<std::uint32_t>(i + 1);
}

void TxidSet::insert(const Hash256& txid) {
    if (2 * (txids_.size() + 1) > slots_.size()) reserve(2 * (txids_.size() + 1));
    std::uint32_t& slot = slots_[slot_of(txid)];
    if (slot != 0) return;
    txids_.push_back(txid);
    slot = static_cast<std::uint32_t>(txids_.size());
}

} // namespace blockloom::alkanes
