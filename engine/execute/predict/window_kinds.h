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

    /// Begins a window in `known`, which numbers the kinds. `all_shapes`: also the shapes of kinds
    /// with a single task in the window; otherwise those are TaskKinds::unnumbered unless known.
    [[nodiscard]] static WindowKinds of(TaskKinds& known, const WindowNow& now, bool all_shapes);
};

} // namespace blockloom::execute
