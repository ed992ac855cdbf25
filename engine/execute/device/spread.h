// Distributes work over threads of another owner.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

namespace blockloom::execute {

/// Runs work(0) … work(count - 1), in any order, on several threads; not set: one by one.
using Spread = std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)>;

/// Calls work(begin, end) for pieces of `grain`, which are all below `count` together.
template <typename Work>
void spread_parts(const Spread& spread, std::size_t count, std::size_t grain, const Work& work) {
    const std::size_t parts = (count + grain - 1) / grain;
    const auto part = [&](std::size_t k) { work(k * grain, std::min(count, (k + 1) * grain)); };
    if (spread && parts > 1) return spread(parts, part);
    for (std::size_t k = 0; k < parts; ++k) part(k);
}

/// Calls work(i) for all i below `count`, in pieces of `grain`.
void spread_over(const Spread& spread, std::size_t count, std::size_t grain,
                 const std::function<void(std::size_t)>& work);

} // namespace blockloom::execute
