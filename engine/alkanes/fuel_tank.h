// How a block's fuel is distributed: a sequential pass over what its transactions used
// (docs/alkanes-protocol.md#the-fuel-tank).
#pragma once

#include "alkanes/rule_table.h"

#include <cstdint>

namespace blockloom::alkanes {

/// How the messages of one transaction used the tank. `holds_for` says whether this is also valid
/// for another budget.
struct FuelUse {
    bool reached_tank = false; ///< a message reached the allotment of fuel
    std::uint64_t assumed_budget = 0;
    std::uint64_t gas = 0; ///< of successful messages
    std::uint64_t demand =
        0; ///< the smallest budget with which everything would have gone the same way
    bool drained = false;   ///< a message failed after the allotment: nothing is returned
    bool fuel_read = false; ///< __fuel was called
    bool ran_out = false;   ///< somewhere there was not enough fuel for a charge

    /// Whether an execution with the assumed budget is also valid for the budget `actual`.
    [[nodiscard]] bool holds_for(std::uint64_t actual) const noexcept {
        return !reached_tank || actual == assumed_budget ||
               (!fuel_read && !ran_out && demand <= actual);
    }
};

/// The tank of one block. Plain numbers: a copy is a snapshot.
class FuelTank {
public:
    /// `size`: the sum of the vfsizes of the block's transactions.
    FuelTank(const Rules& rules, std::uint64_t size) noexcept
        : always_minimum_(rules.always_minimum_fuel), minimum_(rules.minimum_fuel),
          block_fuel_(rules.block_fuel), size_(size) {}

    /// The budget that a transaction of this vfsize would get now.
    [[nodiscard]] std::uint64_t budget_for(std::uint64_t vfsize) const noexcept;

    /// Whether that is more than the minimum, so that it depends on what others used.
    [[nodiscard]] bool is_shared(std::uint64_t vfsize) const noexcept {
        return !always_minimum_ && allot(vfsize).metered > minimum_;
    }

    /// Settles a transaction whose messages ran. One that did not reach the tank changes nothing.
    /// Returns its budget.
    std::uint64_t settle(std::uint64_t vfsize, const FuelUse& use) noexcept;

    [[nodiscard]] std::uint64_t block_fuel() const noexcept { return block_fuel_; }
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

private:
    struct Allotment {
        std::uint64_t block_fuel, size, metered;
    };
    [[nodiscard]] Allotment allot(std::uint64_t vfsize) const noexcept;
    [[nodiscard]] std::uint64_t budget_of(const Allotment& allotment) const noexcept;

    bool always_minimum_;
    std::uint64_t minimum_, block_fuel_, size_;
    std::uint64_t metered_ = 0, vfsize_ = 0; ///< of the transaction before
};

} // namespace blockloom::alkanes
