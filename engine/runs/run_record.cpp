#include "runs/run_record.h"

#include "runs/median_repetition.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace blockloom::runs {

RunBlock summary_of(const execute::ReplayedBlock& block) {
    const alkanes::BlockExecution& execution = *block.execution;
    RunBlock summary;
    summary.height = execution.height;
    summary.hash = execution.hash;
    summary.tasks = execution.tasks;
    summary.messages = execution.messages;
    summary.succeeded = execution.succeeded;
    summary.reverted = execution.messages - execution.succeeded;
    summary.host_tasks = execution.host_tasks;
    summary.candidates = execution.candidates;
    summary.demoted = execution.demoted;
    summary.fuel = execution.fuel;
    summary.steps = execution.steps;
    summary.changed_keys = execution.changes.size();
    summary.interpreted = execution.interpreted;
    summary.on_device = execution.on_device;
    summary.fuel_uncertain = execution.fuel_uncertain;
    summary.fuel_doubt = execution.fuel_doubt;
    summary.rounds = block.rounds;
    if (block.index) {
        summary.levels = block.index->level_sizes.size();
        summary.parallelism = block.index->parallelism();
    }
    summary.phases = block.phases;
    summary.digest = execution.digest;
    summary.verified = block.verified;
    summary.difference = block.difference;
    summary.committed = block.committed;
    summary.estimated = block.estimated;
    return summary;
}

void RunRecord::add(RunBlock block, std::optional<Nanoseconds> start) {
    auto& own = block.rounds.aborted.listed;
    own.resize(std::min(own.size(), most_aborts_listed - aborts_listed));
    own.shrink_to_fit();
    aborts_listed += own.size();
    for (execute::AbortedAttempt& each : own)
        each.at = start && each.at != 0 ? std::max<Nanoseconds>(1, each.at - *start) : 0;
    blocks.push_back(std::move(block));
}

std::string RunRecord::label() const {
    if ((strategy == name_of(execute::Strategy::levels) ||
         strategy == name_of(execute::Strategy::dag)) &&
        how.sets_used() == execute::SetsFrom::truth)
        return "true access sets, known from an earlier serial run: an upper bound";
    return {};
}

std::optional<bool> RunRecord::verified() const noexcept {
    std::optional<bool> all;
    if (verification) all = verification->equal();
    for (const RunBlock& block : blocks)
        if (block.verified) all = all.value_or(true) && *block.verified;
    return all;
}

execute::Phases RunRecord::last_phases() const noexcept {
    if (!repetitions.empty()) return repetitions.back().phases;
    execute::Phases all;
    for (const RunBlock& block : blocks) all += block.phases;
    return all;
}

std::optional<std::size_t> RunRecord::median() const {
    if (repetitions.empty() || repetitions.size() != walls.size()) return std::nullopt;
    return median_repetition(walls);
}

std::string run_id(std::int64_t unix_seconds, const RunRecord& record) {
    return fmt::format("{:%Y%m%d-%H%M%S}-{}-{}",
                       fmt::gmtime(static_cast<std::time_t>(unix_seconds)), record.backend,
                       record.strategy);
}

std::string run_date(std::int64_t unix_seconds) {
    return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC",
                       fmt::gmtime(static_cast<std::time_t>(unix_seconds)));
}

} // namespace blockloom::runs
