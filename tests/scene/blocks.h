// Blocks to lay out: hand-made and random traces, analysed by the engine.
#pragma once

#include "schedule/block_analysis.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace blockloom::scene::tests {

/// One task's accesses.
using Touches = std::vector<trace::Access>;

[[nodiscard]] std::shared_ptr<const trace::BlockTrace>
block_of(const std::vector<Touches>& tasks, std::vector<std::uint64_t> cost = {});

/// `tasks` tasks that each touch up to `touches` of `keys` keys, a few of them hot; same seed, same
/// block.
[[nodiscard]] std::shared_ptr<const trace::BlockTrace>
random_block(std::uint32_t seed, std::uint32_t tasks, std::uint32_t keys, std::uint32_t touches);

/// `chains` chains of `length` tasks, then `lone` tasks that conflict with nothing.
[[nodiscard]] std::shared_ptr<const trace::BlockTrace>
chains_block(std::uint32_t chains, std::uint32_t length, std::uint32_t lone);

/// Fails the program where the engine refuses, so that no test passes on nothing.
[[nodiscard]] schedule::BlockAnalysis
analysed(std::shared_ptr<const trace::BlockTrace> block,
         conflict::ConflictModel model = conflict::ConflictModel::single_version,
         bool use_cost = false);

} // namespace blockloom::scene::tests
