// Columns of a chart with one column per block; above a limit neighbouring blocks share a column.
// Private to the report room.
#pragma once

#include "charts/chart.h"

namespace blockloom::report {

struct BlockColumns {
    BlockColumns(std::vector<std::uint64_t> heights, std::size_t most);

    std::vector<std::uint64_t> heights;
    std::size_t each = 1;  ///< blocks per column
    std::size_t count = 0; ///< the last one may hold fewer

    [[nodiscard]] std::size_t first(std::size_t column) const { return column * each; }
    [[nodiscard]] std::size_t blocks(std::size_t column) const;
    /// "Block 7", "Blocks 7 to 12 (mean of 6)".
    [[nodiscard]] std::string name(std::size_t column) const;
    [[nodiscard]] charts::Axis axis() const;
};

/// A time axis from 0 to `most` nanoseconds in a suitable unit.
[[nodiscard]] charts::Axis time_axis(double most);
/// The position of a time on this axis.
[[nodiscard]] double on_time_axis(double nanoseconds, double most);

} // namespace blockloom::report
