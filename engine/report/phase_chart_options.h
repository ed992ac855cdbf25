// How the pictures of a run's phases are drawn.
#pragma once

#include "base/clock.h"
#include "scene/theme.h"

namespace blockloom::report {

struct PhaseChartOptions {
    const scene::Theme* theme = &scene::dark_theme();
    float width = 760, height = 240; ///< pixels
    Nanoseconds most = 0;            ///< top of the axis where two runs share one; 0: its own
};

} // namespace blockloom::report
