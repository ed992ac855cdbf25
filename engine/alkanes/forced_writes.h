// What the indexer writes by itself before a block's first transaction
// (docs/alkanes.md#from-a-block-to-effects).
#pragma once

#include "alkanes/rule_table.h"
#include "state/write_set.h"

namespace blockloom::alkanes {

/// Where the rules say `owner_fixed`, the storage key /auth of [4, 65522] and [4, 65523] is
/// [2, 69805]; where they say `owner_gone`, it is [0, 0] and what they hold of [2, 69805] is 0: in
/// every block, whatever the state says, also where no such contract exists.
[[nodiscard]] state::WriteSet forced_writes(const Rules& rules);

} // namespace blockloom::alkanes
