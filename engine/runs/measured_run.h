// One measured run, from its settings to its record: repetitions, spans, measured paths. Both the
// window and the command line measure with it.
#pragma once

#include "execute/replay.h"
#include "profile/span.h"
#include "range/node_records.h"
#include "range/state_source.h"
#include "runs/run_device.h"
#include "runs/run_record.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockloom::runs {

/// What is run.
struct MeasuredRunPlan {
    std::span<const execute::ReplaySource> blocks;
    execute::ReplayOptions how; ///< complete: rules chosen, device opened
    RunDevice device;
    std::vector<std::string> sources{}; ///< as the user named them
    std::string workspace{};            ///< of the state; empty: it is in memory
    /// Where else the state before the blocks is read from; null: from the workspace, or nowhere.
    const range::OpenState* state = nullptr;
    /// The state before the first block, on which every repetition that does not commit begins;
    /// null: the empty state.
    const state::StateView* before = nullptr;
    /// What the last repetition commits to, as `join` says; null: nothing is committed. `before` is
    /// a view of it that is invalid after the first commit.
    store::Workspace* into = nullptr;
    execute::JoinOptions join{};
    unsigned repetitions = 1; ///< at least 1
    bool baseline = false;    ///< with each a serial run on one thread, execution only
    bool spans = true;        ///< each repetition is recorded; the last one's spans are kept
    bool usage = true;        ///< record the use of the machine and its devices over time
    bool keep_going = false;  ///< leave out blocks that cannot be read
    /// Afterwards the serial reference is executed and every block's result compared with it
    /// (runs/run_verification.h); not part of any measured time. Not with `into`, whose commits end
    /// `before`.
    bool reference = false;
    /// Afterwards the blocks are executed once more and compared with these records of a node
    /// (runs/run_check.h); null: they are not. Not with `into`.
    const range::NodeRecords* check = nullptr;
};

/// Callbacks while it runs, on the measuring thread. May be empty.
struct MeasuredRunEvents {
    /// Before the first repetition: where the run can be watched and paused. Only with `usage`.
    std::function<void(const std::shared_ptr<execute::LiveRun>&)> began;
    /// A block of the last repetition.
    std::function<void(const execute::ReplayedBlock&, const RunBlock&)> block;
    /// The run is complete but for its verification, which follows if the plan asks for it: here it
    /// can be kept, so that it is not lost with a verification that fails or is cancelled. An error
    /// ends the measurement.
    std::function<Status(RunRecord&, const std::optional<profile::Trace>& spans)> measured{};
};

struct MeasuredRun {
    RunRecord record;                    ///< with id and date; not yet kept
    std::optional<profile::Trace> spans; ///< of the last repetition
};

/// Measures. Progress is reported in blocks over the whole work: every repetition, the serial
/// baseline beside each, and the verification; the total stays the same from beginning to end, and
/// the phase says what is running. An error after blocks were committed says how many were.
[[nodiscard]] Result<MeasuredRun> measure_run(const MeasuredRunPlan& plan,
                                              const MeasuredRunEvents& events,
                                              ProgressSink& progress, const std::stop_token& stop);

} // namespace blockloom::runs
