#include "scene/tick_step.h"

#include <algorithm>
#include <cmath>

namespace blockloom::scene {

double tick_step(double span, double most, double least) noexcept {
    const double smallest = std::max(span / most, least);
    if (!(smallest > 0)) return 1;
    const double decade = std::pow(10.0, std::floor(std::log10(smallest)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (decade * factor >= smallest) return decade * factor;
    return decade * 10;
}

} // namespace blockloom::scene
