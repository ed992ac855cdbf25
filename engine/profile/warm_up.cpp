#include "profile/warm_up.h"

#include "profile/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace blockloom::profile {
namespace {

/// A normal distribution's standard deviation in median deviations.
constexpr double scale = 1.4826;

} // namespace

std::size_t warm_up_of(std::span<const Nanoseconds> samples) {
    const std::size_t most = samples.size() / 2;
    if (samples.size() < 8) return 0;
    const auto settled = samples.subspan(most);
    const double middle = median_of(settled);
    std::vector<Nanoseconds> off;
    off.reserve(settled.size());
    for (const Nanoseconds sample : settled)
        off.push_back(std::llround(std::abs(static_cast<double>(sample) - middle)));
    const double limit = std::max(middle + 4 * scale * median_of(off), middle * 1.01);
    std::size_t cut = 0;
    while (cut<most&& static_cast<double>(samples[cut])> limit) ++cut;
    return cut;
}

} // namespace blockloom::profile
