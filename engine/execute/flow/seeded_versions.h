// What earlier rounds of a block window left, as versions for a flow.
#pragma once

#include "execute/flow/flow.h"
#include "execute/flow/live_versions.h"

namespace blockloom::execute {

/// Empties `versions` and publishes the latest executions of all tasks that are not accepted; those
/// of the round's own tasks as estimates if `as_estimates`.
void seed_versions(LiveVersions& versions, const FlowStart& start, bool as_estimates);

} // namespace blockloom::execute
