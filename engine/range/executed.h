// Blocks of an Alkanes range, executed in order before they are analysed.
#pragma once

#include "range/sources.h"

namespace blockloom::range {

/// Whether the range is one of Alkanes: asked for, or told by its manifest or its workspace.
[[nodiscard]] Result<bool> is_alkanes(const RangeOptions& options, const Sources& sources);

/// Executes the pending blocks serially, each on what the one before it left, and fills
/// `Pending::replayed`. Commits nothing. Blocks that cannot be read are left out with `keep_going`;
/// imported traces always.
Status execute_pending(Sources& sources, const RangeOptions& options, ProgressSink& progress,
                       const std::stop_token& stop);

} // namespace blockloom::range
