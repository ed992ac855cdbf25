#include "report/plot.h"

#include "base/utf8.h"
#include "scene/tick_step.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace blockloom::report {
namespace {

constexpr float text_pixels = 11, gap = 8;

bool touch(const scene::Rect& a, const scene::Rect& b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
           b.y < a.y + a.height;
}

} // namespace

float plot_text_width(const std::string& utf8, float pixels) noexcept {
    return static_cast<float>(utf8_length(utf8)) * pixels * 0.56F;
}

float PlotAxis::at(double value) const {
    const auto place = [&](double v) { return logarithmic ? std::log2(std::max(v, 1e-9)) : v; };
    const double room = place(to) - place(from);
    const double share = room > 0 ? (place(value) - place(from)) / room : 0.5;
    return begin + static_cast<float>(share) * (end - begin);
}

std::vector<double> PlotAxis::ticks(std::size_t most) const {
    std::vector<double> found;
    if (logarithmic) {
        const double first = std::ceil(std::log2(from) - 1e-9), last = std::log2(to) + 1e-9;
        const double step = std::max(
            1.0, std::ceil((last - first) / static_cast<double>(std::max<std::size_t>(most, 1))));
        for (double power = first; power <= last; power += step) found.push_back(std::exp2(power));
        return found;
    }
    if (!(to > from)) return {from};
    const double step =
        scene::tick_step(to - from, static_cast<double>(std::max<std::size_t>(most, 1)));
    for (double at = std::ceil(from / step - 1e-9); at * step <= to + step * 1e-9; ++at)
        found.push_back(at == 0 ? 0 : at * step);
    return found;
}

Plot::Plot(const scene::Theme& theme, PlotAxis x_axis, PlotAxis y_axis)
    : x(x_axis), y(y_axis), theme_(theme) {
    ground_.space = curves_.space = marks_.space = scene::Space::screen;
}

void Plot::grid(const std::vector<double>& x_ticks, const std::vector<double>& y_ticks,
                const std::function<std::string(double)>& x_text,
                const std::function<std::string(double)>& y_text, const std::string& x_name,
                const std::string& y_name) {
    for (const double value : y_ticks) {
        const float at = y.at(value);
        ground_.lines.push_back({{x.begin, at}, {x.end, at}, theme_.grid, 1, false});
        text({{x.begin - 6, at},
              y_text(value),
              theme_.text2,
              text_pixels,
              scene::Anchor::right,
              scene::Face::text});
    }
    ground_.lines.push_back(
        {{x.begin, y.begin}, {x.end, y.begin}, theme_.control_border, 1, false});
    for (const double value : x_ticks) {
        const float at = x.at(value);
        ground_.lines.push_back(
            {{at, y.begin}, {at, y.begin + 4}, theme_.control_border, 1, false});
        text({{at, y.begin + 13},
              x_text(value),
              theme_.text2,
              text_pixels,
              scene::Anchor::centre,
              scene::Face::text});
    }
    text({{(x.begin + x.end) / 2, y.begin + 29},
          x_name,
          theme_.text3,
          text_pixels,
          scene::Anchor::centre,
          scene::Face::text});
    text({{8, y.end - 14},
          y_name,
          theme_.text3,
          text_pixels,
          scene::Anchor::left,
          scene::Face::text});
}

/// Short pieces: a dash that is made of one line each stays a dash in every sink.
void Plot::curve(const std::function<double(double)>& value, double from, double to,
                 scene::Colour colour, float width, bool dashed) {
    constexpr float dash = 6, hole = 4, step = 2;
    const float first = x.at(from), last = x.at(to);
    const auto there = [&](float pixel) {
        const double share = (pixel - x.begin) / std::max(x.end - x.begin, 1.0F);
        const double at = x.logarithmic ? x.from * std::pow(x.to / x.from, share)
                                        : x.from + share * (x.to - x.from);
        return scene::Point{pixel, y.at(value(at))};
    };
    const float low = std::min(y.begin, y.end), high = std::max(y.begin, y.end);
    float walked = 0;
    scene::Point before = there(first);
    for (float pixel = first + step; pixel <= last + step / 2; pixel += step) {
        const scene::Point here = there(std::min(pixel, last));
        const float length = std::hypot(here.x - before.x, here.y - before.y);
        const bool on = !dashed || std::fmod(walked, dash + hole) < dash;
        const bool inside = here.y >= low && here.y <= high && before.y >= low && before.y <= high;
        if (on && inside) curves_.lines.push_back({before, here, colour, width, false});
        if (inside)
            crossed_.push_back(
                {here.x - 1, std::min(before.y, here.y) - 1, 2, std::abs(here.y - before.y) + 2});
        walked += length;
        before = here;
    }
}

void Plot::line(scene::Point from, scene::Point to, scene::Colour colour, float width,
                bool dashed) {
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    const float dash = dashed ? std::max(4.0F, 4 * width) : length, hole = 0.6F * dash;
    if (length <= 0) return;
    const auto at = [&](float walked) {
        const float share = std::min(walked / length, 1.0F);
        return scene::Point{from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
    };
    for (float walked = 0; walked < length; walked += dash + hole)
        curves_.lines.push_back({at(walked), at(walked + dash), colour, width, false});
    crossed_.push_back({std::min(from.x, to.x) - 1, std::min(from.y, to.y) - 1,
                        std::abs(to.x - from.x) + 2, std::abs(to.y - from.y) + 2});
}

void Plot::mark(scene::Point at, scene::Shape shape, scene::Colour colour, float low, float high,
                bool hollow) {
    if (low != high) {
        marks_.lines.push_back({{at.x, low}, {at.x, high}, colour, 1.5F, false});
        for (const float end : {low, high})
            marks_.lines.push_back({{at.x - 4, end}, {at.x + 4, end}, colour, 1.5F, false});
    }
    scene::Box box;
    box.mark = true;
    box.rect = {at.x, at.y, 9, 9};
    box.shape = shape;
    box.fill = hollow ? theme_.canvas : colour;
    box.outline = hollow ? colour : theme_.canvas;
    box.outline_width = hollow ? 2 : 1;
    if (hollow) box.rect = {at.x, at.y, 12, 12};
    marks_.boxes.push_back(box);
    taken_.push_back(
        {at.x - 6, std::min({low, high, at.y - 6}), 12, std::max({std::abs(high - low), 12.0F})});
}

void Plot::dash_mark(scene::Point at, scene::Colour colour) {
    marks_.lines.push_back({{at.x - 7, at.y}, {at.x + 7, at.y}, colour, 2, false});
    taken_.push_back({at.x - 8, at.y - 5, 16, 10});
}

void Plot::text(scene::Text words) {
    const float wide = plot_text_width(words.utf8, words.pixels);
    const float left = words.anchor == scene::Anchor::left    ? words.at.x
                       : words.anchor == scene::Anchor::right ? words.at.x - wide
                                                              : words.at.x - wide / 2;
    taken_.push_back({left, words.at.y - 7, wide, 14});
    ground_.texts.push_back(std::move(words));
}

bool Plot::place(const PlotLabel& label, float width, float height, bool over_curves) {
    const float wide = plot_text_width(label.text, text_pixels);
    // Beside first, then above and under, nearer before farther.
    for (const float up : {0.0F, 14.0F, -14.0F, 28.0F, -28.0F, 42.0F, -42.0F, 56.0F, -56.0F})
        for (const float left :
             {label.at.x + gap, label.at.x - gap - wide, label.at.x - wide / 2}) {
            if (up == 0 && left == label.at.x - wide / 2) continue; // on the point itself
            const scene::Rect box{left, label.at.y + up - 7, wide, 14};
            if (box.x < x.begin + 2 || box.x + box.width > width - 2 || box.y < 2 ||
                box.y + box.height > std::min(height, y.begin - 1))
                continue;
            if (std::any_of(taken_.begin(), taken_.end(),
                            [&](const scene::Rect& other) { return touch(box, other); }))
                continue;
            if (!over_curves &&
                std::any_of(crossed_.begin(), crossed_.end(),
                            [&](const scene::Rect& other) { return touch(box, other); }))
                continue;
            taken_.push_back(box);
            marks_.texts.push_back({{left, label.at.y + up},
                                    label.text,
                                    label.colour,
                                    text_pixels,
                                    scene::Anchor::left,
                                    label.face});
            return true;
        }
    return false;
}

scene::DisplayList Plot::finish(float width, float height, std::string summary) && {
    for (const PlotLabel& label : labels_)
        if (!place(label, width, height, false)) place(label, width, height, true);
    scene::DisplayList list;
    list.background = theme_.canvas;
    list.world = {0, 0, width, height};
    for (scene::Layer* layer : {&ground_, &curves_, &marks_})
        list.layers.push_back(std::move(*layer));
    list.summary = std::move(summary);
    return list;
}

} // namespace blockloom::report
