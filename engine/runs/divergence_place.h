// The instruction at which two executions of a block first differ: the message again, on the
// interpreter.
#pragma once

#include "execute/replayed_block.h"
#include "runs/block_divergence.h"

#include <stop_token>

namespace blockloom::runs {

/// Runs the message of a divergence again on the interpreter, on what each side's log says it read,
/// and fills in where in the code it is. What is not found is said in `no_place`. Fails where the
/// work is cancelled.
Status locate(BlockDivergence& divergence, const execute::ReplayedBlock& a,
              const execute::ReplayedBlock& b, const std::stop_token& stop);

} // namespace blockloom::runs
