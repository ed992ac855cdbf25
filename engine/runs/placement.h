// Where a kept run executed a task: on its device, or on the host and why.
#pragma once

#include "runs/kept_run.h"

#include <optional>
#include <string>
#include <string_view>

namespace blockloom::runs {

struct Placement {
    bool on_device = false;
    std::string reason; ///< a code of execute::host_reason_text(); empty: no device was asked for
};

/// Where task `task` (in block order, from 0) of the block with this hash was executed. Absent: the
/// run has no such task, or an older version did not record it.
[[nodiscard]] std::optional<Placement> placement_of(const KeptRun& run, std::string_view hash,
                                                    std::uint64_t task);

} // namespace blockloom::runs
