// The layout of a timeline: bands from top to bottom, time from left to right.
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
/// Narrower spans are folded.
inline constexpr double timeline_fold = 3;

/// The visible part of a timeline, and its size.
struct TimelineView {
    profile::TimeRange shown;
    float width = 1280, height = 800; ///< with ruler and gutter
    float scroll = 0;                 ///< pixels by which the bands are scrolled up
    std::vector<bool> closed;         ///< groups shown as one strip; the counters come last

    [[nodiscard]] double x(Nanoseconds time) const noexcept;
    /// The time at a position in the image; may be outside the run.
    [[nodiscard]] Nanoseconds time_at(double x) const noexcept;
    [[nodiscard]] double left() const noexcept { return static_cast<double>(timeline_gutter); }
    [[nodiscard]] double right() const noexcept {
        return static_cast<double>(std::max(width - timeline_right, timeline_gutter + 1));
    }
    [[nodiscard]] double ns_per_pixel() const noexcept {
        return static_cast<double>(shown.length()) / (right() - left());
    }
    /// Nanoseconds that a span must last to be drawn separately.
    [[nodiscard]] Nanoseconds least() const noexcept;
    [[nodiscard]] bool is_closed(std::size_t group) const noexcept {
        return group < closed.size() && closed[group];
    }
};

/// The groups that start as a strip: waves with their messages, if they have many rows.
[[nodiscard]] std::vector<bool> closed_at_first(const profile::Timeline& timeline);

/// One band; `y` without scroll and ruler.
struct TimelineBand {
    enum class Kind : std::uint8_t {
        group, ///< the header of a group; `index`: of the group, one past the last for the counters
        strip, ///< all lanes of a closed group; `index`: of the group
        row,   ///< `index`: of the row
        counter, ///< `index`: of the counter
    } kind = Kind::group;
    std::size_t index = 0;
    float y = 0, height = 0;
};

/// From top to bottom.
[[nodiscard]] std::vector<TimelineBand> timeline_bands(const profile::Timeline& timeline,
                                                       const TimelineView& view);
/// The height of all bands.
[[nodiscard]] float height_of(const std::vector<TimelineBand>& bands) noexcept;
/// The band of a row; absent if its group is closed.
[[nodiscard]] std::optional<TimelineBand> band_of_row(const profile::Timeline& timeline,
                                                      const TimelineView& view, std::size_t row);

/// What is at a position.
struct TimelineHit {
    bool in_ruler = false, in_gutter = false;
    Nanoseconds time = 0;
    std::optional<TimelineBand> band;
    std::optional<profile::TimelineItem> item; ///< of the band's row
};
[[nodiscard]] TimelineHit timeline_hit(const profile::Timeline& timeline, const TimelineView& view,
                                       scene::Point at);

/// Round times on an axis, with their labels.
struct TimeTick {
    Nanoseconds at = 0;
    std::string text; ///< in the axis's unit
};
struct TimeTicks {
    std::vector<TimeTick> ticks;
    std::string unit; ///< "ms"
    std::string from; ///< offset for labels with too many digits ("12.345 ms +"), or empty
};
/// About one every `apart` pixels.
[[nodiscard]] TimeTicks time_ticks(const TimelineView& view, double apart = 80);

/// `range` moved and cut so that it is within a run of `duration` and at least a few nanoseconds
/// long.
[[nodiscard]] profile::TimeRange within_run(profile::TimeRange range, Nanoseconds duration);
/// Zoomed by `factor` (above 1: closer) with the moment `about` fixed.
[[nodiscard]] profile::TimeRange zoomed(profile::TimeRange range, Nanoseconds about, double factor,
                                        Nanoseconds duration);

} // namespace blockloom::report
