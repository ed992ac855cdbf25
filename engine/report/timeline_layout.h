// Where the parts of a timeline stand: bands under one another, time from left to right.
#pragma once

#include "profile/timeline.h"
#include "scene/display_list.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::report {

/// Logical pixels.
inline constexpr float timeline_gutter = 148, timeline_right = 12, timeline_ruler = 28;
/// Spans under so many pixels fold.
inline constexpr double timeline_fold = 3;

/// What part of a timeline is shown, and how large.
struct TimelineView {
    profile::TimeRange shown;
    float width = 1280, height = 800; ///< with ruler and gutter
    float scroll = 0;                 ///< pixels that the bands are moved up
    std::vector<bool> closed;         ///< groups that are one strip; the counters come last

    [[nodiscard]] double x(Nanoseconds time) const noexcept;
    /// Of a place inside the image; outside the run where the view is.
    [[nodiscard]] Nanoseconds time_at(double x) const noexcept;
    [[nodiscard]] double left() const noexcept { return static_cast<double>(timeline_gutter); }
    [[nodiscard]] double right() const noexcept {
        return static_cast<double>(std::max(width - timeline_right, timeline_gutter + 1));
    }
    [[nodiscard]] double ns_per_pixel() const noexcept {
        return static_cast<double>(shown.length()) / (right() - left());
    }
    /// Nanoseconds that a span needs to be drawn by itself.
    [[nodiscard]] Nanoseconds least() const noexcept;
    [[nodiscard]] bool is_closed(std::size_t group) const noexcept {
        return group < closed.size() && closed[group];
    }
};

/// The groups that begin as a strip: waves with what ran in them, where they are many rows.
[[nodiscard]] std::vector<bool> closed_at_first(const profile::Timeline& timeline);

/// One of the things that stand under one another; `y` without the scroll and the ruler.
struct TimelineBand {
    enum class Kind : std::uint8_t {
        group,   ///< the head of a group; `index`: of the group, one beyond for the counters
        strip,   ///< all lanes of a closed group; `index`: of the group
        row,     ///< `index`: of the row
        counter, ///< `index`: of the counter
    } kind = Kind::group;
    std::size_t index = 0;
    float y = 0, height = 0;
};

/// From the top down.
[[nodiscard]] std::vector<TimelineBand> timeline_bands(const profile::Timeline& timeline,
                                                       const TimelineView& view);
/// The height of all of them.
[[nodiscard]] float height_of(const std::vector<TimelineBand>& bands) noexcept;
/// The band of a row; absent where its group is closed.
[[nodiscard]] std::optional<TimelineBand> band_of_row(const profile::Timeline& timeline,
                                                      const TimelineView& view, std::size_t row);

/// What is at a place.
struct TimelineHit {
    bool in_ruler = false, in_gutter = false;
    Nanoseconds time = 0;
    std::optional<TimelineBand> band;
    std::optional<profile::TimelineItem> item; ///< of the band's row
};
[[nodiscard]] TimelineHit timeline_hit(const profile::Timeline& timeline, const TimelineView& view,
                                       scene::Point at);

/// Round times of an axis, with what is written there.
struct TimeTick {
    Nanoseconds at = 0;
    std::string text; ///< in the axis's unit
};
struct TimeTicks {
    std::vector<TimeTick> ticks;
    std::string unit; ///< "ms"
    std::string from; ///< where digits run out, what is to be added to each ("12.345 ms +"); else
                      ///< empty
};
/// About one each `apart` pixels.
[[nodiscard]] TimeTicks time_ticks(const TimelineView& view, double apart = 80);

/// `range` moved and cut so that it lies in a run of `duration`, and is at least a few nanoseconds
/// long.
[[nodiscard]] profile::TimeRange within_run(profile::TimeRange range, Nanoseconds duration);
/// Zoomed by `factor` (above 1: closer) so that the moment `about` stays where it is.
[[nodiscard]] profile::TimeRange zoomed(profile::TimeRange range, Nanoseconds about, double factor,
                                        Nanoseconds duration);

} // namespace blockloom::report
