// A range as one self-contained HTML file: inline SVG, no scripts, no network.
#pragma once

#include "range/range.h"
#include "runs/provenance.h"

#include <string>

namespace blockloom::report {

struct HtmlOptions {
    runs::Provenance provenance;
    std::size_t detailed_blocks =
        12; ///< most blocks with their own section: those with the most conflict pairs
    std::uint32_t workers = 8; ///< in the Gantt charts
};

/// The report. It shows hashes of files that have them (range::hashed_files). Colours follow the
/// reader's system (light or dark) and are light in print. Fails only when cancelled.
[[nodiscard]] Result<std::string> analysis_html(const range::Range& range,
                                                const HtmlOptions& options, ProgressSink& progress,
                                                std::stop_token stop = {});

} // namespace blockloom::report
