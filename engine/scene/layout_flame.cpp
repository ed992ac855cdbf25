// Flame graph: rows of equal height from bottom to top; widths from integer fuel, so that callees
// never exceed their caller.
#include "base/number_text.h"
#include "base/utf8.h"
#include "scene/flame.h"
#include "scene/glyph_faces.h"
#include "scene/layout.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

namespace blockloom::scene {
namespace {

constexpr float flame_row_height = 18, flame_gap = 1, padding = 4;
constexpr float header_height = 26, flame_axis_height = 20;
constexpr double thinnest = 0.5; ///< pixels; thinner callees fold
constexpr std::uint32_t coloured = 8;

/// Advance of a character in the mono face, em: 0.6 in JetBrains Mono, 0.602 in DejaVu Sans Mono;
/// what these lack may be a full em wide.
float advance(char32_t character) noexcept {
    return character < 0x500 || character == U'\u2026' ? 0.602F : 1.0F;
}

/// The text, or its beginning with an ellipsis, in the text face.
std::string cut(std::string text, float room, float pixels) {
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t at = text.size() - rest.size();
        static_cast<void>(next_character(rest));
        if (layout::text_width(std::string_view(text).substr(0, text.size() - rest.size()),
                               pixels) <= room)
            continue;
        text.resize(at);
        return text + "…";
    }
    return text;
}

/// What is drawn of one frame's place in the world.
struct Placed {
    std::uint64_t begin = 0; ///< fuel to its left
    std::uint32_t depth = 0;
    bool drawn = false;
};

/// Lays out and draws one graph.
class Flame {
public:
    Flame(const FlameGraph& graph, const FlameOptions& options)
        : graph_(graph), options_(options), totals_(flame_totals(graph)),
          levels_(levels_of(options)) {
        for (std::size_t i = 0; i < graph.frames.size(); ++i)
            if (graph.frames[i].parent == FlameFrame::no_parent) all_ += totals_[i];
        find_callees();
    }

    FlameView make() {
        place_all();
        FlameView view;
        DisplayList& list = view.list;
        list.background = options_.theme->canvas;
        const float header = options_.title.empty() ? 0 : header_height;
        const float natural =
            header + static_cast<float>(rows_) * flame_row_height + flame_axis_height;
        const float height = std::max(options_.height, natural);
        bottom_ = height - flame_axis_height;
        list.world = {0, 0, options_.width, height};
        for (FlameBox& box : boxes_) box.rect.y = bottom_ - box.rect.y;
        list.layers.push_back(drawn());
        if (header > 0) add_header(list.layers.back());
        add_axis(list.layers.back());
        list.coverage.drawn_edges = drawn_;
        list.coverage.all_edges = graph_.frames.size();
        list.coverage.unit = "frames";
        if (drawn_ < graph_.frames.size())
            list.coverage.folded = counted(graph_.frames.size() - drawn_, "frame") + " merged";
        list.summary = all_ == 0 ? "A flame graph without fuel."
                                 : "Flame graph: " + counted(graph_.frames.size(), "call stack") +
                                       " of " + counted(graph_.functions.size(), "function") +
                                       ", " + count_text(all_) + " fuel.";
        view.boxes = std::move(boxes_);
        return view;
    }

private:
    /// Rows that the height has room for, one of them for folds.
    static std::uint32_t levels_of(const FlameOptions& options) {
        if (options.height <= 0) return options.most_levels;
        const float chrome = flame_axis_height + (options.title.empty() ? 0 : header_height);
        const float rows = std::max(2.0F, (options.height - chrome) / flame_row_height);
        return std::min(options.most_levels, static_cast<std::uint32_t>(rows) - 1);
    }

    /// Callees of each frame in CSR, and the outermost frames: the most fuel first, then by
    /// function, then as they came.
    void find_callees() {
        const std::size_t n = graph_.frames.size();
        begin_.assign(n + 2, 0); // the last list is that of the outermost frames
        const auto list_of = [&](const FlameFrame& f) {
            return f.parent == FlameFrame::no_parent ? n : std::size_t{f.parent};
        };
        for (const FlameFrame& f : graph_.frames) ++begin_[list_of(f) + 1];
        std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
        callees_.resize(n);
        std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
        for (std::uint32_t i = 0; i < n; ++i) callees_[next[list_of(graph_.frames[i])]++] = i;
        for (std::size_t list = 0; list <= n; ++list)
            std::stable_sort(callees_.begin() + begin_[list], callees_.begin() + begin_[list + 1],
                             [&](std::uint32_t a, std::uint32_t b) {
                                 return totals_[a] != totals_[b]
                                            ? totals_[a] > totals_[b]
                                            : graph_.frames[a].function < graph_.frames[b].function;
                             });
    }

    [[nodiscard]] float x(std::uint64_t fuel) const noexcept {
        return static_cast<float>(static_cast<double>(fuel) / static_cast<double>(all_) *
                                  static_cast<double>(options_.width));
    }

    [[nodiscard]] bool wide_enough(std::uint64_t fuel) const noexcept {
        return static_cast<double>(fuel) * static_cast<double>(options_.width) >=
               thinnest * static_cast<double>(all_);
    }

    /// Until `drawn`, a box's y counts up from the bottom to its upper edge.
    [[nodiscard]] Rect rect(std::uint64_t from, std::uint64_t fuel, std::uint32_t depth) {
        rows_ = std::max(rows_, depth + 1);
        return {x(from), static_cast<float>(depth + 1) * flame_row_height, x(from + fuel) - x(from),
                flame_row_height};
    }

    void place_all() {
        if (all_ == 0) return;
        placed_.resize(graph_.frames.size());
        const std::size_t n = graph_.frames.size();
        place_list(n, {0, 0, true}, 0, 0);
        for (std::uint32_t i = 0; i < n; ++i) // callers come before their callees
            if (placed_[i].drawn) place_list(i, placed_[i], i, placed_[i].depth + 1);
    }

    void place_list(std::size_t list, const Placed& caller, std::uint32_t frame,
                    std::uint32_t depth) {
        std::uint64_t at = caller.begin, fuel = 0;
        std::uint32_t folded = 0;
        for (std::uint32_t k = begin_[list]; k < begin_[list + 1]; ++k) {
            const std::uint32_t i = callees_[k];
            if (depth < levels_ && wide_enough(totals_[i])) {
                placed_[i] = {at, depth, true};
                boxes_.push_back({rect(at, totals_[i], depth), i, 0, totals_[i]});
                at += totals_[i];
                ++drawn_;
            } else {
                fuel += totals_[i];
                folded += size_of(i);
            }
        }
        if (folded == 0 || !wide_enough(fuel)) return;
        boxes_.push_back({rect(at, fuel, depth), frame, folded, fuel});
        has_folds_ = true;
    }

    /// Frames in the tree under one, with itself.
    [[nodiscard]] std::uint32_t size_of(std::uint32_t frame) {
        if (sizes_.empty()) {
            sizes_.assign(graph_.frames.size(), 1);
            for (std::size_t i = sizes_.size(); i-- > 0;)
                if (graph_.frames[i].parent != FlameFrame::no_parent)
                    sizes_[graph_.frames[i].parent] += sizes_[i];
        }
        return sizes_[frame];
    }

    [[nodiscard]] Layer drawn() const {
        const Theme& theme = *options_.theme;
        Layer layer;
        for (const FlameBox& box : boxes_) {
            Rect inside = box.rect;
            inside.height -= flame_gap;
            if (inside.width >= 3) inside.width -= flame_gap;
            if (box.folded > 0) {
                layer.boxes.push_back({.rect = inside,
                                       .fill = transparent,
                                       .outline = theme.text3,
                                       .outline_width = 1,
                                       .hatched = true});
                continue;
            }
            const std::uint32_t function = graph_.frames[box.frame].function;
            const Colour fill = flame_colour(theme, function);
            layer.boxes.push_back({.rect = inside, .fill = fill, .outline = transparent});
            std::string label = flame_label(graph_.functions[function], inside.width - 2 * padding);
            if (label.empty()) continue;
            layer.texts.push_back({{inside.x + padding, inside.y + inside.height / 2},
                                   std::move(label),
                                   label_colour(fill),
                                   layout::text_pixels,
                                   Anchor::left,
                                   Face::mono});
        }
        return layer;
    }

    /// Black or white, whichever stands out more: at least 4.5:1 on any ground.
    static Colour label_colour(Colour ground) noexcept {
        const Colour black = light_theme().pick, white = dark_theme().pick;
        return contrast(black, ground) >= contrast(white, ground) ? black : white;
    }

    void add_header(Layer& layer) const {
        const Theme& theme = *options_.theme;
        constexpr float heading = 13, middle = 8;
        layer.texts.push_back({{0, middle},
                               cut(options_.title, options_.width, heading),
                               theme.text,
                               heading,
                               Anchor::left,
                               Face::medium});
    }

    /// Below the frames: what width and height mean.
    void add_axis(Layer& layer) const {
        const Theme& theme = *options_.theme;
        const float middle = bottom_ + flame_axis_height / 2 + 2;
        const std::string all = count_text(all_) + " fuel";
        layer.lines.push_back(
            {{0, bottom_}, {options_.width, bottom_}, theme.control_border, 1, false});
        layer.texts.push_back({{options_.width, middle},
                               all,
                               theme.text2,
                               layout::text_pixels,
                               Anchor::right,
                               Face::text});
        const float room =
            options_.width - layout::text_width(all, layout::text_pixels) - 2 * flame_row_height;
        std::string words = "Width: fuel with callees.";
        const auto add = [&](bool wanted, const char* sentence) {
            if (wanted && layout::text_width(words + sentence, layout::text_pixels) <= room)
                words += sentence;
        };
        add(true, " Callers below.");
        add(has_folds_, " Hatched: several small ones merged.");
        add(graph_.functions.size() > coloured, " Coloured: functions with the most own fuel.");
        words = cut(std::move(words), room, layout::text_pixels);
        layer.texts.push_back({{0, middle},
                               std::move(words),
                               theme.text3,
                               layout::text_pixels,
                               Anchor::left,
                               Face::text});
    }

    const FlameGraph& graph_;
    const FlameOptions& options_;
    std::vector<std::uint64_t> totals_;
    std::uint32_t levels_;
    std::uint64_t all_ = 0, drawn_ = 0;
    std::vector<std::uint32_t> begin_, callees_, sizes_;
    std::vector<Placed> placed_;
    std::vector<FlameBox> boxes_;
    std::uint32_t rows_ = 1;
    float bottom_ = 0;
    bool has_folds_ = false;
};

} // namespace

std::vector<std::uint64_t> flame_totals(const FlameGraph& graph) {
    std::vector<std::uint64_t> totals;
    totals.reserve(graph.frames.size());
    for (const FlameFrame& frame : graph.frames) totals.push_back(frame.self);
    for (std::size_t i = totals.size(); i-- > 0;) // callees come after their callers
        if (graph.frames[i].parent != FlameFrame::no_parent)
            totals[graph.frames[i].parent] += totals[i];
    return totals;
}

Colour flame_colour(const Theme& theme, std::uint32_t function) noexcept {
    static constexpr std::array<std::size_t, coloured> order{4, 1, 6, 3, 0, 5, 2, 7};
    return function < coloured ? theme.ramp[order[function]] : theme.control_border;
}

std::string flame_label(const std::string& name, float width) {
    constexpr float pixels = layout::text_pixels;
    const float ellipsis = advance(U'\u2026') * pixels;
    std::string_view rest = name;
    float used = 0;
    std::size_t characters = 0, fits = 0, fitting = 0; // what fits with an ellipsis after it
    while (!rest.empty()) {
        used += advance(next_character(rest)) * pixels;
        ++characters;
        if (used + ellipsis <= width) {
            fits = name.size() - rest.size();
            fitting = characters;
        }
        if (used > width) return fitting < 2 ? std::string() : name.substr(0, fits) + "…";
    }
    return name;
}

FlameView make_flame(const FlameGraph& graph, const FlameOptions& options) {
    return Flame(graph, options).make();
}

} // namespace blockloom::scene
