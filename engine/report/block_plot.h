// The axes of a chart with a column a block: heights below, time at the left. Private to the report
// room.
#pragma once

#include "base/number_text.h"
#include "report/phase_chart_options.h"
#include "report/plot.h"

namespace blockloom::report {

/// Neighbouring blocks share a column where columns would be thinner than four pixels.
struct BlockPlot {
    Plot plot;
    TimeUnit unit;
    std::size_t each;    ///< blocks a column
    std::size_t columns; ///< the last one may hold fewer
    float wide;          ///< pixels of a column
    [[nodiscard]] float left_of(std::size_t column) const {
        return plot.x.at(static_cast<double>(column) + 0.5) - wide / 2;
    }
};
[[nodiscard]] BlockPlot block_plot(const std::vector<std::uint64_t>& heights, Nanoseconds most,
                                   const PhaseChartOptions& options);

/// "Block 7", "Blocks 7 to 12 (mean of 6)".
[[nodiscard]] std::string column_name(const std::vector<std::uint64_t>& heights, std::size_t first,
                                      std::size_t count);

} // namespace blockloom::report
