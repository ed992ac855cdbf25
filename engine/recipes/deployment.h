// What a range needs before its first task: code, clones, premines, filled pools.
#pragma once

#include "recipes/block_builder.h"
#include "recipes/coins.h"

namespace blockloom::recipes {

/// Adds the transactions that put the contracts on an empty state, each id as ContractIds has it,
/// and spreads tokens over outputs for the next blocks. `cap` is that of free mints that no pool
/// trades.
void deploy(const ContractCounts& counts, std::uint64_t cap, Messages& messages, Coins& coins,
            BlockBuilder& builder);

} // namespace blockloom::recipes
