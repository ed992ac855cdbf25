// Exact counts of conflict pairs: the only figures that are not linear in the accesses.
#pragma once

#include "conflict/conflict_index.h"
#include "conflict/pair_options.h"
#include "conflict/touch_lists.h"

namespace blockloom::conflict {

/// Counts the pairs by the three plain rules; updates of commutative keys do not conflict with each
/// other. A row at a time: for each task the earlier tasks that it conflicts with, as bits. Keys
/// that few tasks touch are walked touch by touch; hot ones are bitmaps over the tasks, merged 512
/// tasks at a time. Memory O(tasks) beside the lists; time is the number of pairs on cold keys plus
/// tasks² / 512 at worst for hot ones. Blocks too wide for a row to stay in the nearest cache are
/// cut into tiles of earlier tasks.
[[nodiscard]] Result<ConflictPairs> count_pairs(const trace::PolicedTrace& trace,
                                                const TouchLists& lists, std::stop_token stop,
                                                const PairOptions& options = {});

} // namespace blockloom::conflict
