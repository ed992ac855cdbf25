// Spans of one lane, nested.
#pragma once

#include "profile/span.h"

#include <vector>

namespace blockloom::profile {

/// Puts spans that were recorded in any order into the form of Lane: sorted, nested, with depths. A
/// span that reaches beyond the end of the one that holds it is cut there.
void nest(std::vector<Span>& spans);

} // namespace blockloom::profile
