// The strategies that run in rounds, by name.
#pragma once

#include "execute/predict/predict_rounds.h"
#include "execute/round_strategy.h"
#include "execute/strategy.h"

namespace blockloom::execute {

/// For one block window. `levels`: by task, from the access sets, or empty; it and `memory` must
/// outlive the result.
[[nodiscard]] std::unique_ptr<RoundStrategy> make_rounds(const StrategyOptions& options,
                                                         std::span<const std::uint32_t> levels,
                                                         PredictMemory& memory);

} // namespace blockloom::execute
