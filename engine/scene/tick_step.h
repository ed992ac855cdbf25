// The distance between ticks on an axis.
#pragma once

namespace blockloom::scene {

/// 1, 2 or 5 times a power of ten: the smallest step, not below `least`, that fits into `span` at
/// most `most` times. Whole numbers if `least` is 1. All above 0; 1 if `span` and `least` are 0.
[[nodiscard]] double tick_step(double span, double most, double least = 0) noexcept;

} // namespace blockloom::scene
