#include "report/block_plot.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace blockloom::report {

BlockPlot block_plot(const std::vector<std::uint64_t>& heights, Nanoseconds most,
                     const PhaseChartOptions& options) {
    constexpr float left = 54, right = 16, top = 30, bottom = 42;
    const float room = options.width - left - right;
    const auto fit = static_cast<std::size_t>(std::max(room / 4, 1.0F));
    const std::size_t each = std::max<std::size_t>(1, (heights.size() + fit - 1) / fit);
    const std::size_t columns = (heights.size() + each - 1) / each;
    const TimeUnit unit = time_unit(most);
    const auto count = static_cast<double>(std::max<std::size_t>(columns, 1));
    const float step = room / static_cast<float>(count);
    BlockPlot made{
        Plot(*options.theme, {0, count, left, options.width - right, false},
             {0, static_cast<double>(most) / unit.ns, options.height - bottom, top, false}),
        unit, each, columns, std::clamp(step * 0.8F, 1.0F, 72.0F)};
    // Heights where they fit whole.
    const std::string last = heights.empty() ? std::string() : std::to_string(heights.back());
    const auto every = static_cast<std::size_t>(
        std::ceil((plot_text_width(last, 11) + 12) / std::max(step, 0.01F)));
    std::vector<double> named;
    for (std::size_t i = 0; i < columns; i += std::max<std::size_t>(every, 1))
        named.push_back(static_cast<double>(i) + 0.5);
    made.plot.grid(
        named,
        made.plot.y.ticks(
            static_cast<std::size_t>(std::max((options.height - top - bottom) / 28, 2.0F))),
        [&](double at) { return std::to_string(heights[static_cast<std::size_t>(at) * each]); },
        [](double value) { return value == 0 ? std::string("0") : three_digits(value); },
        each == 1 ? "block" : fmt::format("block, {} a column (mean)", each),
        fmt::format("time, {}", unit.name));
    return made;
}

std::string column_name(const std::vector<std::uint64_t>& heights, std::size_t first,
                        std::size_t count) {
    return count == 1 ? fmt::format("Block {}", heights[first])
                      : fmt::format("Blocks {} to {} (mean of {})", heights[first],
                                    heights[first + count - 1], count);
}

} // namespace blockloom::report
