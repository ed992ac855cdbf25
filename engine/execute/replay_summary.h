// What a replay reports: each block when it is done, and a summary at the end.
#pragma once

#include "execute/contract_code.h"
#include "execute/replayed_block.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::execute {

/// Receives each block when it is done, in order; later blocks may be done, too, by then. An error
/// ends the replay; committed blocks stay.
/// A block that differs from its serial execution also ends it (ErrorCode::verification, if
/// `ReplayOptions::verify` is set) and is not committed.
using BlockDone = std::function<Status(const std::shared_ptr<const ReplayedBlock>&)>;

/// A block that could not be replayed and was left out.
struct SkippedBlock {
    std::string source, reason;
};

struct ReplaySummary {
    std::uint64_t committed = 0;         ///< blocks that this run added to the workspace
    std::uint64_t again = 0;             ///< committed blocks that were executed again
    std::uint64_t skipped_committed = 0; ///< blocks before the one at which the run continued
    std::uint64_t undone = 0;            ///< blocks of another branch, undone first
    std::vector<SkippedBlock> left_out;
    std::optional<Hash256> state_digest; ///< of the state after the last block
    std::vector<ContractCode> code;      ///< what a device ran; empty: none was used
    Nanoseconds wall = 0;                ///< excluding the digest of the whole state
};

} // namespace blockloom::execute
