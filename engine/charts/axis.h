// Places on an axis and what is written at it.
#pragma once

#include "charts/chart.h"

namespace blockloom::charts {

/// Where a value stands, linear in the picture: its logarithm on a logarithmic scale. What cannot
/// be there (0 or below on a logarithmic scale) stands far below the axis.
[[nodiscard]] double place_of(const Axis& axis, double value) noexcept;
/// The value that stands there.
[[nodiscard]] double value_at(const Axis& axis, double place) noexcept;

/// The text of a value on the axis, the name of the place where it has one.
[[nodiscard]] std::string text_of(const Axis& axis, double value);

/// What is marked between two values where `pixels` are to be filled: labels stand beside each
/// other (`upright` false) or above each other, and never touch. Ascending.
[[nodiscard]] std::vector<Tick> ticks_of(const Axis& axis, double from, double to, double pixels,
                                         bool upright);

/// How wide a text comes out at a size, about; on the safe side.
[[nodiscard]] float text_width(const std::string& utf8, float pixels) noexcept;

/// "35", "1,200", "0.25": three significant digits, or as many as tell values apart that are `step`
/// from each other.
[[nodiscard]] std::string number_text(double value, double step = 0);

} // namespace blockloom::charts
