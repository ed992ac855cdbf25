// What the layouts share: the canvas they plan for, colours of tasks, labels, and the finishing of
// a list. Private to the scene room.
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

/// The canvas a layout plans for, pixels: the graph dock of a 1280×800 window. World units are its
/// pixels, so that sizes given in pixels hold at "fit" on it and only get roomier on larger ones.
inline constexpr float canvas_width = 800, canvas_height = 450;
/// Distance of neighbouring nodes, for squares of 5 px.
inline constexpr float pitch = 6.5F;
inline constexpr float node_pixels = 5, text_pixels = 11;
/// Size of a node in a world of this size: where the whole is larger than the planned canvas, "fit"
/// brings the nodes closer than `pitch` and they shrink, to 2 px at the least.
[[nodiscard]] float node_pixels_in(float width, float height) noexcept;
/// Edges above it are drawn fainter.
inline constexpr std::uint64_t faint_edges = 2'000;

/// How wide a text of `pixels` height comes out, about; on the safe side.
[[nodiscard]] float text_width(std::string_view utf8, float pixels) noexcept;

/// Colour of each task by `options.colour_by`. A batch is a level here: colour classes reverse
/// pairs, so only the matrix shows them.
[[nodiscard]] std::vector<Colour> task_colours(const schedule::BlockAnalysis& analysis,
                                               const ViewOptions& options);

/// Coloured by status: a triangle on each task that did not succeed, so that the colour is not
/// alone. On a finished list; the matrix has no place for a task and stays as it is.
void mark_failed(DisplayList& list, const ViewOptions& options);

/// Edges at rest: the text colour at 30 %, at 15 % where many are drawn.
[[nodiscard]] Colour edge_colour(const Theme& theme, std::uint64_t drawn) noexcept;

/// A label that wants to stand at `at` on an axis.
struct AxisLabel {
    float at = 0;
    std::string text;
};
/// Which labels to keep so that none touches another: the first and the last always (the last
/// alone yields where even these two would touch), the rest from the start as they fit. Ascending
/// `at`; `extent` gives a label's length along the axis.
[[nodiscard]] std::vector<std::size_t> thin(std::span<const AxisLabel> labels,
                                            std::span<const float> extents, float gap);

/// A list with the theme's ground and the nominal world: what an empty block shows.
[[nodiscard]] DisplayList empty_list(const ViewOptions& options, std::string summary);

/// Builds the grid and `task_target`: `columns` × `rows` buckets over `area`, or over the list's
/// world where it is empty. Targets outside the area go to the buckets at its edge.
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
