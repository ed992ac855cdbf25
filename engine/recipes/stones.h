// The protostones of one generated transaction, and the outputs that they may name.
#pragma once

#include "alkanes/protostone.h"
#include "base/bytes.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace blockloom::recipes {

/// One transaction's protostones, of tag 1 and others, in order.
struct Stones {
    std::vector<alkanes::Protostone> protostones;
    /// Tokens by output that the stones leave if all goes well.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> left;
    Bytes script; ///< the output's script instead of a runestone; empty: a runestone
};

/// Outputs of the transaction that will carry the stones.
struct Outputs {
    std::uint32_t carrier = 0;              ///< the output that receives the tokens
    std::uint32_t count = 0;                ///< including the runestone's own
    std::uint32_t most_stones = 0xffffffff; ///< of tag 1
};

} // namespace blockloom::recipes
