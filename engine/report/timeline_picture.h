// A timeline as a display list, for the window and for files.
#pragma once

#include "profile/span_statistics.h"
#include "report/timeline_layout.h"
#include "scene/overlay.h"
#include "scene/renderer.h"
#include "scene/theme.h"

#include <memory>
#include <optional>
#include <vector>

namespace blockloom::report {

/// An arrow from what a task waited for to the task: moments in two rows.
struct TimelineArrow {
    std::uint32_t from_row = 0, to_row = 0;
    Nanoseconds from = 0, to = 0;
    bool worker = false; ///< dashed: the task waited for its worker
    bool operator==(const TimelineArrow&) const = default;
};

/// What is highlighted in a timeline.
struct TimelineMarks {
    std::optional<profile::TimeRange> selected;
    std::shared_ptr<const profile::MarkedSpans> brushed; ///< null: none
    std::vector<profile::SpanRef> picked;                ///< of the selected task
    std::optional<profile::SpanRef> focused;             ///< with the keyboard focus
    std::vector<TimelineArrow> waited;                   ///< of the selected task
};

/// The list's coordinates are logical pixels of the image. Spans under three pixels are merged into
/// hatched blocks that show their count; `coverage` has how many. Pure.
[[nodiscard]] scene::DisplayList draw_timeline(const profile::Timeline& timeline,
                                               const TimelineView& view, const TimelineMarks& marks,
                                               const scene::Theme& theme);

/// The colour of spans with a name, by its index in the timeline's names.
[[nodiscard]] scene::Colour span_colour(std::uint16_t name, const scene::Theme& theme);

/// The legend of the picture.
[[nodiscard]] std::vector<scene::OverlayLegend> timeline_legend(const profile::Timeline& timeline,
                                                                const TimelineMarks& marks,
                                                                const scene::Theme& theme);

/// One picture to render or export, with `legend` below, within the height.
[[nodiscard]] scene::FrameRequest timeline_request(const profile::Timeline& timeline,
                                                   const TimelineView& view,
                                                   const TimelineMarks& marks,
                                                   const scene::Theme& theme,
                                                   const std::string& title, bool legend = true);

/// The spans that overlap `range`, one per line: lane, depth, span, kind, begin and duration in
/// nanoseconds, block, task, detail.
[[nodiscard]] std::string timeline_csv(const profile::Timeline& timeline, profile::TimeRange range);

} // namespace blockloom::report
