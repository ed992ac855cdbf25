// The balances of contracts: credited before a run and debited after it.
#pragma once

#include "alkanes/message_run.h"

namespace blockloom::alkanes {

/// Adds tokens to a contract's balances. Fails if a balance exceeds 128 bits.
[[nodiscard]] Result<Verdict> credit(state::Overlay& overlay, const AlkaneId& who,
                                     const Parcel& tokens);

/// Takes tokens from a contract's balances, in the given order. A contract may pay more of its own
/// token than it holds: the rest is minted, its balance becomes 0.
[[nodiscard]] Result<Verdict> debit(state::Overlay& overlay, const AlkaneId& who,
                                    const Parcel& tokens);

/// Debits and credits, one token after the other. Nothing is moved to [0, 0], which is not a
/// contract.
[[nodiscard]] Result<Verdict> move(state::Overlay& overlay, const AlkaneId& from,
                                   const AlkaneId& to, const Parcel& tokens);

} // namespace blockloom::alkanes
