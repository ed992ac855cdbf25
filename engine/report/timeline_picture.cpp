#include "report/timeline_picture.h"

#include "base/number_text.h"
#include "base/utf8.h"
#include "report/csv.h"
#include "scene/arrow.h"
#include "scene/legend_signs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace blockloom::report {
namespace {

using profile::Category;
using profile::SpanRef;
using profile::TimelineItem;
using scene::Anchor;
using scene::Box;
using scene::Colour;
using scene::Face;
using Kind = TimelineBand::Kind;

constexpr float picture_text = 11, padding = 4, bar_height = 16;

/// An upper estimate of a text's width: the digits of the text face are 0.56 em wide.
float wide(std::string_view text, float pixels = picture_text) {
    return static_cast<float>(utf8_length(text)) * 0.575F * pixels;
}

/// As much as fits, with an ellipsis if it is cut. Letters are narrower than digits on average.
std::string cut(std::string text, float room) {
    constexpr float narrower = 0.85F;
    if (wide(text) * narrower <= room) return text;
    while (!text.empty() && wide(text) * narrower + picture_text > room)
        text.resize(utf8_beginning(text, text.size() - 1).size());
    return text.empty() ? text : text + "…";
}

Colour label_on(Colour ground) {
    const Colour black = scene::light_theme().pick, white = scene::dark_theme().pick;
    return scene::contrast(black, ground) >= scene::contrast(white, ground) ? black : white;
}

class Drawing {
public:
    Drawing(const profile::Timeline& timeline, const TimelineView& view, const TimelineMarks& marks,
            const scene::Theme& theme)
        : timeline_(timeline), view_(view), marks_(marks), theme_(theme),
          bands_(timeline_bands(timeline, view)), left_(static_cast<float>(view.left())),
          right_(static_cast<float>(view.right())) {
        for (std::size_t i = 0; i < timeline.names().size(); ++i)
            colours_.push_back(span_colour(static_cast<std::uint16_t>(i), theme));
    }

    scene::DisplayList make() {
        scene::DisplayList list;
        list.background = theme_.canvas;
        list.world = {0, 0, view_.width, view_.height};
        const profile::TimeRange measured = marks_.selected.value_or(view_.shown);
        for (const TimelineBand& band : bands_) {
            const float y = timeline_ruler + band.y - view_.scroll;
            if (y + band.height <= timeline_ruler || y >= view_.height) continue;
            switch (band.kind) {
            case Kind::group:
                draw_head(band, y, measured);
                break;
            case Kind::strip:
                draw_strip(timeline_.groups()[band.index], y, band.height);
                break;
            case Kind::row:
                draw_row(band, y, measured);
                break;
            case Kind::counter:
                draw_counter(band, y);
                break;
            }
        }
        draw_waited();
        draw_selected();
        draw_ruler();
        list.coverage = coverage_;
        list.coverage.unit = "spans";
        if (folded_ > 0) list.coverage.folded = counted(folded_, "merged block");
        list.summary = fmt::format(
            "Timeline: {} of {} shown, {} of {} in {}.", time_text(view_.shown.length()),
            time_text(timeline_.duration()), count_text(coverage_.all_edges),
            counted(timeline_.span_count(), "span"), counted(timeline_.row_count(), "lane"));
        list.layers = {std::move(ground_), std::move(labels_), std::move(over_), std::move(top_)};
        return list;
    }

private:
    [[nodiscard]] float x(Nanoseconds time) const { return static_cast<float>(view_.x(time)); }
    static void fill(scene::Layer& layer, scene::Rect rect, Colour colour) {
        layer.boxes.push_back({.rect = rect, .fill = colour, .outline = scene::transparent});
    }
    static void write(scene::Layer& layer, float x, float y, std::string text, Colour colour,
                      Anchor anchor = Anchor::left, Face face = Face::text) {
        layer.texts.push_back({{x, y}, std::move(text), colour, picture_text, anchor, face});
    }

    void draw_head(const TimelineBand& band, float y, profile::TimeRange measured) {
        fill(ground_, {0, y + 1, view_.width, band.height - 2}, theme_.raised);
        const float middle = y + band.height / 2;
        const bool counters = band.index == timeline_.groups().size();
        const std::string sign = view_.is_closed(band.index) ? "▸  " : "▾  ";
        const std::string name = counters ? "Counters" : timeline_.groups()[band.index].name;
        std::string about;
        if (!counters) {
            const profile::TimelineGroup& group = timeline_.groups()[band.index];
            const std::string busy = percent_text(timeline_.busy_share(group, measured)) + " busy";
            about = group.waves    ? counted(group.lanes, "wave") + " at once · " + busy
                    : group.device ? "by its own clock, converted to the host's · " + busy
                                   : counted(group.lanes, "worker") + " · " + busy;
        }
        const float room = view_.width - wide(about) - 36;
        write(labels_, 8, middle, cut(sign + name, room), theme_.text, Anchor::left, Face::medium);
        if (room > 60)
            write(labels_, view_.width - timeline_right, middle, about, theme_.text2,
                  Anchor::right);
    }

    /// All lanes of a closed group as one strip that shows how busy they are.
    void draw_strip(const profile::TimelineGroup& group, float y, float height) {
        constexpr float part = 3;
        const auto parts = static_cast<std::size_t>((right_ - left_) / part);
        const auto shares = timeline_.busy_shares(group, view_.shown, parts);
        const float step = (right_ - left_) / static_cast<float>(std::max<std::size_t>(parts, 1));
        for (std::size_t i = 0; i < shares.size(); ++i) {
            const float tall = shares[i] * (height - 6);
            if (tall < 0.5F) continue;
            fill(ground_,
                 {left_ + static_cast<float>(i) * step, y + height - 3 - tall, step - 1, tall},
                 theme_.control_border);
        }
        write(labels_, 24, y + height / 2, counted(group.rows, "lane") + ", busy", theme_.text3);
    }

    void draw_row(const TimelineBand& band, float y, profile::TimeRange measured) {
        const profile::TimelineRow& row = timeline_.row(band.index);
        const float middle = y + 2 + bar_height / 2;
        if (row.depth == 0) {
            ground_.lines.push_back({{0, y}, {view_.width, y}, theme_.grid, 1, false});
            const double share = static_cast<double>(timeline_.busy(band.index, measured)) /
                                 static_cast<double>(std::max<Nanoseconds>(measured.length(), 1));
            const std::string busy = fmt::format("{:.0f} %", share * 100);
            write(labels_, 24, middle, cut(row.name, left_ - 24 - 44), theme_.text);
            write(labels_, left_ - 10, middle, busy, theme_.text2, Anchor::right);
        }
        items_.clear();
        timeline_.items(band.index, view_.shown, view_.least(), items_);
        for (const TimelineItem& item : items_) draw_item(band.index, item, y + 2);
        for (const SpanRef at : marks_.picked)
            if (at.row == band.index) outline(at, y + 2, theme_.pick);
        if (marks_.focused && marks_.focused->row == band.index)
            outline(*marks_.focused, y + 2, theme_.accent);
    }

    void draw_item(std::size_t row, const TimelineItem& item, float y) {
        const float from = std::max(x(item.time.begin), left_);
        float width = std::max(std::min(x(item.time.end), right_) - from, 1.0F);
        if (width >= 3) width -= 1;
        const scene::Rect rect{from, y, width, bar_height};
        coverage_.all_edges += item.count;
        const std::uint64_t marked =
            marks_.brushed ? marks_.brushed->count_in(row, item.first, item.count) : 0;
        if (item.folded()) {
            ++folded_;
            // A plain box where no stripe would be visible, which is most of what is drawn.
            const bool narrow = width < 6;
            ground_.boxes.push_back({.rect = rect,
                                     .fill = narrow ? theme_.control_border : theme_.raised,
                                     .outline = narrow ? scene::transparent : theme_.control_border,
                                     .outline_width = narrow ? 0.0F : 1.0F,
                                     .hatched = !narrow});
            if (marked > 0) {
                const float share = static_cast<float>(marked) / static_cast<float>(item.count);
                fill(ground_, {from, y + bar_height - 4, std::max(width * share, 2.0F), 4},
                     theme_.pick);
            }
            const std::string count = count_text(item.count);
            const float room = wide(count) + 2 * padding;
            if (room > width) return;
            fill(labels_, {from + (width - room) / 2, y + 1, room, bar_height - 2}, theme_.raised);
            write(labels_, from + width / 2, y + bar_height / 2, count, theme_.text2,
                  Anchor::centre);
            return;
        }
        ++coverage_.drawn_edges;
        const profile::Span& span = timeline_.spans(row)[item.first];
        const std::string& name = timeline_.names()[span.name];
        // Waits of the driver have the names of the phases that it waits for.
        const bool of_phase = span.category == Category::wait && name != "waiting";
        const Colour colour = marked > 0 ? theme_.pick
                              : of_phase ? theme_.line
                                         : colours_[span.name];
        fill(ground_, rect, colour);
        // The name if it fits completely, with the task or block number if there is room.
        if (wide(name) + 2 * padding > width) return;
        std::string label = name;
        if (span.wave() != 0)
            label += fmt::format(" {}", span.wave());
        else if (span.task != profile::none)
            label += fmt::format(" {}", span.task);
        else if (const auto height = timeline_.height_of(span))
            label += fmt::format(" {}", *height);
        if (wide(label) + 2 * padding > width) label = name;
        write(labels_, from + padding, y + bar_height / 2, std::move(label), label_on(colour));
    }

    void outline(SpanRef at, float y, Colour colour) {
        const profile::Span& span = timeline_.span(at);
        if (span.end < view_.shown.begin || span.begin > view_.shown.end) return;
        const float from = std::max(x(span.begin), left_);
        const float width = std::max(std::min(x(span.end), right_) - from, 2.0F);
        const scene::Rect rect{from - 2, y - 2, width + 4, bar_height + 4};
        over_.boxes.push_back({.rect = {rect.x - 2, rect.y - 2, rect.width + 4, rect.height + 4},
                               .fill = scene::transparent,
                               .outline = theme_.canvas,
                               .outline_width = 2});
        over_.boxes.push_back(
            {.rect = rect, .fill = scene::transparent, .outline = colour, .outline_width = 2});
    }

    void draw_counter(const TimelineBand& band, float y) {
        ground_.lines.push_back({{0, y}, {view_.width, y}, theme_.grid, 1, false});
        const profile::CounterStep bounds = timeline_.counter_bounds(band.index);
        const std::string& unit = timeline_.counter_unit(band.index);
        const auto in_words = [&](std::int64_t value) {
            if (unit == "bytes" && value >= 0) return size_text(static_cast<std::uint64_t>(value));
            const std::string sign = value < 0 ? "−" : "";
            const std::string text =
                sign + count_text(static_cast<std::uint64_t>(value < 0 ? -(value + 1) : value) +
                                  (value < 0 ? 1 : 0));
            return unit.empty() ? text : text + " " + unit;
        };
        write(labels_, 24, y + 13, cut(timeline_.counter_name(band.index), left_ - 28),
              theme_.text);
        write(labels_, 24, y + 28, cut("max. " + in_words(bounds.high), left_ - 28), theme_.text2);
        constexpr float part = 2;
        const auto parts = static_cast<std::size_t>((right_ - left_) / part);
        const auto steps = timeline_.counter_steps(band.index, view_.shown, parts);
        const auto room = static_cast<double>(band.height - 10);
        const double scale =
            room /
            std::max(static_cast<double>(bounds.high) - static_cast<double>(bounds.low), 1.0);
        const auto place = [&](std::int64_t value) {
            return y + band.height - 5 -
                   static_cast<float>(
                       (static_cast<double>(value) - static_cast<double>(bounds.low)) * scale);
        };
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const float upper = place(steps[i].high);
            fill(ground_,
                 {left_ + static_cast<float>(i) * part, upper - 0.75F, part,
                  place(steps[i].low) - upper + 1.5F},
                 theme_.accent);
        }
    }

    /// An arrow to a bar outside the picture ends where the bar would be.
    void draw_waited() {
        const auto middle = [&](std::uint32_t row) -> std::optional<float> {
            for (const TimelineBand& band : bands_)
                if (band.kind == Kind::row && band.index == row)
                    return timeline_ruler + band.y - view_.scroll + 2 + bar_height / 2;
            return std::nullopt;
        };
        for (const TimelineArrow& arrow : marks_.waited) {
            const auto from = middle(arrow.from_row), to = middle(arrow.to_row);
            if (!from || !to || (arrow.from < view_.shown.begin && arrow.to < view_.shown.begin) ||
                (arrow.from > view_.shown.end && arrow.to > view_.shown.end))
                continue;
            scene::add_arrow(over_, {std::clamp(x(arrow.from), left_, right_), *from},
                             {std::clamp(x(arrow.to), left_, right_), *to}, theme_.accent,
                             arrow.worker);
        }
    }

    void draw_selected() {
        if (!marks_.selected) return;
        const float from = std::clamp(x(marks_.selected->begin), left_, right_);
        const float to = std::clamp(x(marks_.selected->end), left_, right_);
        if (to <= from) return;
        fill(over_, {from, timeline_ruler, to - from, view_.height - timeline_ruler},
             scene::with_alpha(theme_.accent, 40));
        for (const float edge : {from, to})
            over_.boxes.push_back(
                {.rect = {edge - 0.5F, timeline_ruler, 1, view_.height - timeline_ruler},
                 .fill = theme_.accent,
                 .outline = scene::transparent});
    }

    void draw_ruler() {
        fill(top_, {0, 0, view_.width, timeline_ruler}, theme_.panel);
        const float base = timeline_ruler - 1;
        fill(top_, {left_, base, right_ - left_, 1}, theme_.control_border);
        scene::Layer numbers; // over the ground, and under the length of the selection
        const TimeTicks axis = time_ticks(view_);
        const std::string first =
            axis.from.empty() ? "time, " + axis.unit : axis.from + " " + axis.unit;
        write(top_, left_ - 10, timeline_ruler / 2, first, theme_.text2, Anchor::right);
        const float from = marks_.selected ? x(marks_.selected->begin) : 0;
        const float to = marks_.selected ? x(marks_.selected->end) : 0;
        const float begin = std::clamp(from, left_, right_), end = std::clamp(to, left_, right_);
        scene::Rect words;
        std::string length;
        if (marks_.selected && to > from) {
            length = time_text(marks_.selected->length()) + " selected";
            const float room = wide(length) + 2 * padding;
            const float middle = std::clamp((begin + end) / 2, left_ + room / 2, right_ - room / 2);
            words = {middle - room / 2, 4, room, 18};
            if (end - begin > room) words = {begin, 4, end - begin, 18};
        }
        for (const TimeTick& tick : axis.ticks) {
            const float at = x(tick.at);
            if (at < left_ || at > right_) continue;
            fill(top_, {at, base - 4, 1, 4}, theme_.control_border);
            const float half = wide(tick.text) / 2;
            if (words.width > 0 && at + half > words.x - 4 && at - half < words.x + words.width + 4)
                continue;
            if (at - half < left_ - 8 || at + half > view_.width) continue;
            write(top_, at, timeline_ruler / 2 - 1, tick.text, theme_.text2, Anchor::centre);
        }
        if (words.width <= 0) return;
        const bool seen = to > left_ && from < right_;
        if (seen) fill(top_, {begin, base - 3, std::max(end - begin, 1.0F), 3}, theme_.button_fill);
        fill(top_, words, theme_.button_fill);
        write(top_, words.x + words.width / 2, words.y + 9, std::move(length), theme_.button_text,
              Anchor::centre);
    }

    const profile::Timeline& timeline_;
    const TimelineView& view_;
    const TimelineMarks& marks_;
    const scene::Theme& theme_;
    std::vector<TimelineBand> bands_;
    float left_, right_;
    std::vector<Colour> colours_; ///< by name
    std::vector<TimelineItem> items_;
    scene::Layer ground_, labels_, over_, top_;
    scene::Coverage coverage_;
    std::uint64_t folded_ = 0;
};

} // namespace

scene::DisplayList draw_timeline(const profile::Timeline& timeline, const TimelineView& view,
                                 const TimelineMarks& marks, const scene::Theme& theme) {
    return Drawing(timeline, view, marks, theme).make();
}

Colour span_colour(std::uint16_t name, const scene::Theme& theme) {
    // As execute::Phase and execute::SpanName number them; a colour for each (ui.test_promises).
    // Those after them are compilations, each with its contract's name: they share one.
    return name < theme.kinds.size() ? theme.kinds[name] : theme.accent;
}

std::vector<scene::OverlayLegend> timeline_legend(const profile::Timeline& timeline,
                                                  const TimelineMarks& marks,
                                                  const scene::Theme& theme) {
    using Sign = scene::OverlayLegend::Sign;
    std::vector<scene::OverlayLegend> legend;
    const auto add = [&](Sign sign, Colour colour, std::string label) {
        legend.push_back({sign, colour, std::move(label), {}, {}});
    };
    bool compiles = false;
    for (std::size_t name = 0; name < timeline.names().size(); ++name) {
        if (!timeline.is_used(name)) continue;
        // In recordings of older versions, which had fewer kinds, they come earlier.
        const std::string& text = timeline.names()[name];
        const bool is_compilation =
            name >= theme.kinds.size() || text.starts_with("compile ") || text.starts_with("load ");
        if (is_compilation && std::exchange(compiles, true)) continue;
        add(Sign::filled, span_colour(static_cast<std::uint16_t>(name), theme),
            is_compilation ? "compilation of a contract" : text);
    }
    add(Sign::hatched, theme.control_border,
        "several spans under 3 px, with their count; plain if narrow");
    if (marks.brushed && marks.brushed->count() > 0)
        add(Sign::filled, theme.pick, count_text(marks.brushed->count()) + " marked");
    if (!marks.picked.empty()) add(Sign::selected, theme.pick, "selected task");
    const auto worker = [](const TimelineArrow& arrow) { return arrow.worker; };
    if (!std::all_of(marks.waited.begin(), marks.waited.end(), worker))
        add(Sign::line, theme.accent, "dependency it waited for");
    if (std::any_of(marks.waited.begin(), marks.waited.end(), worker))
        add(Sign::dashed_line, theme.accent, "waited for a free worker");
    return legend;
}

scene::FrameRequest timeline_request(const profile::Timeline& timeline, const TimelineView& view,
                                     const TimelineMarks& marks, const scene::Theme& theme,
                                     const std::string& title, bool legend) {
    scene::FrameRequest request;
    request.width = static_cast<int>(view.width);
    request.height = static_cast<int>(view.height);
    request.camera = {static_cast<double>(view.width) / 2, static_cast<double>(view.height) / 2, 1,
                      1};
    const auto signs = timeline_legend(timeline, marks, theme);
    const auto rows = [&](float top, const std::string& coverage) {
        return scene::legend_rows(signs, title, coverage, theme, view.width, top);
    };
    TimelineView above = view;
    // The words are those of the list, whose height is what the words leave.
    const std::string longest = fmt::format("Drawing {0} of {0} spans", timeline.span_count());
    if (legend) above.height = std::max(view.height - rows(0, longest).height, timeline_ruler);
    auto list =
        std::make_shared<const scene::DisplayList>(draw_timeline(timeline, above, marks, theme));
    if (legend) {
        scene::LegendRows below = rows(
            above.height, fmt::format("Drawing {} of {}", count_text(list->coverage.drawn_edges),
                                      counted(list->coverage.all_edges, "span")));
        request.marks.push_back(std::move(below.ground));
        request.marks.push_back(std::move(below.signs));
    }
    request.base = std::move(list);
    return request;
}

std::string timeline_csv(const profile::Timeline& timeline, profile::TimeRange range) {
    std::string text = "lane,depth,span,kind,begin_ns,duration_ns,block,task,detail\n";
    for (std::size_t row = 0; row < timeline.row_count(); ++row) {
        const profile::TimelineRow& about = timeline.row(row);
        const auto [first, last] = timeline.touching(row, range);
        for (std::uint32_t i = first; i < last; ++i) {
            const profile::Span& span = timeline.spans(row)[i];
            const auto height = timeline.height_of(span);
            fmt::format_to(
                std::back_inserter(text), "{},{},{},{},{},{},{},{},{}\n", csv_field(about.name),
                about.depth, csv_field(timeline.names()[span.name]), name_of(span.category),
                span.begin, span.duration(), height ? std::to_string(*height) : "",
                span.task == profile::none || span.wave() != 0 ? "" : std::to_string(span.task),
                span.detail);
        }
    }
    return text;
}

} // namespace blockloom::report
