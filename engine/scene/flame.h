// The flame graph of a profile as a display list: frames are boxes, callees above their caller,
// width proportional to fuel. Pure: no device; the same input gives the same list.
#pragma once

#include "scene/display_list.h"
#include "scene/theme.h"

#include <cstdint>
#include <string>
#include <vector>

namespace blockloom::scene {

/// A function on one call stack.
struct FlameFrame {
    static constexpr std::uint32_t no_parent = 0xFFFFFFFF;
    std::uint32_t parent = no_parent; ///< place in FlameGraph::frames, before this one
    std::uint32_t function = 0;       ///< place in FlameGraph::functions
    std::uint64_t self = 0;           ///< without its callees
};

/// The data of a flame graph. Sums must fit 64 bits.
struct FlameGraph {
    std::vector<std::string>
        functions; ///< names, the most own fuel first, which determines colours
    std::vector<FlameFrame> frames;
};

struct FlameOptions {
    const Theme* theme = &dark_theme();
    float width = 1048;             ///< pixels of the widest frame
    float height = 0;               ///< pixels; 0: by the height of the stacks
    std::uint32_t most_levels = 64; ///< deeper frames are folded
    std::string title;              ///< drawn above, with the legend; empty: neither
};

/// The box of a frame. A folded box represents the callees of `frame` that are not drawn.
struct FlameBox {
    Rect rect;                ///< world: 1 unit is 1 pixel at the planned width; includes the gap
    std::uint32_t frame = 0;  ///< place in FlameGraph::frames
    std::uint32_t folded = 0; ///< frames folded here; 0: the frame itself
    std::uint64_t total = 0;  ///< fuel of the box
};

/// Callees are above their caller from the left, the most fuel first; the free part above a frame
/// is its own fuel. Callees under half a pixel or too deep are folded into one hatched box.
struct FlameView {
    DisplayList list;
    std::vector<FlameBox> boxes; ///< callers before callees; a fold after its frame's callees
};

[[nodiscard]] FlameView make_flame(const FlameGraph& graph, const FlameOptions& options);

/// Fuel of each frame with its callees, in the order of `graph.frames`.
[[nodiscard]] std::vector<std::uint64_t> flame_totals(const FlameGraph& graph);

/// The colour of a function by its index in FlameGraph::functions: the ramp for the first eight, in
/// an order that separates neighbours; grey for the rest.
[[nodiscard]] Colour flame_colour(const Theme& theme, std::uint32_t function) noexcept;

/// As much of a name as fits `width` pixels in the mono face, with an ellipsis if it is cut; empty
/// if not even three characters fit.
[[nodiscard]] std::string flame_label(const std::string& name, float width);

} // namespace blockloom::scene
