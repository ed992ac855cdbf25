// The small bars inside a table's cells, as layers in screen space: the window and documents draw
// the same.
#pragma once

#include "scene/display_list.h"
#include "scene/theme.h"

#include <span>
#include <vector>

namespace blockloom::report {

/// Bars of 0 … 1 side by side from the left, coloured along the ramp: the tasks per level.
/// `widest`: the most pixels for one, with the gap after it. Every bar is visible.
[[nodiscard]] scene::Layer level_bars(std::span<const double> shares, const scene::Rect& place,
                                      float widest, const scene::Theme& theme);

/// A bar of 0 … 1 on its track. Predicted: hollow and dashed, with `ground` inside.
[[nodiscard]] scene::Layer bar_on_track(double share, bool predicted, const scene::Rect& track,
                                        scene::Colour ground, const scene::Theme& theme);

/// A value of one of two compared runs.
struct RunBar {
    scene::Colour colour;
    bool serial = false;    ///< it ran serially: hatched
    bool second = false;    ///< of run B, where both runs have one colour: striped the other way
    bool predicted = false; ///< hollow and dashed, whatever else it is
};

/// Bars of no width are left out.
[[nodiscard]] std::vector<scene::Layer> run_bar(const RunBar& bar, const scene::Rect& place,
                                                const scene::Theme& theme);

/// A difference of −1 … 1 from a line in the middle of `place`, 14 px high.
[[nodiscard]] scene::Layer difference_bar(double difference, scene::Colour colour,
                                          const scene::Rect& place, const scene::Theme& theme);

} // namespace blockloom::report
