// The trace of an executed block, for every analysis that knows access sets only. Large blocks are
// traced in pieces: otherwise one thread would look at every access of the block.
#pragma once

#include "alkanes/block_execution.h"
#include "trace/block_trace.h"

#include <memory>
#include <vector>

namespace blockloom::alkanes {

/// Makes the trace of a block in pieces, on as many threads as there are pieces. The trace is the
/// same for any number of them.
class BlockTracing {
public:
    /// At least one piece.
    explicit BlockTracing(std::size_t pieces);
    ~BlockTracing();
    BlockTracing(const BlockTracing&) = delete;
    BlockTracing& operator=(const BlockTracing&) = delete;

    /// Finds the access sets of a range of the transactions.
    Status run_piece(const BlockExecution& execution, const BlockContext& context,
                     std::size_t piece);
    /// After all pieces, if none failed.
    [[nodiscard]] Result<std::shared_ptr<const trace::BlockTrace>>
    finish(const BlockExecution& execution);

private:
    struct Piece;
    std::vector<std::unique_ptr<Piece>> pieces_;
};

/// The access sets of an execution: tasks are protostones of tag 1, keys are printed as `key_text`
/// does, cost is fuel. A predicate is not an access; host tasks are left out.
[[nodiscard]] Result<std::shared_ptr<const trace::BlockTrace>>
trace_of(const BlockExecution& execution, const BlockContext& context);

} // namespace blockloom::alkanes
