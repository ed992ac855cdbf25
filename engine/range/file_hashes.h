// SHA-256 of a range's files, for provenance.
#pragma once

#include "base/progress.h"
#include "range/range.h"

#include <stop_token>
#include <vector>

namespace blockloom::range {

/// The range's files with their SHA-256: one more pass over their bytes.
[[nodiscard]] Result<std::vector<SourceFile>>
hashed_files(const Range& range, ProgressSink& progress, std::stop_token stop = {});

} // namespace blockloom::range
