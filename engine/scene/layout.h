// Common parts of the layouts: the planned canvas, colours of tasks, labels, and completing a list.
// Private to the scene room.
#pragma once

#include "scene/display_list.h"
#include "scene/view_options.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::scene::layout {

/// The canvas that a layout plans for, in pixels: the graph dock of a 1280×800 window. World units
/// are its pixels, so that sizes in pixels are exact at "fit", and larger canvases have more room.
inline constexpr float canvas_width = 800, canvas_height = 450;
/// Distance between neighbouring nodes, for squares of 5 px.
inline constexpr float pitch = 6.5F;
inline constexpr float node_pixels = 5, text_pixels = 11;
/// The size of a node in a world of this size: if the world is larger than the planned canvas,
/// "fit" brings nodes closer than `pitch`, and they shrink to no less than 2 px.
[[nodiscard]] float node_pixels_in(float width, float height) noexcept;
/// With more edges, edges are drawn fainter.
inline constexpr std::uint64_t faint_edges = 2'000;

/// An upper estimate of the width of a text of `pixels` height.
[[nodiscard]] float text_width(std::string_view utf8, float pixels) noexcept;

/// The colour of each task by `options.colour_by`. A batch is a level here: colour classes reorder
/// pairs, so only the matrix shows them.
[[nodiscard]] std::vector<Colour> task_colours(const schedule::BlockAnalysis& analysis,
                                               const ViewOptions& options);

/// When coloured by status: adds a triangle to each task that did not succeed, so that the status
/// is not shown by colour alone. For a complete list; a matrix, which has no mark per task, is
/// unchanged.
void mark_failed(DisplayList& list, const ViewOptions& options);

/// Edges without highlight: the text colour at 30 %, at 15 % if many are drawn.
[[nodiscard]] Colour edge_colour(const Theme& theme, std::uint64_t drawn) noexcept;

/// A label for position `at` on an axis.
struct AxisLabel {
    float at = 0;
    std::string text;
};
/// The labels to keep so that none touches another: always the first and the last (without the last
/// if even these two would touch), then the others from the start if they fit. Ascending `at`;
/// `extent` gives a label's length along the axis.
[[nodiscard]] std::vector<std::size_t> thin(std::span<const AxisLabel> labels,
                                            std::span<const float> extents, float gap);

/// A list with the theme's background and the nominal world, for an empty block.
[[nodiscard]] DisplayList empty_list(const ViewOptions& options, std::string summary);

/// Builds the grid and `task_target`: `columns` × `rows` buckets over `area`, or over the list's
/// world if it is empty. Targets outside the area go to the buckets at its edge.
void finish(DisplayList& list, std::uint32_t tasks, std::uint32_t columns = 96,
            std::uint32_t rows = 96, Rect area = {});

[[nodiscard]] DisplayList layered(const schedule::BlockAnalysis&, const ViewOptions&,
                                  std::stop_token);
[[nodiscard]] DisplayList arc(const schedule::BlockAnalysis&, const ViewOptions&, std::stop_token);
[[nodiscard]] DisplayList matrix(const schedule::BlockAnalysis&, const ViewOptions&,
                                 std::stop_token);
[[nodiscard]] DisplayList bipartite(const schedule::BlockAnalysis&, const ViewOptions&,
                                    std::stop_token);

} // namespace blockloom::scene::layout
