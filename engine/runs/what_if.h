// What-if: a kept run re-scheduled by its measured costs with some of what held it up relaxed.
// Everything computed here is predicted (docs/definitions.md#what-if).
#pragma once

#include "execute/phases.h"
#include "execute/replayed_block.h"
#include "profile/span.h"
#include "runs/kept_run.h"
#include "runs/key_predictions.h"
#include "runs/recorded_rounds.h"
#include "schedule/what_if.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace blockloom::runs {

/// One block window of a kept run: the access sets of its tasks and their measured times.
struct RecordedWindow {
    std::uint64_t first = 0, last = 0; ///< heights
    /// Of all its blocks; costs in nanoseconds.
    std::shared_ptr<const trace::PolicedTrace> trace;
    std::vector<KeyPrediction> predictions; ///< by key, ascending; empty: values are not known
    /// In which rounds its tasks ran, for strategies that are simulated as they ran; else empty.
    ExecutionOrder order{};
    Nanoseconds endings = 0; ///< what ended these rounds, measured
    /// By round: what its workers did beside executions, measured.
    std::map<std::size_t, std::vector<Nanoseconds>> beside{};
};

/// A kept run, or some of its blocks, to be re-scheduled. Immutable once made.
struct RecordedWork {
    std::string run, strategy;
    unsigned workers = 1;
    std::size_t batch_min = 0, batch_max = 0;
    execute::Phases phases;   ///< of these blocks in the repetition with spans, measured
    Nanoseconds overhead = 0; ///< of an execution, beside its own time: a mean, measured
    std::vector<RecordedWindow> windows;
};

/// `blocks`: blocks of the run, in its order, as execute_again() or an open range has them, with
/// traces and indices. Blocks of one window must come together. Error: a block has no spans of its
/// own, or is not of the run; a device ran tasks together.
[[nodiscard]] Result<RecordedWork>
recorded_work(const KeptRun& run, const profile::Trace& spans,
              std::span<const std::shared_ptr<const execute::ReplayedBlock>> blocks);

/// Keys and how they are relaxed. `key`: a pattern of key policies (trace/key_policy.h).
struct KeyRelaxation {
    std::string key;
    schedule::Relaxation how = schedule::Relaxation::ignore;
    std::uint32_t parts = 2;
    friend bool operator==(const KeyRelaxation&, const KeyRelaxation&) = default;
};
/// "storage:2:0:/x split into 4 keys".
[[nodiscard]] std::string text_of(const KeyRelaxation& relaxed);
/// "KEY=ignore", "KEY=commutative", "KEY=predicted", "KEY=split:N"; the key may contain "=".
[[nodiscard]] Result<KeyRelaxation> key_relaxation(std::string_view text);

/// What is changed; everything else is as in the run.
struct WhatIfPlan {
    std::vector<KeyRelaxation> keys;
    std::string strategy; ///< empty: the run's
    unsigned workers = 0; ///< 0: the run's
    std::optional<std::size_t> batch_min, batch_max;
    bool no_barrier = false; ///< dependency-driven instead of levels or rounds
    bool free_transfer = false, free_commit = false;
    /// Which conflicts order tasks; absent: `single_version` for levels, else `multi_version`,
    /// because every execution reads the version that its predecessors left.
    std::optional<conflict::ConflictModel> model;

    [[nodiscard]] bool changes_nothing() const noexcept;
};
/// "storage:2:0:/x ignored; 8 workers"; "nothing changed".
[[nodiscard]] std::string text_of(const WhatIfPlan& plan);

/// How a strategy is simulated. One that is not known here is simulated as dependency-driven.
[[nodiscard]] schedule::ExecutionModel execution_model(std::string_view strategy) noexcept;

/// Makespans and spans of one window, in nanoseconds, predicted. What the run executed twice, or in
/// block order, is in both makespans.
struct WhatIfWindow {
    std::uint64_t first = 0, last = 0, tasks = 0;
    Nanoseconds work = 0;                  ///< sum of the measured times
    Nanoseconds span_before = 0, span = 0; ///< critical path as it was, and relaxed
    Nanoseconds before = 0, predicted = 0; ///< executions, as the run was and as planned
};

/// One key over all windows.
struct WhatIfKey {
    std::string key;
    std::uint64_t readers = 0, writers = 0, conflict_pairs = 0;
    /// By the measured times: Σ critical paths / Σ critical paths without this key's conflicts.
    double gain_if_relaxed = 1;
    std::uint64_t reads = 0, hits = 0; ///< as in KeyPrediction
    std::array<std::uint64_t, 4> effects{};
    [[nodiscard]] std::optional<double> hit_rate() const noexcept {
        if (reads == 0) return std::nullopt;
        return static_cast<double>(hits) / static_cast<double>(reads);
    }
};

struct WhatIf {
    schedule::ExecutionModel model_before = schedule::ExecutionModel::list,
                             model = schedule::ExecutionModel::list;
    std::string strategy; ///< that the plan amounts to
    unsigned workers = 1;
    std::vector<WhatIfWindow> windows;
    Nanoseconds measured = 0;  ///< wall time of the recorded repetition
    Nanoseconds executed = 0;  ///< the part of it that is execution
    Nanoseconds simulated = 0; ///< predicted: that part by the simulation of the run as it was
    /// Predicted: the wall time with its executions re-scheduled as they were. Execution time that
    /// the simulation does not explain is kept, here and below.
    Nanoseconds before = 0;
    Nanoseconds predicted = 0; ///< as planned
    /// The part of each of them that is execution; `database`: the part of `predicted` in which the
    /// run waited for its workspace's database.
    Nanoseconds execute_before = 0, execute = 0, database = 0;
    std::vector<std::string> assumptions; ///< sentences without full stops

    /// before / predicted.
    [[nodiscard]] double gain() const noexcept {
        return predicted <= 0 ? 1.0 : static_cast<double>(before) / static_cast<double>(predicted);
    }
};

/// Error: a pattern takes no key, two take the same one, or the plan contradicts itself.
[[nodiscard]] Result<WhatIf> what_if(const RecordedWork& work, const WhatIfPlan& plan,
                                     const std::stop_token& stop = {});

/// Every key that causes a conflict pair, by gain, then by hit rate, then by pairs. Under the model
/// of the plan that changes nothing.
[[nodiscard]] Result<std::vector<WhatIfKey>> rank_keys(const RecordedWork& work,
                                                       const std::stop_token& stop = {});

} // namespace blockloom::runs
