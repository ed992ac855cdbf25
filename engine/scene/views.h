// Views of one block as display lists. Pure functions: no device, no window, same input, same list.
#pragma once

#include "scene/display_list.h"
#include "scene/overlay.h"
#include "scene/view_options.h"
#include "schedule/block_analysis.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace blockloom::scene {

/// The default for a block: the matrix where edges are many, else layered.
[[nodiscard]] View suggested_view(const schedule::BlockAnalysis& analysis);

/// Lays a block out. `title` goes nowhere: views carry no chrome. Cancel gives an empty list.
[[nodiscard]] DisplayList make_view(const schedule::BlockAnalysis& analysis,
                                    const ViewOptions& options, std::stop_token stop = {});

/// The Gantt of a simulated schedule (predicted: hollow, dashed where wide enough).
[[nodiscard]] DisplayList make_gantt(const schedule::BlockAnalysis& analysis,
                                     const schedule::Schedule& schedule,
                                     const ViewOptions& options);

/// The signs of a view and what they mean, for the overlay and for Qt: ramp with its first and last
/// label, critical chain with its length, selection, lone tasks, "predicted".
[[nodiscard]] std::vector<OverlayLegend> make_legend(const schedule::BlockAnalysis& analysis,
                                                     const ViewOptions& options);

/// What is drawn over a view for the one selection: outlines, halo, solid edges to neighbours.
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
