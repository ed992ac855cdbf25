#include "report/timeline_layout.h"

#include "base/number_text.h"
#include "scene/tick_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace blockloom::report {
namespace {

using Kind = TimelineBand::Kind;

constexpr float group_height = 24, row_height = 20, lane_gap = 2, strip_height = 24,
                counter_height = 40;
constexpr Nanoseconds shortest_view = 20; ///< nanoseconds: below it there is nothing to see

} // namespace

double TimelineView::x(Nanoseconds time) const noexcept {
    return left() + static_cast<double>(time - shown.begin) / ns_per_pixel();
}

Nanoseconds TimelineView::time_at(double at) const noexcept {
    return shown.begin + static_cast<Nanoseconds>(std::floor((at - left()) * ns_per_pixel()));
}

Nanoseconds TimelineView::least() const noexcept {
    return std::max<Nanoseconds>(
        1, static_cast<Nanoseconds>(std::ceil(timeline_fold * ns_per_pixel())));
}

std::vector<bool> closed_at_first(const profile::Timeline& timeline) {
    constexpr std::uint32_t many = 64; // rows
    std::vector<bool> closed;
    for (const profile::TimelineGroup& group : timeline.groups())
        closed.push_back(group.waves && group.rows > many);
    return closed;
}

std::vector<TimelineBand> timeline_bands(const profile::Timeline& timeline,
                                         const TimelineView& view) {
    std::vector<TimelineBand> bands;
    float y = 0;
    const auto add = [&](Kind kind, std::size_t index, float height) {
        bands.push_back({kind, index, y, height});
        y += height;
    };
    for (std::size_t g = 0; g < timeline.groups().size(); ++g) {
        const profile::TimelineGroup& group = timeline.groups()[g];
        add(Kind::group, g, group_height);
        if (view.is_closed(g)) {
            add(Kind::strip, g, strip_height);
            continue;
        }
        for (std::size_t row = group.first_row; row < group.first_row + group.rows; ++row) {
            const bool last_of_lane =
                row + 1 == timeline.row_count() || timeline.row(row + 1).depth == 0;
            add(Kind::row, row, row_height + (last_of_lane ? lane_gap : 0));
        }
    }
    if (timeline.counter_count() == 0) return bands;
    const std::size_t counters = timeline.groups().size();
    add(Kind::group, counters, group_height);
    if (!view.is_closed(counters))
        for (std::size_t i = 0; i < timeline.counter_count(); ++i)
            add(Kind::counter, i, counter_height);
    return bands;
}

float height_of(const std::vector<TimelineBand>& bands) noexcept {
    return bands.empty() ? 0 : bands.back().y + bands.back().height;
}

std::optional<TimelineBand> band_of_row(const profile::Timeline& timeline, const TimelineView& view,
                                        std::size_t row) {
    for (const TimelineBand& band : timeline_bands(timeline, view))
        if (band.kind == Kind::row && band.index == row) return band;
    return std::nullopt;
}

TimelineHit timeline_hit(const profile::Timeline& timeline, const TimelineView& view,
                         scene::Point at) {
    TimelineHit hit;
    const auto x = static_cast<double>(at.x);
    hit.time = view.time_at(x);
    hit.in_ruler = at.y < timeline_ruler;
    hit.in_gutter = x < view.left();
    if (hit.in_ruler) return hit;
    const float y = at.y - timeline_ruler + view.scroll;
    const auto bands = timeline_bands(timeline, view);
    const auto band = std::find_if(bands.begin(), bands.end(), [&](const TimelineBand& b) {
        return y >= b.y && y < b.y + b.height;
    });
    if (band == bands.end()) return hit;
    hit.band = *band;
    if (band->kind != Kind::row || hit.in_gutter) return hit;
    // Whatever is drawn is at least a pixel wide, and a pointer is not more exact.
    std::vector<profile::TimelineItem> items;
    timeline.items(band->index, view.shown, view.least(), items);
    double nearest = 3;
    for (const profile::TimelineItem& item : items) {
        const double from = view.x(item.time.begin), to = std::max(view.x(item.time.end), from + 1);
        const double away = x < from ? from - x : x >= to ? x - to : 0;
        if (away >= nearest) continue;
        nearest = away;
        hit.item = item;
        if (away <= 0) break;
    }
    return hit;
}

TimeTicks time_ticks(const TimelineView& view, double apart) {
    const double length = static_cast<double>(std::max<Nanoseconds>(view.shown.length(), 1));
    const double most = std::max((view.right() - view.left()) / apart, 1.0);
    const double step = scene::tick_step(length, most, 1);
    // The largest unit in which the ticks have at most two decimals.
    TimeUnit unit = time_units.front();
    for (const TimeUnit& each : time_units)
        if (each.ns <= step * 100 && each.ns <= length) unit = each;
    TimeTicks found;
    found.unit = unit.name;
    const auto whole_step = static_cast<Nanoseconds>(std::llround(step));
    Nanoseconds base = 0;
    if (static_cast<double>(view.shown.end) / unit.ns >= 10'000) {
        // Too many digits: they are written once, in front.
        const auto thousand = static_cast<Nanoseconds>(1000 * unit.ns);
        base = view.shown.begin / thousand * thousand;
        const double in = static_cast<double>(base) / (1000 * unit.ns);
        const std::string next = unit.ns >= 1e9   ? "ks"
                                 : unit.ns >= 1e6 ? "s"
                                 : unit.ns >= 1e3 ? "ms"
                                                  : "µs";
        found.from = fmt::format("{} {} +", count_text(static_cast<std::uint64_t>(in)), next);
    }
    const int decimals = step >= unit.ns ? 0 : step * 10 >= unit.ns ? 1 : 2;
    const Nanoseconds first = (view.shown.begin + whole_step - 1) / whole_step * whole_step;
    for (Nanoseconds at = first; at <= view.shown.end; at += whole_step)
        found.ticks.push_back(
            {at, fmt::format("{:.{}f}", static_cast<double>(at - base) / unit.ns, decimals)});
    return found;
}

profile::TimeRange within_run(profile::TimeRange range, Nanoseconds duration) {
    duration = std::max(duration, shortest_view);
    const Nanoseconds length = std::clamp(range.length(), shortest_view, duration);
    const Nanoseconds begin = std::clamp<Nanoseconds>(range.begin, 0, duration - length);
    return {begin, begin + length};
}

profile::TimeRange zoomed(profile::TimeRange range, Nanoseconds about, double factor,
                          Nanoseconds duration) {
    const auto length = static_cast<double>(range.length());
    const double wanted = std::clamp(length / factor, static_cast<double>(shortest_view),
                                     static_cast<double>(std::max(duration, shortest_view)));
    const double share = length > 0 ? static_cast<double>(about - range.begin) / length : 0.5;
    const auto begin = about - static_cast<Nanoseconds>(std::llround(share * wanted));
    return within_run({begin, begin + static_cast<Nanoseconds>(std::llround(wanted))}, duration);
}

} // namespace blockloom::report
