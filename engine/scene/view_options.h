// The choice of a view of a block, and its options.
#pragma once

#include "scene/theme.h"
#include "schedule/block_analysis.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace blockloom::scene {

enum class View : std::uint8_t { layered, arc, matrix, bipartite, schedule };
/// `status`: whether a task of an executed block succeeded.
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
        20'000; ///< level of detail: most edges drawn; the list says if there are more
    bool critical_chain = true;
    schedule::Strategy strategy = schedule::Strategy::list; ///< View::schedule
    std::uint32_t workers = 8;                              ///< View::schedule
    /// View::schedule: whether the Gantt chart has axes and names of lanes. Without them, for a
    /// caller that draws axes which follow the camera, the world consists of the lanes only.
    bool gantt_axes = true;
    /// View::schedule with a measured schedule: pixels from the first to the last lane, so that a
    /// caption has a line's height in a low panel, too. 0: unknown.
    float gantt_pixels = 0;
    /// One per task of the analysis: true if it did not succeed. Null: the block was not executed.
    std::shared_ptr<const std::vector<bool>> failed{};
};

} // namespace blockloom::scene
