// Exact counts of conflict pairs: the only figures that are not linear in the accesses.
#pragma once

#include "conflict/conflict_index.h"
#include "conflict/pair_options.h"
#include "conflict/touch_lists.h"

namespace blockloom::conflict {

/// Counts the pairs by the three plain rules; updates of commutative keys do not conflict with each
/// other. Works a row at a time: for each task the earlier tasks that it conflicts with, as bits.
/// Keys that few tasks access are walked access by access; hot keys are bitmaps over the tasks,
/// merged 512 tasks at a time. Memory is O(tasks) besides the lists; time is the number of pairs on
/// cold keys plus at worst tasks² / 512 for hot keys. Blocks whose rows do not fit into the L1
/// cache are split into tiles of earlier tasks.
[[nodiscard]] Result<ConflictPairs> count_pairs(const trace::PolicedTrace& trace,
                                                const TouchLists& lists, std::stop_token stop,
                                                const PairOptions& options = {});

} // namespace blockloom::conflict
