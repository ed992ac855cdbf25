#include "runs/run_check.h"

namespace blockloom::runs {

Result<range::NodeCheck> check_blocks(std::span<const execute::ReplaySource> blocks,
                                      const state::StateView* before,
                                      const range::NodeRecords& records, execute::ReplayOptions how,
                                      ProgressSink& progress, const std::stop_token& stop) {
    how.events = true;
    how.live = nullptr;
    how.recording = nullptr;
    how.verify = how.estimate = how.record = how.trace = false;
    range::NodeChecker checker(records, before,
                               {.exact_fuel = how.fuel == wasm::FuelRule::exact,
                                .code_by_height = how.built_ins != nullptr});
    const auto summary = execute::replay_on(
        before, blocks, how, false,
        [&](const std::shared_ptr<const execute::ReplayedBlock>& block) {
            return checker.add(*block);
        },
        progress, stop);
    if (!summary) return summary.error();
    return checker.take();
}

} // namespace blockloom::runs
