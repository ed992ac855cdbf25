// Dependency edges of a trace (docs/definitions.md#dependency-edges).
#pragma once

#include "conflict/conflict_index.h"
#include "conflict/touch_lists.h"

namespace blockloom::conflict {

/// Fills the index' predecessor lists from the touches of `trace`; task by task, linear in accesses
/// and edges. Fails where the edges are too many or the caller stops.
[[nodiscard]] Status build_edges(const trace::PolicedTrace& trace, const TouchLists& lists,
                                 ConflictModel model, std::stop_token stop, ConflictIndex& into);

} // namespace blockloom::conflict
