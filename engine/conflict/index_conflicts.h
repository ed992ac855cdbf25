// Builds the conflict index of a trace.
#pragma once

#include "conflict/conflict_index.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace blockloom::conflict {

/// Builds the index. Linear in the accesses, except for the exact pairs (a row at a time, O(tasks)
/// memory); `stop` is checked between rows. Fails on invalid access sets (a key id out of range,
/// descending `begin`), on too many edges, and on costs whose sum is not below 2^63.
[[nodiscard]] Result<ConflictIndex>
index_conflicts(std::shared_ptr<const trace::PolicedTrace> trace, ConflictModel model,
                std::stop_token stop = {});

/// The same without the exact pairs (`pairs` stays 0): linear, for traces of tens of millions of
/// accesses.
[[nodiscard]] Result<ConflictIndex>
index_without_pairs(std::shared_ptr<const trace::PolicedTrace> trace, ConflictModel model,
                    std::stop_token stop = {});

/// Builds the index with its pairs in pieces, on as many threads as there are pieces.
class ConflictIndexing {
public:
    /// At least one piece.
    ConflictIndexing(ConflictModel model, std::size_t pieces);
    ~ConflictIndexing();
    ConflictIndexing(const ConflictIndexing&) = delete;
    ConflictIndexing& operator=(const ConflictIndexing&) = delete;

    /// More pieces would have nothing to do for a trace of so many tasks.
    [[nodiscard]] static std::size_t most_pieces(std::size_t tasks) noexcept;

    /// Checks the trace and lists who accesses which key; the pieces follow if it succeeds.
    Status begin(std::shared_ptr<const trace::PolicedTrace> trace);
    /// The first finds the edges and what follows from them, the others count pairs.
    Status run_piece(std::size_t piece, const std::stop_token& stop);
    /// After all pieces, if none failed.
    [[nodiscard]] ConflictIndex finish();

private:
    struct Lists;

    Status count_pairs(std::size_t first, std::size_t step, ConflictPairs& sum,
                       const std::stop_token& stop) const;

    ConflictIndex index_;
    std::unique_ptr<const Lists> lists_;
    std::vector<ConflictPairs> pairs_; ///< by piece
};

} // namespace blockloom::conflict
