// A range as a report: its figures, its blocks, what was left out, and where all of it comes from.
#pragma once

#include "range/range.h"
#include "report/document.h"
#include "runs/provenance.h"

#include <string>

namespace blockloom::report {

struct RangeReportOptions {
    runs::Provenance provenance;
    std::size_t detailed_blocks =
        12; ///< most blocks with their own section: those with the most conflict pairs
    std::uint32_t workers = 8; ///< in the Gantt charts
};

/// Refers to `range`. It shows hashes of files that have them (range::hashed_files). `stop` ends
/// the making of pictures.
[[nodiscard]] Document range_document(const range::Range& range, const RangeReportOptions& options,
                                      const std::stop_token& stop = {});

/// The same as one self-contained HTML page. Fails only when cancelled.
[[nodiscard]] Result<std::string> range_html(const range::Range& range,
                                             const RangeReportOptions& options,
                                             ProgressSink& progress, std::stop_token stop = {});

} // namespace blockloom::report
