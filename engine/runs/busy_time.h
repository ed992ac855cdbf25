// Busy time against wall time of one run: how much of the available time its workers and devices
// worked, from the spans kept with the run.
#pragma once

#include "runs/run_figures.h"

#include <memory>
#include <string>
#include <vector>

namespace blockloom::runs {

/// Time worked, and time available for work.
struct BusyBar {
    std::string name, about;
    Nanoseconds busy = 0, had = 0;
};

/// Executions of one block: `had` is the block's execution on all workers.
struct BlockBusy {
    std::uint64_t height = 0;
    Nanoseconds busy = 0, had = 0;
};

/// Of the repetition that was recorded.
struct BusyTime {
    execute::Phases wall;   ///< each instant belongs to one phase
    execute::Phases busy;   ///< of all threads and the device: may exceed the wall
    execute::Phases beside; ///< of `busy`: as tasks on workers, beside other blocks
    Nanoseconds joined = 0; ///< of `beside` commit: putting blocks together
    unsigned workers = 0;   ///< lanes that executed messages
    unsigned devices = 0;
    Nanoseconds on_device = 0; ///< of `busy`: some kernel ran, summed over the devices
    /// The whole run and each phase against wall × workers; with a device, the device and the
    /// host's workers.
    std::vector<BusyBar> bars;
    std::vector<BlockBusy> blocks; ///< empty on a device: a submission belongs to no block
    /// Busy time of `execute` / (its wall time × workers), 0 … 1; absent on a device.
    [[nodiscard]] std::optional<double> utilisation() const;
};

/// Absent where spans were dropped: the rest does not add up.
[[nodiscard]] std::optional<BusyTime> busy_time(const KeptRun& run, const profile::Trace& spans);
/// Why there is none: "needs the run's spans, …"; empty: there is one. Null: no spans were kept.
[[nodiscard]] std::string why_no_busy_time(const profile::Trace* spans);

/// "busy 12.0 ms of 22.0 ms, 54.5 %".
[[nodiscard]] std::string busy_text(Nanoseconds busy, Nanoseconds had);
/// "execute: busy 12.0 ms of 22.0 ms, 54.5 %: on several workers"; "Block 7: busy …".
[[nodiscard]] std::string bar_words(const BusyBar& bar);
[[nodiscard]] std::string bar_words(const BlockBusy& block);

} // namespace blockloom::runs
