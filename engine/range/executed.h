// Blocks of an Alkanes range, executed in order before they are analysed.
#pragma once

#include "range/sources.h"

namespace blockloom::range {

/// Whether this is an Alkanes range: by option, or by its manifest or workspace.
[[nodiscard]] Result<bool> is_alkanes(const RangeOptions& options, const Sources& sources);

/// Executes the pending blocks serially, each on the state that the previous one left, and fills
/// `Pending::replayed`. Commits nothing. Blocks that cannot be read are left out with `keep_going`;
/// imported traces are always left out.
Status execute_pending(Sources& sources, const RangeOptions& options, ProgressSink& progress,
                       const std::stop_token& stop);

} // namespace blockloom::range
