// The instruction at which two executions of a block first differ, found by running the message
// again on the interpreter.
#pragma once

#include "execute/replayed_block.h"
#include "runs/block_divergence.h"

#include <stop_token>

namespace blockloom::runs {

/// Runs the message of a divergence on the interpreter, given what each side's log says it read,
/// and fills in the place in the code. `no_place` says why it was not found. Fails when cancelled.
Status locate(BlockDivergence& divergence, const execute::ReplayedBlock& a,
              const execute::ReplayedBlock& b, const std::stop_token& stop);

} // namespace blockloom::runs
