// The contract calls of whole blocks, recorded while the blocks are executed.
#pragma once

#include "chain/block_source.h"
#include "recorded_calls.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace blockloom::bench {

struct RecordedBlocks {
    std::vector<RecordedCall> calls;
    std::vector<std::shared_ptr<const alkanes::Contract>> contracts; ///< by call
    /// Calls that go another way when they are made again: one that traps or runs out of fuel
    /// between two calls of the host may run on.
    std::size_t left_out = 0;
};

/// Executes the blocks one after the other on an empty state and records their calls, except those
/// of the first block, which deploys. Waits for the best code of each contract.
[[nodiscard]] Result<RecordedBlocks>
record_blocks(std::span<const chain::BlockRef> blocks,
              const std::shared_ptr<alkanes::Contracts>& contracts);

} // namespace blockloom::bench
