// A range as aligned text for a terminal.
#pragma once

#include "range/range.h"

#include <string>

namespace blockloom::cli {

/// The table of blocks, totals, and what was left out. `details`, or a single block, adds figures,
/// makespans and hot keys. Simulated figures are called predicted.
[[nodiscard]] std::string analysis_text(const range::Range& range, bool details);

} // namespace blockloom::cli
