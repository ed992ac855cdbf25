// The protostones of one generated transaction, and the outputs that they may name.
#pragma once

#include "alkanes/protostone.h"
#include "base/bytes.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace blockloom::recipes {

/// One transaction's part: protostones of tag 1 (and of others), in order.
struct Stones {
    std::vector<alkanes::Protostone> protostones;
    /// Tokens by output that the stones leave if all goes well.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> left;
    Bytes script; ///< what stands in the output instead of a runestone; empty: a runestone does
};

/// Outputs of the transaction that will carry the stones.
struct Outputs {
    std::uint32_t carrier = 0;              ///< where tokens go
    std::uint32_t count = 0;                ///< with the runestone's own
    std::uint32_t most_stones = 0xffffffff; ///< of tag 1
};

} // namespace blockloom::recipes
