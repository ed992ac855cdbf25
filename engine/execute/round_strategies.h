// The strategies that run in rounds, by name.
#pragma once

#include "execute/hints.h"
#include "execute/round_strategy.h"
#include "execute/strategy.h"
#include "execute/strategy_memory.h"

namespace blockloom::execute {

/// For one block window. `hints` and `memory` must outlive the result.
[[nodiscard]] std::unique_ptr<RoundStrategy>
make_rounds(const StrategyOptions& options, const Hints& hints, StrategyMemory& memory);

} // namespace blockloom::execute
