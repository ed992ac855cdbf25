// A range as aligned text for a terminal.
#pragma once

#include "range/range.h"

#include <string>

namespace blockloom::cli {

/// The table of the blocks, totals and what was left out; `details`, or a single block, adds its
/// figures, makespans and hot keys. Simulated figures say "predicted".
[[nodiscard]] std::string analysis_text(const range::Range& range, bool details);

} // namespace blockloom::cli
