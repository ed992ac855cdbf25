// What the indexer sets up at its first block (docs/alkanes.md#code-by-height).
#pragma once

#include "alkanes/built_in_code.h"
#include "base/bytes.h"
#include "state/view.h"
#include "state/write_set.h"

namespace blockloom::alkanes {

/// The counter 1, and what the initializers of the built-in contracts leave: their storage, and the
/// first tokens of [2, 0] and [32, 1] on the genesis outpoint. `block`: the first block's bytes.
/// Fails where a module is missing or an initializer fails. Nothing where the state before has a
/// counter already.
[[nodiscard]] Result<state::WriteSet> genesis_writes(const BuiltInCode& code, const Rules& rules,
                                                     std::uint64_t height, ByteView block,
                                                     const state::StateView& before);

} // namespace blockloom::alkanes
