// What the indexer itself writes before a block's first transaction
// (docs/alkanes.md#from-a-block-to-effects).
#pragma once

#include "alkanes/rule_table.h"
#include "state/write_set.h"

namespace blockloom::alkanes {

/// Under `owner_fixed` the storage key /auth of [4, 65522] and [4, 65523] is set to [2, 69805];
/// under `owner_gone` it is set to [0, 0] and their balance of [2, 69805] to 0: in every block,
/// whatever the state holds, even if the contracts do not exist.
[[nodiscard]] state::WriteSet forced_writes(const Rules& rules);

} // namespace blockloom::alkanes
