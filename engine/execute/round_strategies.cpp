#include "execute/round_strategies.h"

#include "execute/auto/auto_rounds.h"
#include "execute/flow/flow_rounds.h"
#include "execute/level_rounds.h"
#include "execute/predict/predict_rounds.h"

namespace blockloom::execute {

std::unique_ptr<RoundStrategy> make_rounds(const StrategyOptions& options, const Hints& hints,
                                           StrategyMemory& memory) {
    const bool all = options.candidates == Candidates::all;
    const bool flows = options.strategy == Strategy::dag ||
                       options.strategy == Strategy::optimistic ||
                       options.strategy == Strategy::levels;
    // A chain of candidates has others between its tasks: nothing can be predicted, nor waited for.
    if (options.strategy == Strategy::predict && all)
        return std::make_unique<PredictRounds>(memory);
    if (options.strategy == Strategy::automatic && all && options.access == Access::open)
        return std::make_unique<AutoRounds>(options, hints, memory);
    if (flows && all && options.access == Access::open)
        return std::make_unique<FlowRounds>(options, hints, memory);
    return std::make_unique<LevelRounds>(hints.levels, all, options.batch_min, memory);
}

} // namespace blockloom::execute
