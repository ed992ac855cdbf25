// Exact counts of conflict pairs: the only figures that are not linear in the accesses.
#pragma once

#include "conflict/conflict_index.h"
#include "conflict/touch_lists.h"

namespace blockloom::conflict {

/// Counts the pairs by the three plain rules; updates of commutative keys do not conflict with each
/// other. A row at a time: for each task the set of earlier tasks that it conflicts with, as bits.
/// Keys that few tasks touch are walked touch by touch, hot ones are kept as bitmaps over the tasks
/// and merged a machine word at a time. Memory O(tasks) beside the lists.
[[nodiscard]] Result<ConflictPairs> count_pairs(const trace::PolicedTrace& trace,
                                                const TouchLists& lists, std::stop_token stop);

} // namespace blockloom::conflict
