// What contracts hold: the balance keys, credited before a run and debited after it.
#pragma once

#include "alkanes/message_run.h"

namespace blockloom::alkanes {

/// Adds tokens to a contract's balances. Fails where a balance passes 128 bits.
[[nodiscard]] Result<Verdict> credit(state::Overlay& overlay, const AlkaneId& who,
                                     const Parcel& tokens);

/// Takes tokens from a contract's balances, in their order. A contract may pay more of its own
/// token than it holds: the rest is minted, its balance becomes 0.
[[nodiscard]] Result<Verdict> debit(state::Overlay& overlay, const AlkaneId& who,
                                    const Parcel& tokens);

/// Debit and credit, one token after the other. To [0, 0], which is no contract, nothing moves.
[[nodiscard]] Result<Verdict> move(state::Overlay& overlay, const AlkaneId& from,
                                   const AlkaneId& to, const Parcel& tokens);

} // namespace blockloom::alkanes
