// Where a kept run executed a task: on its device, or on the host and why.
#pragma once

#include "profile/span.h"
#include "runs/kept_run.h"

#include <optional>
#include <string>
#include <string_view>

namespace blockloom::runs {

struct Placement {
    bool on_device = false;
    std::string reason; ///< a code of execute::host_reason_text(); empty: no device was asked for
    /// Of a device: the number of the wave, from 0; absent: not recorded.
    std::optional<std::uint32_t> wave{};
};

/// Where task `task` (in block order, from 0) of the block with this hash was executed. Absent: the
/// run has no such task, or an older version did not record it.
[[nodiscard]] std::optional<Placement> placement_of(const KeptRun& run, std::string_view hash,
                                                    std::uint64_t task);

/// Where and when a task ran, as the spans of its run show it.
struct TaskSpan {
    std::string lane;               ///< "worker 3", "Some GPU: compiled lanes 2"
    Nanoseconds begin = 0, end = 0; ///< of a wave: its kernels
    std::uint64_t beside = 0;       ///< the messages of the wave; 0: it ran on a worker
};
/// Its last execution, or the kernels of the wave in which it ran. `height` and `task` as the run
/// numbers them. Absent: there is no such span.
[[nodiscard]] std::optional<TaskSpan> span_of(const profile::Trace& spans, std::uint64_t height,
                                              std::uint64_t task, const Placement& placement);

} // namespace blockloom::runs
