// Views of a block as display lists. Pure functions: no device, no window; the same input gives the
// same list.
#pragma once

#include "scene/display_list.h"
#include "scene/overlay.h"
#include "scene/view_options.h"
#include "schedule/block_analysis.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace blockloom::scene {

/// The default view of a block: matrix if there are many edges, else layered.
[[nodiscard]] View suggested_view(const schedule::BlockAnalysis& analysis);

/// Lays out a block. Cancelling gives an empty list.
[[nodiscard]] DisplayList make_view(const schedule::BlockAnalysis& analysis,
                                    const ViewOptions& options, std::stop_token stop = {});

/// The Gantt chart of a simulated schedule (predicted: hollow, dashed if wide enough).
[[nodiscard]] DisplayList make_gantt(const schedule::BlockAnalysis& analysis,
                                     const schedule::Schedule& schedule,
                                     const ViewOptions& options);

/// The legend of a view, for the overlay and for Qt: ramp with its first and last label, critical
/// path with its length, selection, isolated tasks, "predicted".
[[nodiscard]] std::vector<OverlayLegend> make_legend(const schedule::BlockAnalysis& analysis,
                                                     const ViewOptions& options);

/// The marks of the selection over a view: outlines, halo, solid edges to neighbours.
struct Selection {
    std::optional<std::uint32_t> task{}, key{}, hovered_task{};
    friend bool operator==(const Selection&, const Selection&) = default;
};
[[nodiscard]] std::vector<Layer> selection_marks(const DisplayList& list,
                                                 const schedule::BlockAnalysis& analysis,
                                                 const ViewOptions& options,
                                                 const Selection& selection);

/// The target at a world position: the smallest that contains it, or the nearest mark within
/// `reach` (world units).
[[nodiscard]] const PickTarget* pick(const DisplayList& list, Point world, float reach_x,
                                     float reach_y);

} // namespace blockloom::scene
