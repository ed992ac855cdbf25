// The table twin of a chart: the same values in rows.
#pragma once

#include "charts/chart.h"

namespace blockloom::charts {

/// The chart's own table, else a row a point: series, place, value, interval, how it came about.
[[nodiscard]] std::shared_ptr<const scene::ViewTable> table_of(const Chart& chart);

/// RFC 4180: a line of column names, then the rows, CRLF line ends. What a spreadsheet would run as
/// a formula gets an apostrophe before it.
[[nodiscard]] std::string csv_of(const scene::ViewTable& table);

} // namespace blockloom::charts
