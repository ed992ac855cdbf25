// The work of each block and its critical path, both from the measured times of one run: a lower
// bound of the time on any number of workers.
#pragma once

#include "profile/span.h"
#include "runs/run_record.h"

#include <vector>

namespace blockloom::runs {

/// Keeps the dependency edges of a run's blocks until the run's spans are available. While the run
/// is in progress it only copies each block's edges.
class MeasuredPaths {
public:
    /// `most`: edges and tasks kept; the paths of blocks beyond this are not recorded.
    explicit MeasuredPaths(std::size_t most = std::size_t{1} << 27) : room_(most) {}

    /// Adds a replayed block, in the order of the run's record.
    void add(const execute::ReplayedBlock& block);

    /// Of several executions of a transaction the last one counts; its time is divided evenly among
    /// its tasks. A block whose tasks have no times of their own (a device ran them in batches) or
    /// whose edges are unknown has no path.
    void fill_in(const profile::Trace& spans, std::vector<RunBlock>& blocks) const;

private:
    struct Edges {
        bool known = false;
        std::uint64_t height = 0;
        std::vector<std::uint32_t> begin, predecessors; ///< as in ConflictIndex
        std::vector<std::uint32_t>
            transaction; ///< one per task; empty: each task is its own transaction
        std::vector<std::uint32_t> in_block; ///< the number of each task in its block
    };

    std::vector<Edges> blocks_;
    std::size_t room_;
};

} // namespace blockloom::runs
