// A range as a table for spreadsheets: RFC 4180, one row per block.
#pragma once

#include "range/range.h"

#include <string>

namespace blockloom::report {

/// A header and one row per block, CRLF line ends, UTF-8. Makespans have one column per strategy
/// and number of workers ("makespan_list_8"). Names come from files, so a cell that a spreadsheet
/// would run as a formula is made text. Lists (level sizes) are separated by spaces.
[[nodiscard]] std::string analysis_csv(const range::Range& range);

/// A field by RFC 4180: quoted if it contains a comma, a quote or a line end; an apostrophe is put
/// before a leading = + - @ or tab.
[[nodiscard]] std::string csv_field(const std::string& text);

} // namespace blockloom::report
