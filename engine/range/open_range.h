// Opens a range of blocks and analyses it: bytes -> blocks -> traces -> analyses, with progress and
// cancel.
#pragma once

#include "base/progress.h"
#include "range/range.h"

#include <memory>
#include <stop_token>

namespace blockloom::range {

/// Opens, orders by links, analyses every block on `threads` workers (0: as many as cores). Without
/// `keep_going` the first malformed block fails the call.
[[nodiscard]] Result<std::shared_ptr<const Range>> open_range(const RangeOptions& options,
                                                              ProgressSink& progress,
                                                              std::stop_token stop,
                                                              unsigned threads = 0);

/// The same blocks under other rules; traces are shared, nothing is read again.
[[nodiscard]] Result<std::shared_ptr<const Range>>
reanalyse(const Range& range, const schedule::AnalysisOptions& analysis, ProgressSink& progress,
          std::stop_token stop, unsigned threads = 0);

/// The same for one block: the application window requests this first when the policy changes.
[[nodiscard]] Result<std::shared_ptr<const BlockRecord>>
reanalyse(const BlockRecord& record, const schedule::AnalysisOptions& analysis,
          std::stop_token stop = {});

} // namespace blockloom::range
