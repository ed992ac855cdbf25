// Whether an execution of a flow would still find what it read.
#pragma once

#include "execute/flow/flow.h"
#include "execute/flow/live_versions.h"
#include "execute/rejection.h"

#include <cstdint>
#include <optional>

namespace blockloom::execute {

/// What this execution of a task read that no longer has the value that it was given; nothing: it
/// is valid as long as no version changes. Needs its probes.
[[nodiscard]] std::optional<Rejection> changed_read(const ExecutionResult& made, std::uint32_t task,
                                                    const LiveVersions& versions,
                                                    const FlowStart& start);

} // namespace blockloom::execute
