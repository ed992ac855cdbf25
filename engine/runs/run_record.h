// The record of a run: figures, no messages (docs/json.md#runs).
#pragma once

#include "execute/pause_gate.h"
#include "execute/replay.h"
#include "execute/run_rules.h"
#include "profile/usage.h"
#include "range/unknown_values.h"
#include "runs/kept_run.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace blockloom::runs {

/// From the measured times of a block's tasks: their sum, and the critical path.
struct MeasuredPath {
    Nanoseconds work = 0, longest = 0;
};

/// One block of a run.
struct RunBlock {
    std::uint64_t height = 0;
    Hash256 hash{};
    std::uint64_t tasks = 0, messages = 0, succeeded = 0,
                  reverted = 0; ///< reverted: did not succeed
    std::uint64_t host_tasks = 0, candidates = 0, demoted = 0;
    std::uint64_t fuel = 0, steps = 0, changed_keys = 0;
    /// Messages that ran a module whose exact fuel is uncertain (docs/fuel.md), and the reason of
    /// the first.
    std::uint64_t fuel_uncertain = 0;
    std::string fuel_doubt{};
    std::uint64_t interpreted = 0; ///< messages that the interpreter ran
    std::uint64_t on_device = 0;   ///< tasks whose accepted execution ran on a device
    /// The times of its aborted attempts are since the start of the spans; 0: unknown.
    execute::BlockRounds rounds;
    std::uint64_t levels = 0;         ///< 0: no trace was made
    double parallelism = 0;           ///< at unit cost
    std::optional<MeasuredPath> path; ///< absent: no spans, no edges, or no times per task
    execute::Phases phases;
    Hash256 digest{};
    std::optional<bool> verified;
    std::string difference;
    bool committed = false;
    std::optional<alkanes::SetDifference> estimated;
};
[[nodiscard]] RunBlock summary_of(const execute::ReplayedBlock& block);

/// What one repetition measured.
struct Repetition {
    execute::Phases phases;          ///< of all blocks; they sum to the wall time
    std::vector<Nanoseconds> blocks; ///< of each block, all its phases
    Nanoseconds paused = 0;          ///< excluded from all of them

    void add(const execute::Phases& block) {
        blocks.push_back(block.sum());
        phases += block;
    }
    /// Wall time that belongs to no block's phases is `other`: freeing blocks, reporting progress.
    void finish(Nanoseconds wall) noexcept { phases[execute::Phase::other] += wall - phases.sum(); }
};

/// How long the stages of the repetition with spans kept threads and the device busy, of whatever
/// block, beside whatever else.
struct StageTimes {
    unsigned workers = 0;      ///< lanes that executed messages
    execute::Phases busy;      ///< of all threads and the device
    execute::Phases beside;    ///< of `busy`: as tasks on workers, beside other blocks
    Nanoseconds on_device = 0; ///< of `busy`
};

/// One run, as in `blockloom.run/1`.
struct RunRecord {
    std::string id;   ///< names it in the workspace: date, time, backend, strategy
    std::string date; ///< "2026-08-29 14:03:22 UTC"
    std::string backend = "cpu", device, strategy = "serial";
    std::string engine, network;
    execute::RunRules rules;
    std::vector<std::string> sources;
    execute::StrategyOptions how; ///< not applicable to the serial strategy
    unsigned workers = 1;
    bool verify = false, estimate = false;
    std::string workspace; ///< empty: the state was in memory
    std::string state;     ///< where else the state before the blocks was read from; empty: nowhere
    range::UnknownValues unknown; ///< of that state: everything in the record rests on them
    std::vector<RunBlock> blocks;
    std::vector<Nanoseconds> walls;        ///< one per repetition
    std::vector<Repetition> repetitions;   ///< one per wall, or none: not recorded
    std::vector<Nanoseconds> serial_walls; ///< of the serial run with each, if there was one
    execute::ReplaySummary summary;
    std::optional<StageTimes> busy; ///< absent: spans were not recorded, or not all of them
    /// The resources it used over time, since the beginning of its first repetition; null: not
    /// recorded.
    std::shared_ptr<const profile::UsageSeries> usage;
    std::vector<execute::PauseGate::Pause> pauses; ///< in the same time
    std::optional<Verification> verification;      ///< after the run; absent: it was not asked for
    std::optional<range::NodeCheck> check;         ///< the same

    /// Beyond these, the aborted attempts of a run are only counted: its document stays small.
    static constexpr std::size_t most_aborts_listed = 10'000;
    std::size_t aborts_listed = 0; ///< in `blocks`
    /// Adds a block of the last repetition. `start`: of the spans, by the steady clock; absent:
    /// there are none.
    void add(RunBlock block, std::optional<Nanoseconds> start);

    /// What must be said with the name of the strategy; empty: nothing.
    [[nodiscard]] std::string label() const;

    /// Every result that was compared is equal; absent: none was.
    [[nodiscard]] std::optional<bool> verified() const noexcept;

    /// Of the last repetition, which `blocks` and spans are of; repetitions not kept: of the blocks
    /// alone.
    [[nodiscard]] execute::Phases last_phases() const noexcept;

    /// Index of the repetition with the median wall time (runs/median_repetition.h), whose phases
    /// sum to it; absent: repetitions were not kept.
    [[nodiscard]] std::optional<std::size_t> median() const;
};

/// "20260829-140322-cpu-serial" for a time in seconds since 1970, and its date in words.
[[nodiscard]] std::string run_id(std::int64_t unix_seconds, const RunRecord& record);
[[nodiscard]] std::string run_date(std::int64_t unix_seconds);

} // namespace blockloom::runs
