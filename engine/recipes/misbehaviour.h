// What an engine has to survive: calls of the misbehaving contract, wrong targets and pointers,
// broken runestones.
#pragma once

#include "recipes/messages.h"

namespace blockloom::recipes {

/// A transaction with one or two tag-1 protostones that decode, whatever happens when they run.
/// `fork` counts through the trap of execution (T1 writes a; T2 writes b if a is 1; T3 writes
/// c = b + 1), whose parts come one after the other.
[[nodiscard]] Stones misbehaviour(Messages& messages, Random& random,
                                  const alkanes::AlkaneId& contract, std::uint32_t& fork,
                                  const Outputs& outputs);

/// A script that starts as a runestone does and has no protostone: cenotaphs, cut-off pushes and
/// integers, a protocol field that is none.
[[nodiscard]] Bytes broken_runestone(Random& random);

} // namespace blockloom::recipes
