// The table twin of a block's view.
#pragma once

#include "scene/view_options.h"
#include "scene/view_table.h"

#include <cstddef>
#include <memory>
#include <stop_token>

namespace blockloom::scene {

/// The twin of `options.view`. Layered and arc: one row a task. Matrix: one a conflict pair, the
/// first `most_pairs` of them. Bipartite: one a shared key, hottest first. Schedule: one an
/// execution of `schedule` (null: it is made). The table keeps what it needs alive.
[[nodiscard]] std::unique_ptr<ViewTable>
make_view_table(const schedule::BlockAnalysis& analysis, const ViewOptions& options,
                std::shared_ptr<const schedule::Schedule> schedule = nullptr,
                std::size_t most_pairs = 100'000, std::stop_token stop = {});

} // namespace blockloom::scene
