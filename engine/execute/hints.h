// What a strategy assumes of the transactions of a block window. May be wrong: no result depends on
// it (docs/execution.md#why-this-is-the-serial-run).
#pragma once

#include "alkanes/fuel_tank.h"
#include "execute/levels.h"

#include <cstdint>
#include <vector>

namespace blockloom::execute {

/// By transaction of the block window (see WindowRun::tasks).
struct Hints {
    std::vector<std::uint32_t> levels;  ///< from 1; empty: all at once
    std::vector<DeclaredSets> declared; ///< empty: every access is allowed
    std::vector<DeclaredSets> sets;     ///< for `levels` and `dag`; empty: they are learned
    std::vector<alkanes::FuelUse> fuel; ///< as `sets`
};

} // namespace blockloom::execute
