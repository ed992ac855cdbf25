// Layered view: isolated tasks packed at the left, then one column band per level; groups keep
// rows.
#include "base/number_text.h"
#include "scene/group_packing.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace blockloom::scene::layout {
namespace {

using conflict::ConflictIndex;
using conflict::TaskId;

constexpr float band_header = 26;    ///< above the rows, for "level 1 … 25"
constexpr float narrow_canvas = 480; ///< the panel in the smallest window
constexpr float widest_gap = 90;     ///< bands move apart to fill the canvas, but no further
constexpr float tallest_row = 30;    ///< and rows
constexpr std::size_t most_bands =
    400; ///< backgrounds of bands are drawn up to this number of levels
constexpr std::size_t most_groups_drawn = 100'000;
constexpr float chain_width = 3;

/// All positions.
struct BandPlaces {
    std::vector<Point> at;         ///< one per task
    std::vector<bool> shown;       ///< false: folded
    std::vector<float> band_x;     ///< left edge of each band
    std::vector<float> band_width; ///< without the gap
    float isolated_width = 0, width = 0, height = 0;
    float node_pixels = scene::layout::node_pixels;
    std::uint64_t cut_tasks = 0; ///< of the largest group
};

void place_isolated(const GroupSet& groups, const Packing& packing, float height,
                    BandPlaces& places) {
    if (groups.isolated.empty()) return;
    places.isolated_width = static_cast<float>(packing.isolated_columns) * pitch;
    const std::uint32_t rows = packing.isolated_rows;
    const float row_pitch = std::clamp(height / static_cast<float>(rows), pitch, pitch * 1.5F);
    for (std::uint32_t i = 0; i < groups.isolated.size(); ++i) {
        const TaskId t = groups.isolated[i];
        places.shown[t] = true;
        places.at[t] = {(static_cast<float>(i / rows) + 0.5F) * pitch,
                        (static_cast<float>(i % rows) + 0.5F) * row_pitch};
    }
}

void place_bands(const Packing& packing, BandPlaces& places) {
    const std::size_t bands = packing.band_columns.size();
    float x = places.isolated_width > 0 ? places.isolated_width + isolated_gap : 0;
    float columns = 0;
    for (const std::uint32_t c : packing.band_columns) columns += static_cast<float>(c) * pitch;
    const float spare = canvas_width - x - columns;
    const float gap =
        bands == 0 ? 0 : std::clamp(spare / static_cast<float>(bands), band_gap, widest_gap);
    for (const std::uint32_t c : packing.band_columns) {
        const float width = static_cast<float>(c) * pitch;
        places.band_x.push_back(x);
        places.band_width.push_back(width);
        x += width + gap;
    }
    places.width = std::max(x - (bands == 0 ? isolated_gap : gap), pitch);
}

void place_groups(const GroupSet& groups, const Packing& packing, float row_pitch,
                  double kept_of_largest, BandPlaces& places) {
    for (std::size_t s = 0; s < groups.shapes.size(); ++s) {
        const GroupShape& shape = groups.shapes[s];
        const GroupPlace& place = packing.places[s];
        const double share = s == 0 ? kept_of_largest : 1;
        // Groups on one row lean apart where rows leave room: their edges run side by side.
        const float spread = row_pitch - scene::layout::node_pixels;
        const float lean =
            place.lanes < 2
                ? 0
                : spread *
                      (static_cast<float>(place.lane) / static_cast<float>(place.lanes - 1) - 0.5F);
        std::uint32_t at = shape.first;
        for (std::uint32_t l = 0; l < shape.depth; ++l) {
            const std::uint32_t count = groups.run[shape.runs + l];
            const std::uint32_t columns = (count + place.rows - 1) / place.rows;
            const std::uint32_t rows = (count + columns - 1) / columns;
            const float top =
                static_cast<float>(place.row) + static_cast<float>(place.rows - rows) / 2;
            const auto kept = static_cast<std::uint32_t>(std::ceil(share * count));
            places.cut_tasks += count - kept;
            for (std::uint32_t i = 0; i < count; ++i) {
                const TaskId t = groups.tasks[at + i];
                places.shown[t] = i < kept;
                const auto column = static_cast<float>(place.column + i % columns);
                const auto row = static_cast<float>(i / columns);
                places.at[t] = {places.band_x[l] + (column + 0.5F) * pitch,
                                (top + row + 0.5F) * row_pitch + lean};
            }
            at += count;
        }
    }
}

BandPlaces place_all(const ConflictIndex& index, const GroupSet& groups, const Packing& packing,
                     double kept_of_largest) {
    BandPlaces places;
    places.at.resize(index.tasks());
    places.shown.assign(index.tasks(), false);
    const float row_pitch =
        std::clamp((canvas_height - band_header) / static_cast<float>(std::max(packing.rows, 1U)),
                   pitch, tallest_row);
    places.height =
        std::max({static_cast<float>(packing.rows) * row_pitch,
                  static_cast<float>(packing.isolated_rows) * pitch, canvas_height - band_header});
    place_isolated(groups, packing, places.height, places);
    place_bands(packing, places);
    place_groups(groups, packing, row_pitch, kept_of_largest, places);
    places.node_pixels = node_pixels_in(places.width, places.height);
    return places;
}

/// Faint grounds under every second band: the eye follows a level down.
Layer band_grounds(const BandPlaces& places, const Theme& theme) {
    Layer layer;
    const std::size_t bands = places.band_x.size();
    if (bands < 2 || bands > most_bands) return layer;
    for (std::size_t l = 0; l < bands; l += 2) {
        const float left =
            l == 0 ? places.band_x[0] - pitch / 2
                   : (places.band_x[l - 1] + places.band_width[l - 1] + places.band_x[l]) / 2;
        const float end = places.band_x[l] + places.band_width[l];
        const float right = l + 1 < bands ? (end + places.band_x[l + 1]) / 2 : end + pitch / 2;
        layer.boxes.push_back({.rect = {left, 0, right - left, places.height},
                               .fill = with_alpha(theme.panel, 150),
                               .outline = transparent});
    }
    return layer;
}

std::vector<Text> headings(std::size_t isolated, const BandPlaces& places, const Theme& theme) {
    std::vector<AxisLabel> labels;
    std::vector<float> extents;
    for (std::size_t l = 0; l < places.band_x.size(); ++l) {
        const std::string number = count_text(l + 1);
        labels.push_back(
            {places.band_x[l] + places.band_width[l] / 2, l == 0 ? "level " + number : number});
        extents.push_back(text_width(labels.back().text, text_pixels));
    }
    // A world wider than the canvas shrinks at "fit", its texts do not.
    const float shrink = std::max(1.0F, places.width / narrow_canvas);
    for (float& extent : extents) extent *= shrink;
    if (!labels.empty()) labels[0].at = std::max(labels[0].at, extents[0] / 2 - 8);
    std::vector<Text> texts;
    const std::vector<std::size_t> kept = thin(labels, extents, 7 * shrink);
    for (const std::size_t i : kept)
        texts.push_back({{labels[i].at, -band_header / 2},
                         labels[i].text,
                         theme.text2,
                         text_pixels,
                         Anchor::centre,
                         Face::text});
    if (isolated > 0) {
        const std::string text = count_text(isolated) + " isolated";
        const float room = kept.empty() ? canvas_width : labels[0].at - extents[0] / 2 - 7 * shrink;
        if (text_width(text, text_pixels) * shrink < room)
            texts.push_back(
                {{0, -band_header / 2}, text, theme.text3, text_pixels, Anchor::left, Face::text});
    }
    return texts;
}

/// A straight line; one that skips levels on its row steps aside, or it would hide behind the edges
/// and nodes between.
void add_edge(std::vector<Line>& lines, Point from, Point to, std::uint32_t levels) {
    const auto add = [&](Point a, Point b) { lines.push_back({a, b, transparent, 1, false}); };
    if (levels < 2 || std::abs(from.y - to.y) > pitch / 4) {
        add(from, to);
        return;
    }
    const float side = pitch * 0.48F, turn = std::min((to.x - from.x) / 4, band_gap);
    const Point first{from.x + turn, from.y + side}, second{to.x - turn, to.y + side};
    add(from, first);
    add(first, second);
    add(second, to);
}

std::string folded_words(const Folded& folded, const BandPlaces& places) {
    std::string words;
    const auto add = [&](const std::string& more) { words += (words.empty() ? "" : ", ") + more; };
    if (folded.groups > 0)
        add(counted(folded.groups, "small group") + " not drawn (" +
            counted(folded.group_tasks, "task") + ")");
    if (places.cut_tasks > 0)
        add(counted(places.cut_tasks, "task") + " of the largest group not drawn");
    if (folded.isolated > 0) add(counted(folded.isolated, "isolated task") + " not drawn");
    return words;
}

} // namespace

DisplayList layered(const schedule::BlockAnalysis& analysis, const ViewOptions& options,
                    std::stop_token stop) {
    const ConflictIndex& index = *analysis.index;
    const Theme& theme = *options.theme;
    const std::vector<TaskId> chain = conflict::critical_chain(index);
    GroupSet groups = collect_groups(index, chain);
    const std::size_t isolated = groups.isolated.size();
    const Folded folded = fold_groups(groups, most_groups_drawn);
    const Packing packing = pack_groups(groups, index.level_sizes.size(), stop);
    if (stop.stop_requested()) return {};
    BandPlaces places = place_all(index, groups, packing, folded.kept_of_largest);
    const std::vector<Colour> colours = task_colours(analysis, options);

    // The chain's edges first, then those of the groups in the order of their rows, up to the
    // limit.
    std::vector<bool> on_chain(index.tasks(), false);
    std::vector<TaskId> chain_before(index.tasks(), index.tasks());
    Layer chain_layer, graph;
    std::uint64_t drawn = 0;
    if (options.critical_chain && chain.size() > 1) {
        for (std::size_t i = 0; i < chain.size(); ++i) {
            on_chain[chain[i]] = true;
            if (!places.shown[chain[i]]) --places.cut_tasks; // a cut never takes the chain's tasks
            places.shown[chain[i]] = true;
            if (i == 0 || drawn >= options.edge_limit) continue;
            chain_before[chain[i]] = chain[i - 1];
            chain_layer.lines.push_back(
                {places.at[chain[i - 1]], places.at[chain[i]], theme.critical, chain_width, false});
            ++drawn;
        }
    }
    // Whole groups while they fit; of the first that does not, an even sample, so that no part of
    // it looks as if it had no edges.
    const auto each_edge = [&](const GroupShape& shape, auto visit) {
        for (std::uint32_t i = 0; i < shape.size; ++i) {
            const TaskId t = groups.tasks[shape.first + i];
            if (!places.shown[t]) continue;
            for (const TaskId p : index.predecessors_of(t))
                if (chain_before[t] != p && places.shown[p]) visit(p, t);
        }
    };
    for (const GroupShape& shape : groups.shapes) {
        const std::uint64_t room = options.edge_limit - drawn;
        if (room == 0 || stop.stop_requested()) break;
        std::uint64_t edges = 0, seen = 0;
        each_edge(shape, [&](TaskId, TaskId) { ++edges; });
        each_edge(shape, [&](TaskId p, TaskId t) {
            const std::uint64_t before = seen++;
            if (edges > room && seen * room / edges == before * room / edges) return;
            add_edge(graph.lines, places.at[p], places.at[t], index.level[t] - index.level[p]);
            ++drawn;
        });
    }
    // Where edges are many, those across many levels would cover all others.
    const Colour edge = edge_colour(theme, drawn);
    const Colour far = with_alpha(edge, edge.a / 2);
    const float wide = drawn > faint_edges ? places.width / 8 : places.width;
    for (Line& line : graph.lines) line.colour = line.to.x - line.from.x > wide ? far : edge;
    if (stop.stop_requested()) return {};

    DisplayList list = empty_list(options, {});
    const float chain_pixels = places.node_pixels + 2;
    for (TaskId t = 0; t < index.tasks(); ++t) {
        if (!places.shown[t]) continue;
        const Point at = places.at[t];
        if (on_chain[t])
            chain_layer.boxes.push_back({.rect = {at.x, at.y, chain_pixels, chain_pixels},
                                         .fill = colours[t],
                                         .outline = theme.critical,
                                         .outline_width = 1.5F,
                                         .shape = Shape::circle,
                                         .mark = true});
        else
            graph.boxes.push_back({.rect = {at.x, at.y, places.node_pixels, places.node_pixels},
                                   .fill = colours[t],
                                   .outline = transparent,
                                   .mark = true});
        list.targets.push_back({{at.x, at.y, 0, 0}, t, std::nullopt});
    }
    chain_layer.texts = headings(isolated, places, theme);

    list.world = {0, -band_header, std::max(places.width, canvas_width),
                  band_header + places.height};
    list.coverage = {drawn, index.edges(), "edges", folded_words(folded, places)};
    list.summary = "Layered graph: " + counted(index.tasks(), "task") + " in " +
                   counted(index.level_sizes.size(), "level") + ", " + count_text(isolated) +
                   " isolated, critical path of " + counted(chain.size(), "task") + "; drawing " +
                   count_text(drawn) + " of " + counted(index.edges(), "edge") + ".";
    list.layers.push_back(band_grounds(places, theme));
    list.layers.push_back(std::move(graph));
    list.layers.push_back(std::move(chain_layer));
    finish(list, index.tasks());
    return list;
}

} // namespace blockloom::scene::layout
