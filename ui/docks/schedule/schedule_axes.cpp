#include "docks/schedule/schedule_axes.h"

#include "base/number_text.h"
#include "report/timeline_layout.h"
#include "scene/gantt.h"
#include "scene/layout.h"
#include "scene/tick_step.h"

#include <algorithm>
#include <cmath>

namespace blockloom::ui {
namespace {

constexpr float text_pixels = 11, tick_length = 5, label_width = 60;
constexpr float letter_width = 6.5F;
constexpr qsizetype most_letters = 10;

/// A device's name is longer than the margin is wide.
/// The end of a long name tells streams apart: "compiled… 2".
QString lane_text(const QString& name) {
    constexpr int end = 2;
    if (name.size() <= most_letters) return name;
    const bool numbered = name.back().isDigit();
    return name.left(most_letters - 1 - (numbered ? end : 0)).trimmed() + QChar(0x2026) +
           (numbered ? name.right(end) : QString());
}

} // namespace

scene::Layer schedule_axes(const GanttFrame& frame, const scene::Camera& camera, QSize size,
                           const scene::Theme& theme) {
    scene::Layer layer;
    layer.space = scene::Space::screen;
    const auto width = static_cast<float>(size.width()), height = static_cast<float>(size.height());
    const auto left = static_cast<float>(gantt_left), top = static_cast<float>(gantt_top);
    const auto right = width - static_cast<float>(gantt_right);
    if (frame.makespan == 0 || frame.runTo <= 0 || right <= left) return layer;
    const auto ground = [&](const scene::Rect& rect) {
        layer.boxes.push_back({.rect = rect, .fill = theme.canvas, .outline = scene::transparent});
    };
    ground({0, 0, left, height});
    ground({0, 0, width, top});
    ground({right + 1, 0, width - right, height});

    // Pixels a unit of cost, and the times at both ends of what is shown.
    const double exact = static_cast<double>(frame.makespan);
    const double scale = camera.scale_x * frame.runTo / exact;
    const double origin = (0 - camera.centre_x) * camera.scale_x + size.width() / 2.0;
    const auto x_of = [&](std::uint64_t time) {
        return static_cast<float>(origin + static_cast<double>(time) * scale);
    };
    const double first = std::max(0.0, (static_cast<double>(left) - origin) / scale);
    const double last = std::min(exact, (static_cast<double>(right) - origin) / scale);
    const auto tick = [&](std::uint64_t time, const std::string& text) {
        layer.boxes.push_back({.rect = {x_of(time), top - tick_length, 1, tick_length},
                               .fill = theme.control_border,
                               .outline = scene::transparent});
        // At the end of a long number there may be less room than half of it.
        const bool long_end =
            x_of(time) + static_cast<float>(text.size()) * letter_width / 2 > width;
        layer.texts.push_back({{long_end ? width - 2 : x_of(time), top - tick_length - 8},
                               text,
                               theme.text2,
                               text_pixels,
                               long_end ? scene::Anchor::right : scene::Anchor::centre,
                               scene::Face::text});
    };
    layer.boxes.push_back({.rect = {left, top - 1, right - left, 1},
                           .fill = theme.control_border,
                           .outline = scene::transparent});
    const auto end = static_cast<std::uint64_t>(std::floor(last));
    const bool at_end = x_of(frame.makespan) <= right + 1; // not by a rounded time
    // The makespan is always named at its end; labels that would touch it are left out.
    const auto has_room = [&](std::uint64_t time) {
        return !at_end || x_of(frame.makespan) - x_of(time) > label_width * 0.8F;
    };
    std::string unit = frame.unit.toStdString();
    if (frame.is_time) {
        report::TimelineView view;
        view.shown = {static_cast<Nanoseconds>(first), static_cast<Nanoseconds>(last)};
        view.width = report::timeline_gutter + right - left + report::timeline_right;
        const report::TimeTicks ticks = time_ticks(view);
        unit = ticks.from.empty() ? ticks.unit : ticks.from + " " + ticks.unit;
        for (const report::TimeTick& at : ticks.ticks)
            if (has_room(static_cast<std::uint64_t>(at.at)))
                tick(static_cast<std::uint64_t>(at.at), at.text);
        if (at_end)
            tick(frame.makespan, blockloom::time_text(static_cast<std::int64_t>(frame.makespan)));
    } else {
        const double room = std::max(1.0, static_cast<double>((right - left) / label_width) - 1);
        const auto step = static_cast<std::uint64_t>(scene::tick_step(last - first, room, 1));
        for (std::uint64_t time =
                 (static_cast<std::uint64_t>(std::ceil(first)) + step - 1) / step * step;
             time <= end; time += step)
            if (has_room(time)) tick(time, blockloom::count_text(time));
        if (at_end) tick(frame.makespan, blockloom::count_text(frame.makespan));
    }

    float free = top; // names from above, as they fit
    const auto y_of = [&](float world) {
        return static_cast<float>((static_cast<double>(world) - camera.centre_y) * camera.scale_y +
                                  size.height() / 2.0);
    };
    for (const GanttLane& lane : frame.lanes) {
        const float y = y_of(lane.y);
        if (y - text_pixels / 2 < free) continue;
        layer.texts.push_back({{left - 8, y},
                               lane_text(lane.name).toStdString(),
                               theme.text2,
                               text_pixels,
                               scene::Anchor::right,
                               scene::Face::text});
        free = y + text_pixels / 2 + 3;
    }
    for (const GanttCaption& caption : frame.captions) {
        const float y = std::max(y_of(caption.y) - text_pixels * 0.6F - 1, top + text_pixels / 2);
        std::string text = caption.text.toStdString();
        const float wide = scene::layout::text_width(text, text_pixels) + 6;
        layer.boxes.push_back({.rect = {left + 1, y - text_pixels * 0.6F, wide, text_pixels * 1.2F},
                               .fill = scene::with_alpha(theme.canvas, 230),
                               .outline = scene::transparent});
        layer.texts.push_back({{left + 2, y},
                               std::move(text),
                               theme.text2,
                               text_pixels,
                               scene::Anchor::left,
                               scene::Face::medium});
    }
    // Half of the first number stands left of the ruler's beginning.
    layer.texts.push_back({{left - 16, top - tick_length - 8},
                           unit,
                           theme.text3,
                           text_pixels,
                           scene::Anchor::right,
                           scene::Face::text});
    return layer;
}

} // namespace blockloom::ui
