// The log's line per block (docs/definitions.md#statistics-line).
#pragma once

#include "execute/replayed_block.h"

#include <string>

namespace blockloom::runs {

/// The numbers of the line.
struct BlockStatistics {
    std::uint64_t tasks = 0;
    std::uint64_t parallel_tasks = 0; ///< that share their level with another one
    std::uint64_t conflict_pairs = 0;
    std::uint64_t groups = 0; ///< of two or more
    std::uint64_t largest_group = 0;
    double parallel_ratio = 0;
    std::uint64_t storage_profiles = 0; ///< distinct (code, opcode)
};

/// The figures of a block that was replayed with its trace.
[[nodiscard]] BlockStatistics statistics_of(const execute::ReplayedBlock& block);

/// "Block H dependency analysis (CPU): N total, P parallelizable, C conflicts, G groups, largest
/// group: L, R% parallel ratio, K storage profiles".
[[nodiscard]] std::string statistics_line(const execute::ReplayedBlock& block,
                                          const std::string& backend);

} // namespace blockloom::runs
