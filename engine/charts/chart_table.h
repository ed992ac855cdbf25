// A chart as a table: the same values in rows.
#pragma once

#include "charts/chart.h"

namespace blockloom::charts {

/// The chart's own table, or one row per point: series, position, value, interval, measured or
/// predicted.
[[nodiscard]] std::shared_ptr<const scene::ViewTable> table_of(const Chart& chart);

/// RFC 4180: a line of column names, then the rows, CRLF line ends. An apostrophe is put before
/// text that a spreadsheet would run as a formula.
[[nodiscard]] std::string csv_of(const scene::ViewTable& table);

} // namespace blockloom::charts
