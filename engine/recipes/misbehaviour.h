// Input that an engine has to survive: calls of the misbehaving contract, wrong targets and
// pointers, broken runestones.
#pragma once

#include "recipes/random.h"
#include "recipes/stones.h"

#include <functional>
#include <vector>

namespace blockloom::recipes {

/// Makes a message to a contract, as for ordinary ones.
using MakeCall = std::function<alkanes::Protostone(const alkanes::AlkaneId& target,
                                                   std::vector<u128> inputs, const Outputs&)>;

/// A transaction with one or two tag-1 protostones that decode, whatever happens when they run.
/// `fork` counts through the steps of the execution trap (T1 writes a; T2 writes b if a is 1; T3
/// writes c = b + 1), which come one after the other and call `trap`.
[[nodiscard]] Stones misbehaviour(const MakeCall& call, Random& random,
                                  const alkanes::AlkaneId& contract, const alkanes::AlkaneId& trap,
                                  std::uint32_t& fork, const Outputs& outputs);

/// A script that starts like a runestone and has no protostone: cenotaphs, truncated pushes and
/// integers, an invalid protocol field.
[[nodiscard]] Bytes broken_runestone(Random& random);

} // namespace blockloom::recipes
