#include "runs/what_if_replay.h"

#include "base/number_text.h"
#include "runs/median_repetition.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::runs {
namespace {

using schedule::Relaxation;

constexpr std::string_view no_barrier_strategy = "dag";

bool predicts(const WhatIfPlan& plan) {
    return std::any_of(plan.keys.begin(), plan.keys.end(),
                       [](const KeyRelaxation& key) { return key.how == Relaxation::predicted; });
}

/// The strategy that a plan amounts to.
std::string strategy_of(const KeptRun& run, const WhatIfPlan& plan) {
    if (!plan.strategy.empty()) return plan.strategy;
    if (predicts(plan)) return name_of(execute::Strategy::predict);
    return plan.no_barrier ? std::string(no_barrier_strategy) : run.strategy;
}

} // namespace

std::string why_not_replayable(const KeptRun& run, const WhatIfPlan& plan) {
    for (const KeyRelaxation& key : plan.keys)
        if (key.how != Relaxation::predicted)
            return fmt::format("{}: no strategy can run this, because it would change the results",
                               text_of(key));
    if (plan.free_transfer) return "Transfers cannot be made free";
    if (plan.free_commit) return "Commits cannot be made free";
    if (plan.model)
        return "The conflict model is one of the analysis: every strategy accepts by the values "
               "that were read";
    if (run.backend != "cpu")
        return fmt::format("The run was made on {}: only runs on the CPU are replayed by a plan",
                           run.backend);
    if (run.looked_closer)
        return "The run's times include its verification or the estimation of access sets";
    const std::string strategy = strategy_of(run, plan);
    if (predicts(plan) && strategy != name_of(execute::Strategy::predict))
        return fmt::format("Keys are predicted by the strategy predict only, not by {}", strategy);
    if (!execute::strategy_named(strategy))
        return fmt::format("This version has no strategy {}", strategy);
    if (plan.no_barrier && !plan.strategy.empty() && plan.strategy != no_barrier_strategy)
        return fmt::format("The strategy {} cannot run without its barriers", plan.strategy);
    return {};
}

execute::StrategyOptions replay_settings(const KeptRun& run, const WhatIfPlan& plan) {
    execute::StrategyOptions how;
    how.strategy = execute::strategy_named(strategy_of(run, plan)).value_or(how.strategy);
    how.workers = plan.workers != 0 ? plan.workers : run.workers;
    how.window = static_cast<std::uint32_t>(std::max<std::size_t>(run.window, 1));
    how.batch_min = plan.batch_min.value_or(run.batch_min);
    how.batch_max = plan.batch_max.value_or(run.batch_max);
    how.hybrid = run.hybrid;
    return how;
}

std::string text_of(const CheckedPrediction& checked) {
    const double error = checked.error();
    return fmt::format("predicted {}, measured {}: off by {}{}", time_text(checked.predicted),
                       time_text(checked.measured), error < 0 ? "−" : "+",
                       percent_text(error < 0 ? -error : error));
}

Result<WhatIfReplay> replay_what_if(const KeptRun& run, const ReopenedRun& again,
                                    const WhatIfPlan& plan, const WhatIf& predicted,
                                    unsigned repetitions, ProgressSink& progress,
                                    const std::stop_token& stop) {
    if (const std::string why = why_not_replayable(run, plan); !why.empty())
        return Error{ErrorCode::wrong_usage, why};
    const auto blocks = blocks_of(run, again.blocks);
    if (!blocks) return blocks.error();
    execute::ReplayOptions how = again.how;
    how.strategy = replay_settings(run, plan);
    auto device = open_run_device({.backend = "cpu",
                                   .batch_min_given = true,
                                   .place = "the plan",
                                   .device_place = "the plan"},
                                  how);
    if (!device) return device.error();
    MeasuredRunPlan measuring{.blocks = *blocks, .how = how, .device = *std::move(device)};
    measuring.sources = run.sources;
    measuring.workspace = run.workspace;
    if (again.before.source.view) measuring.state = &again.before.source;
    measuring.before = again.before.view();
    measuring.repetitions = std::max(repetitions, 1U);
    measuring.usage = false;
    auto measured = measure_run(measuring, {}, progress, stop);
    if (!measured) return measured.error();
    if (const Status same = still_same(again, stop); !same) return same.error();
    WhatIfReplay replay{*std::move(measured),
                        {predicted.predicted - predicted.database, 0},
                        {predicted.execute, 0},
                        {}};
    const RunRecord& record = replay.run.record;
    std::vector<Nanoseconds> executions;
    for (const Repetition& one : record.repetitions)
        executions.push_back(one.phases[execute::Phase::execute]);
    replay.wall.measured = record.walls[median_repetition(record.walls)];
    replay.execute.measured = executions[median_repetition(executions)];
    for (std::size_t i = 0; i < std::min(record.blocks.size(), run.blocks.size()); ++i) {
        const std::string digest = to_hex(record.blocks[i].digest);
        if (!replay.difference.empty() || run.blocks[i].digest.empty() ||
            digest == run.blocks[i].digest)
            continue;
        replay.difference =
            fmt::format("block {}: the recorded run has the digest {}, the replay {}",
                        run.blocks[i].height, run.blocks[i].digest, digest);
    }
    return replay;
}

} // namespace blockloom::runs
