// Adjacency matrix of the conflict pairs: a correct batching leaves its diagonal blocks empty.
#include "base/number_text.h"
#include "scene/matrix_marks.h"

#include <algorithm>
#include <cmath>

namespace blockloom::scene::layout {
namespace {

constexpr float side_pixels = canvas_height - 40; ///< of the square, at "fit" on the planned canvas
constexpr float low_canvas = 200;                 ///< height of the panel in the smallest window
constexpr std::uint32_t most_blocks = 3'000;      ///< diagonal blocks that are drawn
constexpr std::uint32_t most_separators = 240;
constexpr float cross_pixels = 9;

/// A run of places that hold one batch.
struct Run {
    std::uint32_t batch, begin, end;
    [[nodiscard]] std::uint32_t size() const noexcept { return end - begin; }
};

std::vector<Run> runs_of(const MatrixAxis& axis) {
    std::vector<Run> runs;
    const auto n = static_cast<std::uint32_t>(axis.at.size());
    for (std::uint32_t p = 0; p < n; ++p) {
        const std::uint32_t batch = axis.batch[axis.at[p]];
        if (runs.empty() || runs.back().batch != batch) runs.push_back({batch, p, p});
        runs.back().end = p + 1;
    }
    return runs;
}

/// Everything about size: places are world units.
struct Frame {
    float n = 1, pixel = 1; ///< world units of a planned pixel
    [[nodiscard]] float px(float pixels) const noexcept { return pixels * pixel; }
};

void add_blocks(const std::vector<Run>& runs, const MatrixAxis& axis, const Frame& frame,
                const Theme& theme, Layer& ground, Layer& blocks) {
    if (runs.size() <= most_separators)
        for (const Run& run : runs) {
            if (run.begin == 0) continue;
            const auto at = static_cast<float>(run.begin);
            ground.lines.push_back({{at, 0}, {at, frame.n}, theme.grid, 1, false});
            ground.lines.push_back({{0, at}, {frame.n, at}, theme.grid, 1, false});
        }
    if (runs.size() > most_blocks) return;
    for (const Run& run : runs) {
        const auto at = static_cast<float>(run.begin), size = static_cast<float>(run.size());
        blocks.boxes.push_back({.rect = {at, at, size, size},
                                .fill = theme.panel,
                                .outline = theme.ordinal(run.batch, axis.batches),
                                .outline_width = size >= frame.px(24) ? 1.5F : 1.0F});
    }
}

/// Bars of the batches along both axes.
void add_margins(const std::vector<Run>& runs, const MatrixAxis& axis, const Frame& frame,
                 const Theme& theme, Layer& layer) {
    const float bar = frame.px(5), off = frame.px(8);
    // Neighbours that are thinner than a pixel share one bar: in index order there may be as many
    // runs as tasks.
    std::uint32_t begin = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const bool last = i + 1 == runs.size();
        if (!last && static_cast<float>(runs[i].end - begin) < frame.px(1)) continue;
        const auto from = static_cast<float>(begin), size = static_cast<float>(runs[i].end - begin);
        const Colour colour = theme.ordinal(runs[i].batch, axis.batches);
        layer.boxes.push_back(
            {.rect = {from, -off, size, bar}, .fill = colour, .outline = transparent});
        layer.boxes.push_back(
            {.rect = {-off, from, bar, size}, .fill = colour, .outline = transparent});
        begin = runs[i].end;
    }
}

/// The numbers of the batches along both axes, where a world unit has at least `scale` pixels.
/// False: some are left out because there they would touch.
bool add_labels(const std::vector<Run>& runs, const MatrixAxis& axis, const Frame& frame,
                float scale, const Theme& theme, Layer& layer) {
    const auto wide = [scale](std::string_view text) {
        return text_width(text, text_pixels) / scale;
    };
    std::vector<AxisLabel> labels;
    std::vector<float> across, down;
    const std::string word = axis.colouring ? "colour " : "level ";
    const auto add = [&](float at, std::string label) {
        across.push_back(wide(label));
        down.push_back(text_pixels / scale);
        labels.push_back({at, std::move(label)});
    };
    if (axis.blocks) {
        for (const Run& run : runs) {
            std::string label = count_text(run.batch + 1);
            if (labels.empty()) {
                label = word + label;
                if (const std::string longer = label + " · " + counted(run.size(), "task");
                    wide(longer) < static_cast<float>(run.size()))
                    label = longer;
            }
            add(static_cast<float>(run.begin + run.end) / 2, std::move(label));
        }
    } else {
        add(frame.px(20), "task 0");
        add(frame.n - frame.px(8), count_text(axis.at.size() - 1));
    }
    const auto columns = thin(labels, across, 10 / scale), rows = thin(labels, down, 3 / scale);
    for (const std::size_t i : columns)
        layer.texts.push_back({{labels[i].at, -frame.px(18)},
                               labels[i].text,
                               theme.text2,
                               text_pixels,
                               Anchor::centre,
                               Face::text});
    for (const std::size_t i : rows) {
        const std::string& whole = labels[i].text;
        layer.texts.push_back({{-frame.px(13), labels[i].at},
                               i == 0 && axis.blocks ? "1" : whole.substr(0, whole.find(" · ")),
                               theme.text2,
                               text_pixels,
                               Anchor::right,
                               Face::text});
    }
    return columns.size() == labels.size() && rows.size() == labels.size();
}

/// "Fit" and zoom scale the matrix, but not its texts: each step of the zoom has its own labels,
/// from those for the smallest window to all of them.
void add_label_steps(const std::vector<Run>& runs, const MatrixAxis& axis, const Frame& frame,
                     const Theme& theme, std::vector<Layer>& layers) {
    constexpr float step = 1.25F;
    constexpr int most_steps = 24;
    float scale = low_canvas / canvas_height / frame.pixel;
    for (int i = 0; i < most_steps; ++i, scale *= step) {
        Layer layer;
        if (i != 0) layer.zooms.from = scale;
        const bool all = add_labels(runs, axis, frame, scale, theme, layer);
        if (!all && i + 1 < most_steps) layer.zooms.below = scale * step;
        layers.push_back(std::move(layer));
        if (all) return;
    }
}

void add_marks(const MatrixMarks& marks, const Frame& frame, const Theme& theme, Layer& layer) {
    if (marks.cell > 0) {
        const auto cell = static_cast<float>(marks.cell);
        for (std::uint32_t row = 0; row < marks.cells_a_side; ++row)
            for (std::uint32_t column = 0; column < marks.cells_a_side; ++column) {
                const float share = marks.density[std::size_t{row} * marks.cells_a_side + column];
                if (share <= 0) continue;
                // Sparse squares must not vanish: a third of the shade is the minimum.
                const auto alpha = static_cast<std::uint8_t>(85 + 170 * std::sqrt(share));
                const float x = static_cast<float>(column) * cell,
                            y = static_cast<float>(row) * cell;
                layer.boxes.push_back(
                    {.rect = {x, y, std::min(cell, frame.n - x), std::min(cell, frame.n - y)},
                     .fill = with_alpha(theme.text2, alpha),
                     .outline = transparent});
            }
        return;
    }
    // Large cells contain boxes that grow with the zoom; small ones contain marks that stay
    // visible.
    const float cell_pixels = 1 / frame.pixel;
    const bool boxes = cell_pixels >= 4;
    const float inset = boxes ? std::min(0.12F, 1 / cell_pixels) : 0;
    const float share = 0.4F * side_pixels * side_pixels /
                        static_cast<float>(std::max<std::size_t>(2 * marks.pairs.size(), 1));
    const float pixels = std::clamp(std::sqrt(share), 1.5F, 3.5F);
    const auto add = [&](std::uint32_t row, std::uint32_t column) {
        const auto x = static_cast<float>(column), y = static_cast<float>(row);
        if (boxes)
            layer.boxes.push_back({.rect = {x + inset, y + inset, 1 - 2 * inset, 1 - 2 * inset},
                                   .fill = theme.text2,
                                   .outline = transparent});
        else
            layer.boxes.push_back({.rect = {x + 0.5F, y + 0.5F, pixels, pixels},
                                   .fill = theme.text2,
                                   .outline = transparent,
                                   .mark = true});
    };
    for (const auto& [row, column] : marks.pairs) {
        add(row, column);
        add(column, row);
    }
}

/// Red crosses, two lines each, on both halves.
void add_crosses(const MatrixMarks& marks, const Frame& frame, const Theme& theme, Layer& layer) {
    const float half = std::max(frame.px(cross_pixels) / 2, 0.4F);
    const auto add = [&](std::uint32_t row, std::uint32_t column) {
        const float x = static_cast<float>(column) + 0.5F, y = static_cast<float>(row) + 0.5F;
        layer.lines.push_back({{x - half, y - half}, {x + half, y + half}, theme.error, 2, false});
        layer.lines.push_back({{x - half, y + half}, {x + half, y - half}, theme.error, 2, false});
    };
    for (const auto& [row, column] : marks.inside) {
        add(row, column);
        add(column, row);
    }
}

/// A caption in the largest block that explains why it is empty.
void add_caption(const std::vector<Run>& runs, const MatrixAxis& axis, const MatrixMarks& marks,
                 bool waits_only, const Frame& frame, const Theme& theme, Layer& layer) {
    if (!axis.blocks || runs.empty() || marks.inside_count > 0) return;
    const Run& run = *std::max_element(
        runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.size() < b.size(); });
    const std::string name = (axis.colouring ? "Colour " : "Level ") + count_text(run.batch + 1);
    // Under multi-version tasks of a level may share keys: none reads what another writes before.
    const std::string title = name + (waits_only ? "" : ": empty diagonal block");
    const std::string detail = counted(run.size(), "task") +
                               (waits_only ? ", none depends on another" : " without a conflict");
    if (text_width(detail, text_pixels) * frame.pixel > static_cast<float>(run.size()) * 0.9F)
        return;
    // Above the diagonal, where the selected task may stand.
    const auto size = static_cast<float>(run.size());
    const float middle = static_cast<float>(run.begin) + size / 2;
    const float top = static_cast<float>(run.begin) + size * 0.2F;
    layer.texts.push_back(
        {{middle, top - frame.px(13)}, title, theme.text, 12, Anchor::centre, Face::medium});
    layer.texts.push_back({{middle, top + frame.px(13)},
                           detail,
                           theme.text2,
                           text_pixels,
                           Anchor::centre,
                           Face::text});
}

std::string words(const MatrixAxis& axis, const MatrixMarks& marks) {
    std::string text =
        "Conflict matrix of " + counted(axis.at.size(), "task") + ", " + counted(marks.all, "pair");
    if (!axis.blocks) return text + ", in block order.";
    text += ", in " + count_text(axis.batches) + (axis.colouring ? " colour class" : " level");
    if (axis.batches != 1) text += axis.colouring ? "es" : "s";
    return text +
           (marks.inside_count == 0 ? "; no conflicts"
                                    : "; " + counted(marks.inside_count, "conflict")) +
           " inside a " + (axis.colouring ? "class." : "level.");
}

} // namespace

DisplayList matrix(const schedule::BlockAnalysis& analysis, const ViewOptions& options,
                   std::stop_token stop) {
    const Theme& theme = *options.theme;
    const MatrixAxis axis = matrix_axis(analysis, options.order);
    const MatrixMarks marks = matrix_marks(analysis, axis, stop);
    if (marks.cancelled) return {};
    const auto tasks = static_cast<std::uint32_t>(axis.at.size());
    const Frame frame{static_cast<float>(tasks), static_cast<float>(tasks) / side_pixels};
    const std::vector<Run> runs = runs_of(axis);

    DisplayList list = empty_list(options, words(axis, marks));
    list.keep_aspect = true;
    const bool waits_only =
        !axis.colouring && analysis.index->model == conflict::ConflictModel::multi_version;
    Layer ground, dots, blocks, top;
    ground.boxes.push_back({.rect = {0, 0, frame.n, frame.n},
                            .fill = transparent,
                            .outline = theme.grid,
                            .outline_width = 1});
    // Over the marks, which are larger than small cells and would hide that the blocks are empty;
    // under them where tasks of a block may share keys.
    if (axis.blocks) add_blocks(runs, axis, frame, theme, ground, waits_only ? ground : blocks);
    add_margins(runs, axis, frame, theme, ground);
    add_marks(marks, frame, theme, dots);
    add_crosses(marks, frame, theme, top);
    add_caption(runs, axis, marks, waits_only, frame, theme, top);
    list.layers.push_back(std::move(ground));
    list.layers.push_back(std::move(dots));
    list.layers.push_back(std::move(blocks));
    list.layers.push_back(std::move(top));
    add_label_steps(runs, axis, frame, theme, list.layers);

    // A row picks its task, the bar above a column that column's.
    for (std::uint32_t p = 0; p < tasks; ++p)
        list.targets.push_back(
            {{-frame.px(30), static_cast<float>(p), frame.n + frame.px(30), 1}, axis.at[p], {}});
    for (std::uint32_t p = 0; p < tasks; ++p)
        list.targets.push_back(
            {{static_cast<float>(p), -frame.px(26), 1, frame.px(26)}, axis.at[p], {}});
    list.world = {-frame.px(44), -frame.px(28), frame.n + frame.px(46), frame.n + frame.px(30)};
    list.coverage = {marks.all, marks.all, "pairs", {}};
    if (marks.cell > 0)
        list.coverage.folded = "each cell covers " + std::to_string(marks.cell) + " × " +
                               std::to_string(marks.cell) + " tasks";
    if (axis.blocks) list.marks_inside_blocks = marks.inside_count;
    // A row's target crosses the whole width: one column of buckets over the rows alone, the bars
    // above fall to the first.
    finish(list, tasks, 1, std::clamp(tasks, 1U, 4096U), {0, 0, frame.n, frame.n});
    return list;
}

} // namespace blockloom::scene::layout
