// The part of a run off the GUI thread: replays the range on the chosen backend and keeps the run.
#pragma once

#include "execute/live_run.h"
#include "profile/span.h"
#include "range/range.h"
#include "runs/run_device.h"
#include "runs/run_record.h"

#include <QString>

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace blockloom::ui {

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
};

/// Receives a log line; called on the job's thread.
using RunLog = std::function<void(const QString& level, const QString& words)>;

/// A finished run.
struct FinishedRun {
    std::string id; ///< under which it was kept
    std::shared_ptr<const profile::Trace> trace;
    QString mismatch; ///< with the serial reference; empty: none, or it was not verified
};

/// Replays the blocks on the state before them and commits nothing; the run is kept unless the work
/// is cancelled. Fails if a named backend is unavailable: there is no fallback.
[[nodiscard]] Result<FinishedRun> perform_run(const RunOrder& order, const RunLog& log,
                                              ProgressSink& progress, const std::stop_token& stop);

/// Which of a block's tasks a device ran and which the host did, and why: "Block 7: 58 tasks on the
/// device, 2 on the host: in order (1), floats (1)".
[[nodiscard]] QString placement_words(const runs::RunBlock& block);

} // namespace blockloom::ui
