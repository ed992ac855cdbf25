// The part of a run off the GUI thread: replays the range on the chosen backend and keeps the run.
#pragma once

#include "execute/live_run.h"
#include "profile/span.h"
#include "range/check_result.h"
#include "range/range.h"
#include "runs/run_device.h"
#include "runs/run_record.h"

#include <QString>

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>

namespace blockloom::ui {

/// Whether a run was kept or cancelled: one of the two comes first, and the other then knows.
/// Thread-safe.
class RunOutcome {
public:
    /// The run is about to be kept; false: it was cancelled, so it must not be.
    bool keep() { return first(Outcome::kept); }
    /// The run is cancelled; false: it is kept, even if its verification is still in progress.
    bool cancel() { return first(Outcome::cancelled); }
    void setId(std::string id) {
        const std::scoped_lock lock(guard_);
        id_ = std::move(id);
    }
    /// Under which it was kept; empty: it was not, or not yet.
    [[nodiscard]] std::string id() const {
        const std::scoped_lock lock(guard_);
        return id_;
    }

private:
    enum class Outcome { open, kept, cancelled };
    bool first(Outcome wanted) {
        const std::scoped_lock lock(guard_);
        if (outcome_ == Outcome::open) outcome_ = wanted;
        return outcome_ == wanted;
    }

    mutable std::mutex guard_;
    Outcome outcome_ = Outcome::open;
    std::string id_;
};

/// The job's input, copied on the GUI thread.
struct RunOrder {
    range::RangeOptions range;
    std::filesystem::path keep_in; ///< workspace to keep the run in; empty: none
    QString backend;               ///< "auto", "cpu", "vulkan:0"
    execute::StrategyOptions how;
    std::uint32_t slice = 0;  ///< instructions a device runs at a time; 0: set by the device
    unsigned repetitions = 1; ///< each on the same state; an interval needs six
    bool verify = false;      ///< afterwards the results are compared with the serial reference
    /// Receives the object to watch and pause the run with, as soon as the backend is known; may be
    /// empty. Called on the job's thread.
    std::function<void(const std::shared_ptr<execute::LiveRun>&)> began{};
    runs::DeviceOpener open = compute::open_provider;
    std::shared_ptr<RunOutcome> outcome = std::make_shared<RunOutcome>();
    /// Called on the job's thread when the run was kept, before it is verified; may be empty.
    std::function<void()> verifying{};
};

/// Receives a log line; called on the job's thread.
using RunLog = std::function<void(const QString& level, const QString& words)>;

/// A finished run.
struct FinishedRun {
    std::string id; ///< under which it was kept
    std::shared_ptr<const profile::Trace> trace;
    QString mismatch; ///< with the serial reference; empty: none, or it was not verified
};

/// Replays the blocks on the state before them and commits nothing. The run is kept when it is
/// measured, unless the work was cancelled before; a verification that fails or is cancelled leaves
/// it unverified. Fails if a named backend is unavailable: there is no fallback.
[[nodiscard]] Result<FinishedRun> perform_run(const RunOrder& order, const RunLog& log,
                                              ProgressSink& progress, const std::stop_token& stop);

/// Executes the blocks as `perform_run` does, once and unmeasured, and compares them with the
/// records of the node whose database the state before them comes from. Fails if it comes from
/// elsewhere.
[[nodiscard]] Result<range::NodeCheck> perform_check(const RunOrder& order, const RunLog& log,
                                                     ProgressSink& progress,
                                                     const std::stop_token& stop);

/// Which of a block's tasks a device ran and which the host did, and why: "Block 7: 58 tasks on the
/// device, 2 on the host: in order (1), floats (1)".
[[nodiscard]] QString placement_words(const runs::RunBlock& block);

} // namespace blockloom::ui
