// The tables of the busy-time charts.
#pragma once

#include "runs/busy_time.h"
#include "scene/view_table.h"

#include <memory>

namespace blockloom::report {

/// One row per bar; one row per block.
[[nodiscard]] std::shared_ptr<const scene::ViewTable> busy_table(const runs::BusyTime& busy);
[[nodiscard]] std::shared_ptr<const scene::ViewTable> busy_blocks_table(const runs::BusyTime& busy);

} // namespace blockloom::report
