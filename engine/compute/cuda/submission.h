// Puts a list on its stream, where the driver may wait for the device.
#pragma once

#include "compute/cuda/command_list.h"

namespace blockloom::compute::cuda {

/// A list that is among the pending ones of its lane, but not yet on the stream.
struct Submission {
    std::shared_ptr<Core> core;
    std::shared_ptr<CudaCommandList> list;
    std::uint64_t value = 0;
    Event ended = nullptr;
    std::vector<Event> awaited; ///< of the other lane

    /// Whatever fails, what is on the stream counts as a submission: it uses the list's buffers.
    [[nodiscard]] Status start();
};

/// Calls `start`, which ends the turn. `timed_out` if the driver does not return in time: the
/// thread that called it is left to itself, and the turn is over when it returns.
[[nodiscard]] Status start_in_time(Submission submission, Turn turn);

} // namespace blockloom::compute::cuda
