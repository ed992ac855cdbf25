// What earlier rounds of a block window left, as versions for a flow.
#pragma once

#include "execute/flow/flow.h"
#include "execute/flow/live_versions.h"

namespace blockloom::execute {

/// Empties `versions` and publishes the latest executions of all tasks that are not accepted; those
/// for which `estimates`, by task from the first that is not accepted, is set as estimates. It may
/// be empty.
void seed_versions(LiveVersions& versions, const FlowStart& start,
                   const std::vector<bool>& estimates);

} // namespace blockloom::execute
