// A document as pages of paper: title, contents with page numbers, repeated heads of tables; charts
// and views as vectors in the light theme.
#pragma once

#include "base/bytes.h"
#include "base/progress.h"
#include "report/document.h"
#include "report/paper.h"

namespace blockloom::report {

/// PDF 1.5, searchable, with an outline and links. The same document gives the same bytes. Fails
/// when cancelled, and on what Cairo reports.
[[nodiscard]] Result<std::vector<Byte>> pdf_of(const Document& document, Paper paper,
                                               ProgressSink& progress, std::stop_token stop = {});

} // namespace blockloom::report
