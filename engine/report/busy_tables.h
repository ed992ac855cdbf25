// The table twins of the busy charts.
#pragma once

#include "runs/busy_time.h"
#include "scene/view_table.h"

#include <memory>

namespace blockloom::report {

/// A row a bar; a row a block.
[[nodiscard]] std::shared_ptr<const scene::ViewTable> busy_table(const runs::BusyTime& busy);
[[nodiscard]] std::shared_ptr<const scene::ViewTable> busy_blocks_table(const runs::BusyTime& busy);

} // namespace blockloom::report
