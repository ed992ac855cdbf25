// Deploys what a range needs before its first task: code, clones, premines, filled pools.
#pragma once

#include "recipes/block_builder.h"
#include "recipes/coins.h"

namespace blockloom::recipes {

/// Adds the transactions that deploy the contracts on an empty state, with the ids of ContractIds,
/// and spreads tokens over outputs for the next blocks. `cap` applies to free mints that no pool
/// trades.
void deploy(const ContractCounts& counts, std::uint64_t cap, Messages& messages, Coins& coins,
            BlockBuilder& builder);

} // namespace blockloom::recipes
