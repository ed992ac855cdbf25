// Work on many items, shared by the threads of the options.
#pragma once

#include "gpuvm/options.h"

#include <algorithm>
#include <cstddef>

namespace blockloom::simt {

/// work(begin, end) for parts of `count`, each of `grain` but the last; without threads one after
/// the other.
template <typename Work>
void in_parts(const gpuvm::Options& options, std::size_t count, std::size_t grain,
              const Work& work) {
    const std::size_t parts = (count + grain - 1) / grain;
    const auto part = [&](std::size_t p) { work(p * grain, std::min(count, (p + 1) * grain)); };
    if (options.spread && parts > 1) return options.spread(parts, part);
    for (std::size_t p = 0; p < parts; ++p) part(p);
}

} // namespace blockloom::simt
