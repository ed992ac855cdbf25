// Dependency edges of a trace (docs/definitions.md#dependency-edges).
#pragma once

#include "conflict/conflict_index.h"
#include "conflict/touch_lists.h"

namespace blockloom::conflict {

/// Fills the index's predecessor lists from the accesses of `trace`, task by task; linear in
/// accesses and edges. Fails if there are too many edges or the caller cancels.
[[nodiscard]] Status build_edges(const trace::PolicedTrace& trace, const TouchLists& lists,
                                 ConflictModel model, std::stop_token stop, ConflictIndex& into);

} // namespace blockloom::conflict
