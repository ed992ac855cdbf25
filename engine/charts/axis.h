// Positions and labels on an axis.
#pragma once

#include "charts/chart.h"

namespace blockloom::charts {

/// The position of a value, linear in the picture: its logarithm on a logarithmic scale. Values
/// that have no position (0 or below on a logarithmic scale) are far below the axis.
[[nodiscard]] double place_of(const Axis& axis, double value) noexcept;
/// The value at a position.
[[nodiscard]] double value_at(const Axis& axis, double place) noexcept;

/// The text of a value on the axis: the name of its position, if it has one.
[[nodiscard]] std::string text_of(const Axis& axis, double value);

/// The marks between two values for an axis of `pixels`: labels are beside each other (`upright`
/// false) or above each other, and never touch. Ascending.
[[nodiscard]] std::vector<Tick> ticks_of(const Axis& axis, double from, double to, double pixels,
                                         bool upright);

/// An upper estimate of the width of a text at a size.
[[nodiscard]] float text_width(const std::string& utf8, float pixels) noexcept;

/// "35", "1,200", "0.25": three significant digits, or as many as distinguish values that differ by
/// `step`.
[[nodiscard]] std::string number_text(double value, double step = 0);

} // namespace blockloom::charts
