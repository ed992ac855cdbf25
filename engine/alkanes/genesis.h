// The state that the indexer sets up at its first block (docs/alkanes.md#code-by-height).
#pragma once

#include "alkanes/built_in_code.h"
#include "base/bytes.h"
#include "state/view.h"
#include "state/write_set.h"

namespace blockloom::alkanes {

/// Sets the counter to 1 and writes the results of the built-in contracts' initializers: their
/// storage, and the first tokens of [2, 0] and [32, 1] on the genesis outpoint. `block`: the first
/// block's bytes. Fails if a module is missing or an initializer fails. Empty if the state already
/// has a counter.
[[nodiscard]] Result<state::WriteSet> genesis_writes(const BuiltInCode& code, const Rules& rules,
                                                     std::uint64_t height, ByteView block,
                                                     const state::StateView& before);

} // namespace blockloom::alkanes
