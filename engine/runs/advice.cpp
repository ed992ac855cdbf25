#include "runs/advice.h"

#include "base/number_text.h"
#include "execute/strategy.h"
#include "runs/what_if_replay.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::runs {
namespace {

using execute::Phase;
using schedule::ExecutionModel;
using schedule::Relaxation;

constexpr std::size_t most_keys = 3;
constexpr double predictable_enough = 0.9;

/// What could be changed, before it is known what that gains.
struct Candidate {
    std::string limit, figure;
    WhatIfPlan plan;
};

/// A serial run has one worker; another strategy would use the cores of its machine.
unsigned workers_for(const KeptRun& run) {
    return run.workers > 1 ? 0 : std::max(run.cores, 2U);
}

/// Keys that chains depend on. Predictable ones mean the strategy predict, which predicts them all.
bool add_keys(const KeptRun& run, std::span<const WhatIfKey> keys, std::vector<Candidate>& all) {
    bool predicts = false;
    for (std::size_t i = 0; i < std::min(most_keys, keys.size()); ++i) {
        const WhatIfKey& key = keys[i];
        if (key.gain_if_relaxed < least_advised_gain) break;
        Candidate made;
        made.limit = fmt::format("Tasks wait for each other on {}", key.key);
        made.figure = fmt::format("the critical paths are {} as long as without it",
                                  ratio_text(key.gain_if_relaxed));
        const auto rate = key.hit_rate();
        if (rate)
            made.figure += fmt::format("; {} of {} could be predicted right", percent_text(*rate),
                                       counted(key.reads, "read"));
        const bool serial = run.strategy == name_of(execute::Strategy::serial);
        if (rate.value_or(0) >= predictable_enough &&
            run.strategy != name_of(execute::Strategy::predict)) {
            if (predicts) continue;
            predicts = true;
            made.plan.strategy = name_of(execute::Strategy::predict);
            made.plan.workers = workers_for(run);
        } else if (serial) {
            continue; // one thread waits for nothing
        } else {
            const bool adds = std::string_view(main_effect(key.effects)) == "adds";
            made.plan.keys = {{key.key, adds ? Relaxation::commutative : Relaxation::ignore, 2}};
        }
        all.push_back(std::move(made));
    }
    return predicts;
}

void add_strategies(const KeptRun& run, bool predicts, std::vector<Candidate>& all) {
    for (const execute::Strategy strategy : execute::all_strategies) {
        const std::string_view name = name_of(strategy);
        if (name == run.strategy || name == "auto") continue;
        if (predicts && strategy == execute::Strategy::predict) continue;
        Candidate made;
        made.limit =
            fmt::format("The strategy {} suits these blocks less than {}", run.strategy, name);
        made.figure = fmt::format("{} of {} re-executed",
                                  count_text(run.executions - std::min(run.executions, run.tasks)),
                                  counted(run.executions, "execution"));
        made.plan.strategy = name;
        if (strategy != execute::Strategy::serial) made.plan.workers = workers_for(run);
        all.push_back(std::move(made));
    }
}

} // namespace

Result<std::vector<Advice>> advise(const KeptRun& run, const RecordedWork& work,
                                   std::span<const WhatIfKey> keys, const std::stop_token& stop) {
    std::vector<Candidate> all;
    const bool predicts = add_keys(run, keys, all);
    add_strategies(run, predicts, all);
    const ExecutionModel model = execution_model(run.strategy);
    const execute::Phases& phases = work.phases;
    const auto share = [&](Nanoseconds part) {
        return percent_text(static_cast<double>(part) /
                            static_cast<double>(std::max<Nanoseconds>(phases.sum(), 1)));
    };
    if (has_barriers(model)) {
        Candidate made{"Workers wait at barriers", "", {}};
        made.figure = fmt::format("{} of the wall time is execution on {}",
                                  share(phases[Phase::execute]), counted(work.workers, "worker"));
        made.plan.no_barrier = true;
        all.push_back(std::move(made));
    }
    if (model != ExecutionModel::serial && run.cores > work.workers) {
        Candidate made{
            "Cores are left idle",
            fmt::format("{} on {}", counted(work.workers, "worker"), counted(run.cores, "core")),
            {}};
        made.plan.workers = run.cores;
        all.push_back(std::move(made));
    }
    if (has_barriers(model) && work.batch_max != 0) {
        Candidate made{"Batches are cut",
                       fmt::format("at most {} each", counted(work.batch_max, "transaction")),
                       {}};
        made.plan.batch_max = 0;
        all.push_back(std::move(made));
    }
    Candidate commit{"Results are checked and written",
                     share(phases[Phase::verify] + phases[Phase::commit]) + " of the wall time",
                     {}};
    commit.plan.free_commit = true;
    all.push_back(std::move(commit));
    Candidate transfer{
        "Data are copied to and from the device",
        share(phases[Phase::pack] + phases[Phase::upload] + phases[Phase::download]) +
            " of the wall time",
        {}};
    transfer.plan.free_transfer = true;
    all.push_back(std::move(transfer));

    std::vector<Advice> advice;
    for (Candidate& one : all) {
        const auto result = what_if(work, one.plan, stop);
        if (!result) return result.error();
        Advice made{std::move(one.limit), std::move(one.figure), std::move(one.plan),
                    result->before,       result->predicted,     {}};
        if (made.gain() < least_advised_gain) continue;
        made.why_not = why_not_replayable(run, made.plan);
        advice.push_back(std::move(made));
    }
    std::stable_sort(advice.begin(), advice.end(),
                     [](const Advice& a, const Advice& b) { return a.gain() > b.gain(); });
    return advice;
}

std::string text_of(const Advice& advice) {
    return fmt::format("{}: {} ({}). What if: {}", ratio_text(advice.gain()), advice.limit,
                       advice.figure, text_of(advice.plan));
}

} // namespace blockloom::runs
