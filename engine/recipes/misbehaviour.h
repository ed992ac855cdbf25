// What an engine has to survive: calls of the misbehaving contract, wrong targets and pointers,
// broken runestones.
#pragma once

#include "recipes/random.h"
#include "recipes/stones.h"

#include <functional>
#include <vector>

namespace blockloom::recipes {

/// A message to a contract, as ordinary ones are made.
using MakeCall = std::function<alkanes::Protostone(const alkanes::AlkaneId& target,
                                                   std::vector<u128> inputs, const Outputs&)>;

/// A transaction with one or two tag-1 protostones that decode, whatever happens when they run.
/// `fork` counts through the trap of execution (T1 writes a; T2 writes b if a is 1; T3 writes
/// c = b + 1), whose parts come one after the other and call `trap`.
[[nodiscard]] Stones misbehaviour(const MakeCall& call, Random& random,
                                  const alkanes::AlkaneId& contract, const alkanes::AlkaneId& trap,
                                  std::uint32_t& fork, const Outputs& outputs);

/// A script that starts as a runestone does and has no protostone: cenotaphs, cut-off pushes and
/// integers, a protocol field that is none.
[[nodiscard]] Bytes broken_runestone(Random& random);

} // namespace blockloom::recipes
