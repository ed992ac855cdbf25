// How exact conflict pairs are counted.
#pragma once

#include "conflict/row_kernel.h"

namespace blockloom::conflict {

/// How a count goes about it; the defaults are measured ones, tests take others.
struct PairOptions {
    CountRow kernel = best_row_kernel();
    TaskId widest_row = 16'384;     ///< blocks of more tasks are counted in tiles
    TaskId tile = 4'096;            ///< tasks a tile, a multiple of 512
    std::uint32_t hot_touches = 12; ///< keys with fewer touches are never bitmaps
    std::uint32_t hot_share = 160;  ///< nor those with fewer than tasks / this
};

} // namespace blockloom::conflict
