// Columns of a chart with a place a block; beyond a number of them neighbours share one. Private to
// the report room.
#pragma once

#include "charts/chart.h"

namespace blockloom::report {

struct BlockColumns {
    BlockColumns(std::vector<std::uint64_t> heights, std::size_t most);

    std::vector<std::uint64_t> heights;
    std::size_t each = 1;  ///< blocks a column
    std::size_t count = 0; ///< the last one may hold fewer

    [[nodiscard]] std::size_t first(std::size_t column) const { return column * each; }
    [[nodiscard]] std::size_t blocks(std::size_t column) const;
    /// "Block 7", "Blocks 7 to 12 (mean of 6)".
    [[nodiscard]] std::string name(std::size_t column) const;
    [[nodiscard]] charts::Axis axis() const;
};

/// An axis of times, from 0 to `most` nanoseconds in the unit that suits it.
[[nodiscard]] charts::Axis time_axis(double most);
/// The place of a time on it.
[[nodiscard]] double on_time_axis(double nanoseconds, double most);

} // namespace blockloom::report
