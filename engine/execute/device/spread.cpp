#include "execute/device/spread.h"

namespace blockloom::execute {

void spread_over(const Spread& spread, std::size_t count, std::size_t grain,
                 const std::function<void(std::size_t)>& work) {
    spread_parts(spread, count, grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) work(i);
    });
}

} // namespace blockloom::execute
