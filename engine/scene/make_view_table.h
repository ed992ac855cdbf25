// A view of a block as a table.
#pragma once

#include "scene/view_options.h"
#include "scene/view_table.h"

#include <cstddef>
#include <memory>
#include <stop_token>

namespace blockloom::scene {

/// The table of `options.view`. Layered and arc: one row per task. Matrix: one per conflict pair,
/// the first `most_pairs`. Bipartite: one per shared key, hottest first. Schedule: one per
/// execution of `schedule` (null: it is made). The table keeps what it needs alive.
[[nodiscard]] std::unique_ptr<ViewTable>
make_view_table(const schedule::BlockAnalysis& analysis, const ViewOptions& options,
                std::shared_ptr<const schedule::Schedule> schedule = nullptr,
                std::size_t most_pairs = 100'000, std::stop_token stop = {});

} // namespace blockloom::scene
