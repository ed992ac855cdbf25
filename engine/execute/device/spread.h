// Distributes work over threads of another owner.
#pragma once

#include <cstddef>
#include <functional>

namespace blockloom::execute {

/// Runs work(0) … work(count - 1), in any order, on several threads; not set: one by one.
using Spread = std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)>;

/// Calls work(i) for all i below `count`, in pieces of `grain`.
void spread_over(const Spread& spread, std::size_t count, std::size_t grain,
                 const std::function<void(std::size_t)>& work);

} // namespace blockloom::execute
