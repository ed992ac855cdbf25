// Exact pairs of blocks whose rows would not stay in the cache.
#pragma once

#include "conflict/conflict_index.h"
#include "conflict/pair_options.h"
#include "conflict/touch_lists.h"

namespace blockloom::conflict {

/// Pairs on hot keys are counted tile by tile of earlier tasks, with the bitmaps of one tile at
/// hand; pairs on cold keys are walked once, and those that hot keys have counted are told from
/// each task's sets of hot keys.
[[nodiscard]] Result<ConflictPairs> count_pairs_in_tiles(const trace::PolicedTrace& trace,
                                                         const TouchLists& lists,
                                                         std::stop_token stop,
                                                         const PairOptions& options);

} // namespace blockloom::conflict
