// Views of one block as display lists. Pure functions: no device, no window, same input, same list.
#pragma once

#include "scene/display_list.h"
#include "scene/overlay.h"
#include "scene/theme.h"
#include "schedule/block_analysis.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace blockloom::scene {

enum class View : std::uint8_t { layered, arc, matrix, bipartite, schedule };
/// `status`: whether a task succeeded where the block was executed.
enum class ColourBy : std::uint8_t { batch, group, cost, status, plain };
enum class MatrixOrder : std::uint8_t { index, level, batch };

/// The names of the command line and of the window's controls ("layered", "arc", …), and back.
/// "graph" is layered.
[[nodiscard]] std::string_view name_of(View view);
[[nodiscard]] std::optional<View> view_named(std::string_view name);

struct ViewOptions {
    View view = View::layered;
    ColourBy colour_by = ColourBy::batch;
    MatrixOrder order = MatrixOrder::level;
    const Theme* theme = &dark_theme();
    std::uint64_t edge_limit =
        20'000; ///< level of detail: at most so many edges are drawn, and the list says so
    bool critical_chain = true;
    schedule::Strategy strategy = schedule::Strategy::list; ///< View::schedule
    std::uint32_t workers = 8;                              ///< View::schedule
    /// One a task of the analysis: it did not succeed. Null: the block was not executed.
    std::shared_ptr<const std::vector<bool>> failed{};
};

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
