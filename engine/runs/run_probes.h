// The sources of what a replay uses while it runs.
#pragma once

#include "execute/replayer.h"
#include "profile/usage_probe.h"

#include <memory>
#include <vector>

namespace blockloom::runs {

/// The host, and each device of the replay. Loads libraries of the drivers: slow.
[[nodiscard]] std::vector<std::unique_ptr<profile::UsageProbe>>
probes_of(const execute::ReplayOptions& options);

} // namespace blockloom::runs
