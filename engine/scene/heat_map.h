// A heat map: one cell per pair of values, coloured along the theme's ramp; filled if measured,
// hollow and dashed if predicted.
#pragma once

#include "scene/display_list.h"
#include "scene/theme.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::scene {

struct HeatCell {
    std::optional<double> share; ///< position on the ramp, 0 … 1; none: unknown
    std::string text;            ///< its value, where there is room
    bool predicted = false;
    bool best = false;
    bool in_band = false; ///< inside the contour
    bool busy = false;    ///< being measured
};

struct HeatMap {
    std::string x_title, y_title;
    std::vector<std::string> x, y;     ///< names of columns and rows
    std::vector<HeatCell> cells;       ///< row by row
    std::optional<std::size_t> chosen; ///< a cell
    bool focused = false;
    std::string summary; ///< the whole map in words
};

inline constexpr std::size_t heat_stops = 256; ///< colours of the ramp
[[nodiscard]] std::size_t heat_stop(double share) noexcept;

/// The place of a cell in a picture of this size.
[[nodiscard]] Rect heat_cell(const HeatMap& map, std::size_t column, std::size_t row, float width,
                             float height);

/// In screen space; its world is the picture's size. Each cell is a target: its task is its index.
[[nodiscard]] DisplayList make_heat_map(const HeatMap& map, float width, float height,
                                        const Theme& theme);

} // namespace blockloom::scene
