// Exact pairs of blocks whose rows would not stay in the cache.
#pragma once

#include "conflict/conflict_index.h"
#include "conflict/pair_options.h"
#include "conflict/touch_lists.h"

#include <memory>
#include <stop_token>

namespace blockloom::conflict {

/// Pairs on hot keys are counted by tiles of earlier tasks, with the bitmaps of one tile in the
/// cache; pairs on cold keys are walked once, and each task's sets of hot keys determine which of
/// them were already counted. The walk and each tile are units that several threads may count at
/// once.
class TiledPairs {
public:
    /// What they refer to must outlive it.
    TiledPairs(const trace::PolicedTrace& trace, const TouchLists& lists,
               const PairOptions& options);
    ~TiledPairs();
    TiledPairs(const TiledPairs&) = delete;
    TiledPairs& operator=(const TiledPairs&) = delete;

    [[nodiscard]] std::size_t units() const noexcept;
    /// The sum over all units is the number of pairs.
    [[nodiscard]] Result<ConflictPairs> pairs_of(std::size_t unit,
                                                 const std::stop_token& stop) const;

private:
    struct Hot;

    const trace::PolicedTrace& trace_;
    const TouchLists& lists_;
    PairOptions options_;
    std::unique_ptr<const Hot> hot_;
};

} // namespace blockloom::conflict
