// The fuel that the accepted transactions of a block have left.
#pragma once

#include "alkanes/fuel_tank.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace blockloom::execute {

/// A transaction's claim on the fuel tanks, and how the candidate used it.
struct FuelClaim {
    std::uint32_t block = 0; ///< in the window; each has its own tank
    std::uint64_t vfsize = 0;
    alkanes::FuelUse use;
};

/// A window's tanks, full.
using Tanks = std::vector<alkanes::FuelTank>;

/// What accepted transactions used does not change, so each is settled once, however many rounds
/// follow. For one window.
class AcceptedFuel {
public:
    /// The tank that `task` finds. All before it in its block are accepted, and it does not lie
    /// before the task of the last call.
    [[nodiscard]] const alkanes::FuelTank&
    before(std::size_t task, std::span<const FuelClaim> claims, const Tanks& tanks) {
        const std::uint32_t block = claims[task].block;
        if (!tank_ || claims[next_].block != block) {
            tank_ = tanks[block];
            for (next_ = task; next_ != 0 && claims[next_ - 1].block == block;) --next_;
        }
        for (; next_ < task; ++next_) tank_->settle(claims[next_].vfsize, claims[next_].use);
        return *tank_;
    }
    /// Another window begins.
    void reset() noexcept { tank_.reset(); }

private:
    std::optional<alkanes::FuelTank> tank_; ///< of the block of `next_`, after those before it
    std::size_t next_ = 0;
};

} // namespace blockloom::execute
