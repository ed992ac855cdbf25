// A chart as a file: the same picture in every format.
#pragma once

#include "base/result.h"
#include "charts/picture.h"

#include <string>

namespace blockloom::report {

/// A document of its own: colours of `options.theme`, text as text, `<title>` and `<desc>` for a
/// screen reader.
[[nodiscard]] std::string chart_svg(const charts::Chart& chart,
                                    const charts::PictureOptions& options);

/// By the ending: .svg, .png, .pdf, or .csv for its table. Whole or not at all. Error: the file
/// cannot be written.
Status write_chart(const charts::Chart& chart, const charts::PictureOptions& options,
                   const std::string& path);

} // namespace blockloom::report
