// Nests the spans of one lane.
#pragma once

#include "profile/span.h"

#include <vector>

namespace blockloom::profile {

/// Brings spans that were recorded in any order into the form of Lane: sorted, nested, with depths.
/// A span that extends beyond the end of its parent is cut there.
void nest(std::vector<Span>& spans);

} // namespace blockloom::profile
