// Blocks with messages to the contract of tests/rust_contract.
#pragma once

#include "execute/replay.h"

#include <vector>

namespace blockloom::tests {

/// The first block deploys the contract 2 `mints` times, so that messages are independent. The
/// second has `mints` mints, each followed by one of the other methods in turn: questions,
/// withdrawals, and what reverts or panics. The third has as many, of which every other mint spends
/// the tokens of an earlier one and deposits them instead.
[[nodiscard]] std::vector<execute::ReplaySource> rust_blocks(std::uint32_t mints);

} // namespace blockloom::tests
