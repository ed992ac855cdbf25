#include "alkanes/fuel_tank.h"

#include <algorithm>

namespace blockloom::alkanes {

FuelTank::Allotment FuelTank::allot(std::uint64_t vfsize) const noexcept {
    // What the transaction before left comes back first (at the first one: nothing).
    Allotment allotment{block_fuel_ + metered_, size_ - std::min(size_, vfsize_), 0};
    // Fuel is at most 10^9 and a vfsize below 2^32: the product fits.
    allotment.metered =
        allotment.size == 0 ? allotment.block_fuel : allotment.block_fuel * vfsize / allotment.size;
    return allotment;
}

std::uint64_t FuelTank::budget_of(const Allotment& allotment) const noexcept {
    return always_minimum_ ? minimum_ : std::max(minimum_, allotment.metered);
}

std::uint64_t FuelTank::budget_for(std::uint64_t vfsize) const noexcept {
    return budget_of(allot(vfsize));
}

std::uint64_t FuelTank::settle(std::uint64_t vfsize, const FuelUse& use) noexcept {
    // Only once: its division is the longest step of a pass over a block's tasks.
    const Allotment allotment = allot(vfsize);
    const std::uint64_t budget = budget_of(allotment);
    if (!use.reached_tank) return budget;
    block_fuel_ = allotment.block_fuel - std::min(allotment.block_fuel, allotment.metered);
    size_ = allotment.size;
    vfsize_ = vfsize;
    metered_ = use.drained ? 0 : allotment.metered - std::min(allotment.metered, use.gas);
    return budget;
}

} // namespace blockloom::alkanes
