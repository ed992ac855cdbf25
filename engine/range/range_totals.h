// What a range says about all its blocks together.
#pragma once

#include "range/range.h"

namespace blockloom::range {

/// Sets chain, title and totals according to the blocks.
void sum_up(Range& range);

} // namespace blockloom::range
