// The flame graph of a profile as a display list: frames as boxes, callees on top of their caller,
// width in proportion to fuel. Pure: no device, same input, same list.
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

/// What there is to draw. Sums must fit 64 bits.
struct FlameGraph {
    std::vector<std::string> functions; ///< names, the most own fuel first: colours follow it
    std::vector<FlameFrame> frames;
};

struct FlameOptions {
    const Theme* theme = &dark_theme();
    float width = 1048;             ///< pixels of the widest frame
    float height = 0;               ///< pixels; 0: as high as the stacks are
    std::uint32_t most_levels = 64; ///< deeper frames fold
    std::string title;              ///< drawn above with the legend; empty: neither
};

/// Where a frame stands. A folded box stands for the callees of `frame` that are not drawn.
struct FlameBox {
    Rect rect;                ///< world: 1 unit is 1 pixel at the planned width; with the gap
    std::uint32_t frame = 0;  ///< place in FlameGraph::frames
    std::uint32_t folded = 0; ///< frames that are folded here; 0: the frame itself
    std::uint64_t total = 0;  ///< fuel of the box
};

/// Callees stand in the box of their caller from the left, the most fuel first; what is free above
/// a frame is its own fuel. Callees under half a pixel or too deep fold into one hatched box.
struct FlameView {
    DisplayList list;
    std::vector<FlameBox> boxes; ///< callers before callees; a fold after its frame's callees
};

[[nodiscard]] FlameView make_flame(const FlameGraph& graph, const FlameOptions& options);

/// Fuel of each frame with its callees, in the order of `graph.frames`.
[[nodiscard]] std::vector<std::uint64_t> flame_totals(const FlameGraph& graph);

/// Colour of a function by its place in FlameGraph::functions: the ramp for the first eight, in an
/// order that sets neighbours apart; the rest is grey.
[[nodiscard]] Colour flame_colour(const Theme& theme, std::uint32_t function) noexcept;

/// As much of a name as fits `width` pixels in the mono face, with an ellipsis where it is cut;
/// empty where not even three characters do.
[[nodiscard]] std::string flame_label(const std::string& name, float width);

} // namespace blockloom::scene
