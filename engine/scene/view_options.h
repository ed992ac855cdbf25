// Which view of a block is drawn, and how.
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
    /// View::schedule: whether the Gantt has axes and names of lanes. Who draws axes that follow
    /// the camera does without; the world is then the lanes and no more.
    bool gantt_axes = true;
    /// One a task of the analysis: it did not succeed. Null: the block was not executed.
    std::shared_ptr<const std::vector<bool>> failed{};
};

} // namespace blockloom::scene
