// The legend of a view.
#include "base/number_text.h"
#include "scene/layout.h"
#include "scene/views.h"

#include <algorithm>

namespace blockloom::scene {
namespace {

using Sign = OverlayLegend::Sign;

OverlayLegend ramp(std::string label, std::string first, std::string last, const Theme& theme) {
    return {Sign::ramp, theme.ramp.front(), std::move(label), std::move(first), std::move(last)};
}

OverlayLegend sign(Sign sign, Colour colour, std::string label) {
    return {sign, colour, std::move(label), {}, {}};
}

void add_colours(const conflict::ConflictIndex& index, const ViewOptions& options,
                 std::vector<OverlayLegend>& legend) {
    const Theme& theme = *options.theme;
    switch (options.colour_by) {
    case ColourBy::batch:
        legend.push_back(ramp("Batch (level)", "1",
                              count_text(std::max<std::size_t>(index.level_sizes.size(), 1)),
                              theme));
        return;
    case ColourBy::cost: {
        std::uint64_t least = UINT64_MAX, most = 0;
        for (conflict::TaskId t = 0; t < index.tasks(); ++t) {
            least = std::min(least, index.trace->cost_of(t));
            most = std::max(most, index.trace->cost_of(t));
        }
        if (index.tasks() > 0)
            legend.push_back(ramp("Cost (log scale)", count_text(least), count_text(most), theme));
        return;
    }
    case ColourBy::group:
        legend.push_back(sign(Sign::mark, theme.ramp.front(),
                              "one colour per large group, " + counted(index.groups, "group")));
        return;
    case ColourBy::status: {
        if (!options.failed) {
            legend.push_back(sign(Sign::mark, theme.text2, "no status: nothing was executed"));
            return;
        }
        const auto failed = static_cast<std::size_t>(
            std::count(options.failed->begin(), options.failed->end(), true));
        legend.push_back(sign(Sign::mark, theme.ok,
                              "succeeded, " + counted(options.failed->size() - failed, "task")));
        legend.push_back(sign(Sign::triangle, theme.warning,
                              "triangle: reverted or failed, " + counted(failed, "task")));
        return;
    }
    case ColourBy::plain:
        return;
    }
}

void add_matrix(const schedule::BlockAnalysis& analysis, const ViewOptions& options,
                std::vector<OverlayLegend>& legend) {
    const Theme& theme = *options.theme;
    const bool colouring = options.order == MatrixOrder::batch && analysis.colouring.has_value();
    const std::size_t batches =
        colouring ? analysis.colouring->colouring.colours : analysis.index->level_sizes.size();
    legend.push_back(ramp(colouring ? "Batch (colour class)" : "Batch (level)", "1",
                          count_text(std::max<std::size_t>(batches, 1)), theme));
    legend.push_back(sign(Sign::mark, theme.text2, "conflict between two tasks"));
    if (options.order != MatrixOrder::index)
        legend.push_back(sign(Sign::cross, theme.error, "red cross: conflict inside a batch"));
    legend.push_back(sign(Sign::selected, theme.pick, "selected (crosshair), neighbours outlined"));
}

} // namespace

std::vector<OverlayLegend> make_legend(const schedule::BlockAnalysis& analysis,
                                       const ViewOptions& options) {
    const conflict::ConflictIndex& index = *analysis.index;
    const Theme& theme = *options.theme;
    std::vector<OverlayLegend> legend;
    if (options.view == View::matrix) {
        add_matrix(analysis, options, legend);
        return legend;
    }
    add_colours(index, options, legend);
    if (options.critical_chain && options.view != View::bipartite && index.tasks() > 0)
        legend.push_back(
            sign(Sign::line, theme.critical,
                 "critical path, " + counted(conflict::critical_chain(index).size(), "task")));
    if (options.view == View::layered || options.view == View::arc)
        legend.push_back(sign(Sign::line,
                              with_alpha(layout::edge_colour(theme, index.edges()), 255),
                              "dependency of a later task on an earlier one"));
    if (options.view == View::bipartite) {
        legend.push_back(sign(Sign::line, theme.text2, "writes (solid)"));
        legend.push_back(sign(Sign::dashed_line, theme.accent, "only reads (dashed)"));
        legend.push_back(sign(Sign::diamond, theme.text2, "diamond: shared key, larger if hot"));
    }
    if (options.view == View::schedule) {
        legend.push_back(sign(Sign::hollow, theme.text2, "predicted"));
        if (options.strategy == schedule::Strategy::optimistic)
            legend.push_back(sign(Sign::hatched, theme.text2, "hatched: aborted and re-executed"));
    }
    legend.push_back(sign(Sign::selected, theme.pick, "selected, neighbours outlined"));
    if (options.view == View::layered && index.isolated() > 0)
        legend.push_back(sign(
            Sign::mark, options.colour_by == ColourBy::batch ? theme.ramp.front() : theme.text2,
            counted(index.isolated(), "isolated task") + ", packed at the left"));
    return legend;
}

} // namespace blockloom::scene
