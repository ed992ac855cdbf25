// Busy against wall of one run: what its workers and devices did of the time that they had, from
// the spans that were kept with it.
#pragma once

#include "runs/run_figures.h"

#include <memory>
#include <string>
#include <vector>

namespace blockloom::runs {

/// Time that was worked, and the time in which it could have been.
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
    execute::Phases wall;      ///< each instant belongs to one phase
    execute::Phases busy;      ///< of all threads and the device: may exceed the wall
    unsigned workers = 0;      ///< lanes that executed messages
    unsigned devices = 0;      ///< lanes of devices
    Nanoseconds on_device = 0; ///< of `busy`
    /// The whole run and each phase, wall × workers; of a device what it and the workers beside it
    /// had.
    std::vector<BusyBar> bars;
    std::vector<BlockBusy> blocks; ///< empty on a device: its submissions are of no block
    /// Busy time of `execute` over what its workers had, 0 … 1; absent on a device.
    [[nodiscard]] std::optional<double> utilisation() const;
};

/// Absent where spans were dropped: what they leave is no sum.
[[nodiscard]] std::optional<BusyTime> busy_time(const KeptRun& run, const profile::Trace& spans);
/// Why there is none: "needs the run's spans: …"; empty: there is. Null: none were kept.
[[nodiscard]] std::string why_no_busy_time(const profile::Trace* spans);

/// "busy 12.0 ms of 22.0 ms, 54.5 %".
[[nodiscard]] std::string busy_text(Nanoseconds busy, Nanoseconds had);
/// "execute: busy 12.0 ms of 22.0 ms, 54.5 %: on several workers"; "Block 7: busy …".
[[nodiscard]] std::string bar_words(const BusyBar& bar);
[[nodiscard]] std::string bar_words(const BlockBusy& block);

} // namespace blockloom::runs
