// The distance of the ticks on an axis.
#pragma once

namespace blockloom::scene {

/// 1, 2 or 5 times a power of ten: the smallest step, not below `least`, of which no more than
/// `most` fit into `span`. Whole numbers where `least` is 1. All above 0; 1 where `span` and
/// `least` are 0.
[[nodiscard]] double tick_step(double span, double most, double least = 0) noexcept;

} // namespace blockloom::scene
