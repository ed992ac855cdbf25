#include "scene/layout.h"

#include "base/utf8.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace blockloom::scene::layout {
namespace {

std::vector<Colour> by_level(const conflict::ConflictIndex& index, const Theme& theme) {
    const std::size_t levels = index.level_sizes.size();
    std::vector<Colour> of_level(levels + 1, theme.ramp.front());
    for (std::size_t l = 1; l <= levels; ++l) of_level[l] = theme.ordinal(l - 1, levels);
    std::vector<Colour> colours(index.tasks());
    for (conflict::TaskId t = 0; t < index.tasks(); ++t) colours[t] = of_level[index.level[t]];
    return colours;
}

/// Large groups get the ramp's stops in an order that separates neighbours; isolated tasks are
/// grey.
std::vector<Colour> by_group(const conflict::ConflictIndex& index, const Theme& theme) {
    static constexpr std::array<std::size_t, 8> order{0, 4, 7, 2, 6, 1, 5, 3};
    std::vector<std::uint32_t> size(index.groups, 0);
    for (const std::uint32_t g : index.group) ++size[g];
    std::vector<std::uint32_t> rank(size.size());
    std::iota(rank.begin(), rank.end(), 0U);
    std::stable_sort(rank.begin(), rank.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return size[a] > size[b]; });
    std::vector<Colour> of_group(size.size(), theme.text3);
    for (std::size_t r = 0; r < rank.size() && size[rank[r]] > 1; ++r)
        of_group[rank[r]] = theme.ramp[order[r % order.size()]];
    std::vector<Colour> colours(index.tasks());
    for (conflict::TaskId t = 0; t < index.tasks(); ++t) colours[t] = of_group[index.group[t]];
    return colours;
}

/// Logarithmic between the cheapest and the most expensive task: costs span orders of magnitude.
std::vector<Colour> by_cost(const conflict::ConflictIndex& index, const Theme& theme) {
    static constexpr std::size_t steps = 256;
    const conflict::TaskId n = index.tasks();
    std::vector<double> scaled(n);
    for (conflict::TaskId t = 0; t < n; ++t)
        scaled[t] = std::log2(1.0 + static_cast<double>(index.trace->cost_of(t)));
    std::vector<Colour> colours(n, theme.ramp.front());
    if (n == 0) return colours;
    const auto [low, high] = std::minmax_element(scaled.begin(), scaled.end());
    const double from = *low, range = *high - *low;
    if (range <= 0) return colours;
    for (conflict::TaskId t = 0; t < n; ++t)
        colours[t] = theme.ordinal(
            static_cast<std::size_t>((scaled[t] - from) / range * static_cast<double>(steps - 1)),
            steps);
    return colours;
}

/// Grey if the status is unknown.
std::vector<Colour> by_status(const conflict::ConflictIndex& index, const ViewOptions& options) {
    const Theme& theme = *options.theme;
    std::vector<Colour> colours(index.tasks(), theme.text2);
    if (options.failed == nullptr) return colours;
    for (std::size_t t = 0; t < std::min(colours.size(), options.failed->size()); ++t)
        colours[t] = (*options.failed)[t] ? theme.warning : theme.ok;
    return colours;
}

/// A block of nothing but failures keeps its picture readable.
constexpr std::size_t most_failed_marks = 20'000;
constexpr float failed_pixels = 8;

} // namespace

float text_width(std::string_view utf8, float pixels) noexcept {
    return static_cast<float>(utf8_length(utf8)) * pixels * 0.58F;
}

float node_pixels_in(float width, float height) noexcept {
    const float shrink = std::min({1.0F, canvas_width / width, canvas_height / height});
    return std::clamp(node_pixels * std::pow(shrink, 0.6F), 2.0F, node_pixels);
}

std::vector<Colour> task_colours(const schedule::BlockAnalysis& analysis,
                                 const ViewOptions& options) {
    const conflict::ConflictIndex& index = *analysis.index;
    switch (options.colour_by) {
    case ColourBy::batch:
        return by_level(index, *options.theme);
    case ColourBy::group:
        return by_group(index, *options.theme);
    case ColourBy::cost:
        return by_cost(index, *options.theme);
    case ColourBy::status:
        return by_status(index, options);
    case ColourBy::plain:
        break;
    }
    return std::vector<Colour>(index.tasks(), options.theme->text2);
}

void mark_failed(DisplayList& list, const ViewOptions& options) {
    if (options.colour_by != ColourBy::status || options.view == View::matrix || !options.failed)
        return;
    Layer layer;
    for (std::size_t t = 0; t < std::min(list.task_target.size(), options.failed->size()); ++t) {
        if (!(*options.failed)[t] || list.task_target[t] == no_target) continue;
        if (layer.boxes.size() == 2 * most_failed_marks) break;
        const Rect& at = list.targets[list.task_target[t]].bounds;
        layer.boxes.push_back( // the square below would be visible behind the triangle
            {.rect = {at.x + at.width / 2, at.y + at.height / 2, failed_pixels, failed_pixels},
             .fill = options.theme->canvas,
             .outline = transparent,
             .mark = true});
        layer.boxes.push_back(
            {.rect = {at.x + at.width / 2, at.y + at.height / 2, failed_pixels, failed_pixels},
             .fill = options.theme->warning,
             .outline = options.theme->canvas,
             .outline_width = 1,
             .shape = Shape::triangle,
             .mark = true});
    }
    if (!layer.boxes.empty()) list.layers.push_back(std::move(layer));
}

Colour edge_colour(const Theme& theme, std::uint64_t drawn) noexcept {
    return with_alpha(theme.text, drawn > faint_edges ? 38 : 77);
}

std::vector<std::size_t> thin(std::span<const AxisLabel> labels, std::span<const float> extents,
                              float gap) {
    std::vector<std::size_t> kept;
    if (labels.empty()) return kept;
    const auto from = [&](std::size_t i) { return labels[i].at - extents[i] / 2; };
    const auto to = [&](std::size_t i) { return labels[i].at + extents[i] / 2; };
    kept.push_back(0);
    const std::size_t last = labels.size() - 1;
    if (last == 0 || from(last) < to(0) + gap) return kept;
    for (std::size_t i = 1; i < last; ++i)
        if (from(i) >= to(kept.back()) + gap && to(i) + gap <= from(last)) kept.push_back(i);
    kept.push_back(last);
    return kept;
}

DisplayList empty_list(const ViewOptions& options, std::string summary) {
    DisplayList list;
    list.background = options.theme->canvas;
    list.world = {0, 0, canvas_width, canvas_height};
    list.summary = std::move(summary);
    return list;
}

} // namespace blockloom::scene::layout
