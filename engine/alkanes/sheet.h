// Tokens that lie somewhere: on an outpoint, on a shadow vout, in an edict's hand.
#pragma once

#include "alkanes/wire.h"

namespace blockloom::alkanes {

/// Amounts by id, sorted, no zeros.
class Sheet {
public:
    Sheet() = default;
    /// The tokens of a canonical sheet value (state_keys.h).
    explicit Sheet(std::vector<Transfer> tokens) : tokens_(std::move(tokens)) {}

    [[nodiscard]] const std::vector<Transfer>& tokens() const noexcept { return tokens_; }
    [[nodiscard]] bool empty() const noexcept { return tokens_.empty(); }
    [[nodiscard]] u128 amount(const AlkaneId& id) const noexcept;

    /// False, and nothing changed, where the amount would pass 128 bits.
    [[nodiscard]] bool add(const AlkaneId& id, u128 value);
    /// Token by token; false at the first that does not fit.
    [[nodiscard]] bool add(const std::vector<Transfer>& tokens);
    /// At most what is there; returns how much it was.
    u128 take(const AlkaneId& id, u128 value);

private:
    std::vector<Transfer> tokens_;
};

} // namespace blockloom::alkanes
