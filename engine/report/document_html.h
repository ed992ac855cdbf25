// A document as one self-contained HTML file: inline SVG, no scripts, nothing fetched from
// anywhere.
#pragma once

#include "report/document.h"

#include "base/progress.h"

namespace blockloom::report {

/// Colours follow the reader's system (light or dark) and are light in print. The same document
/// gives the same bytes. Fails only when cancelled.
[[nodiscard]] Result<std::string> html_of(const Document& document, ProgressSink& progress,
                                          std::stop_token stop = {});

/// The beginning of a page up to its heading, for pages that are no documents.
[[nodiscard]] std::string html_head(const std::string& title, const std::string& version);

} // namespace blockloom::report
