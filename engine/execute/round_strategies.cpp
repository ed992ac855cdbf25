#include "execute/round_strategies.h"

#include "execute/level_rounds.h"

namespace blockloom::execute {

std::unique_ptr<RoundStrategy> make_rounds(const StrategyOptions& options,
                                           std::span<const std::uint32_t> levels,
                                           PredictMemory& memory) {
    const bool all = options.candidates == Candidates::all;
    // A chain of candidates has others between its tasks: nothing can be predicted.
    if (options.strategy == Strategy::predict && all)
        return std::make_unique<PredictRounds>(memory);
    return std::make_unique<LevelRounds>(levels, all, options.batch_min);
}

} // namespace blockloom::execute
