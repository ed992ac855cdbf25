// A range as a table for spreadsheets: RFC 4180, one row a block.
#pragma once

#include "range/range.h"

#include <string>

namespace blockloom::report {

/// Header and one row a block, CRLF line ends, UTF-8. Makespans have one column a strategy and
/// number of workers
/// ("makespan_list_8"). Cells a spreadsheet would run as a formula are text: names come from files.
/// Lists (level sizes) are separated by spaces.
[[nodiscard]] std::string analysis_csv(const range::Range& range);

/// A field as RFC 4180 wants it: quoted where it holds a comma, a quote or a line end; a leading =
/// + - @ or tab gets an apostrophe before it.
[[nodiscard]] std::string csv_field(const std::string& text);

} // namespace blockloom::report
