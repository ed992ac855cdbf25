#include "report/block_columns.h"

#include "base/number_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::report {

BlockColumns::BlockColumns(std::vector<std::uint64_t> of, std::size_t most)
    : heights(std::move(of)) {
    most = std::max<std::size_t>(most, 1);
    each = std::max<std::size_t>(1, (heights.size() + most - 1) / most);
    count = (heights.size() + each - 1) / each;
}

std::size_t BlockColumns::blocks(std::size_t column) const {
    return std::min(each, heights.size() - first(column));
}

std::string BlockColumns::name(std::size_t column) const {
    const std::size_t from = first(column), many = blocks(column);
    return many == 1 ? fmt::format("Block {}", heights[from])
                     : fmt::format("Blocks {} to {} (mean of {})", heights[from],
                                   heights[from + many - 1], many);
}

charts::Axis BlockColumns::axis() const {
    charts::Axis axis;
    axis.title = each == 1 ? "block" : fmt::format("block, {} per column (mean)", each);
    axis.from = -0.5;
    axis.to = static_cast<double>(std::max<std::size_t>(count, 1)) - 0.5;
    for (std::size_t i = 0; i < count; ++i)
        axis.named.push_back({static_cast<double>(i), std::to_string(heights[first(i)])});
    return axis;
}

charts::Axis time_axis(double most) {
    charts::Axis axis;
    axis.title = fmt::format("time, {}", time_unit(static_cast<Nanoseconds>(most)).name);
    axis.to = std::max(on_time_axis(most, most), 1e-9);
    return axis;
}

double on_time_axis(double nanoseconds, double most) {
    return nanoseconds / time_unit(static_cast<Nanoseconds>(most)).ns;
}

} // namespace blockloom::report
