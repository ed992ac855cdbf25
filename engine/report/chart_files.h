// Charts as files: the same picture in every format.
#pragma once

#include "base/result.h"
#include "charts/picture.h"

#include <string>

namespace blockloom::report {

/// A standalone document: colours of `options.theme`, text as text, `<title>` and `<desc>` for
/// screen readers.
[[nodiscard]] std::string chart_svg(const charts::Chart& chart,
                                    const charts::PictureOptions& options);

/// The ending chooses: .svg, .png, .pdf, or .csv for its table. Writes the whole file or nothing.
/// Error: the file cannot be written.
Status write_chart(const charts::Chart& chart, const charts::PictureOptions& options,
                   const std::string& path);

} // namespace blockloom::report
