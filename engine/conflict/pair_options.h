// How exact conflict pairs are counted.
#pragma once

#include "conflict/row_kernel.h"

namespace blockloom::conflict {

/// Tuning of the count; the defaults were measured, and tests use others.
struct PairOptions {
    CountRow kernel = best_row_kernel();
    TaskId widest_row = 16'384;     ///< blocks with more tasks are counted in tiles
    TaskId tile = 4'096;            ///< tasks a tile, a multiple of 512
    std::uint32_t hot_touches = 12; ///< keys with fewer accesses never become bitmaps
    std::uint32_t hot_share = 160;  ///< nor do keys with fewer than tasks / hot_share
};

} // namespace blockloom::conflict
