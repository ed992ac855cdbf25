// Exact pairs of blocks whose rows would not stay in the cache.
#pragma once

#include "conflict/conflict_index.h"
#include "conflict/pair_options.h"
#include "conflict/touch_lists.h"

namespace blockloom::conflict {

/// Pairs on hot keys are counted by tiles of earlier tasks, with the bitmaps of one tile in the
/// cache; pairs on cold keys are walked once, and each task's sets of hot keys determine which of
/// them were already counted.
[[nodiscard]] Result<ConflictPairs> count_pairs_in_tiles(const trace::PolicedTrace& trace,
                                                         const TouchLists& lists,
                                                         std::stop_token stop,
                                                         const PairOptions& options);

} // namespace blockloom::conflict
