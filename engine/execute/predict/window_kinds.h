// The kinds of a block window's tasks.
#pragma once

#include "execute/predict/task_kinds.h"
#include "execute/round_strategy.h"

#include <cstdint>
#include <vector>

namespace blockloom::execute {

/// By task of the window. Valid until TaskKinds::begin_window is called again.
struct WindowKinds {
    std::vector<std::uint32_t> kinds, shapes;

    /// Begins a window in `known`, which numbers the kinds.
    [[nodiscard]] static WindowKinds of(TaskKinds& known, const WindowNow& now);
};

} // namespace blockloom::execute
