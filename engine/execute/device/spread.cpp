#include "execute/device/spread.h"

#include <algorithm>

namespace blockloom::execute {

void spread_over(const Spread& spread, std::size_t count, std::size_t grain,
                 const std::function<void(std::size_t)>& work) {
    const auto part = [&](std::size_t k) {
        for (std::size_t i = k * grain; i < std::min(count, (k + 1) * grain); ++i) work(i);
    };
    const std::size_t parts = (count + grain - 1) / grain;
    if (spread && parts > 1) return spread(parts, part);
    for (std::size_t k = 0; k < parts; ++k) part(k);
}

} // namespace blockloom::execute
