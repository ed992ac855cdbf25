// Writing the open range as a report, off the GUI thread.
#pragma once

#include "base/progress.h"
#include "range/range.h"

#include <QString>

#include <memory>

namespace blockloom::ui {

/// Name filters of the file dialog with their extensions.
[[nodiscard]] QString report_filters();

/// Writes `range` to `path`; format by extension: html, pdf, json or csv. Thread-safe. Hashes the
/// source files for provenance, which reads them once more.
[[nodiscard]] Status write_report(const range::Range& range, const QString& path, unsigned workers,
                                  ProgressSink& progress, std::stop_token stop);

} // namespace blockloom::ui
