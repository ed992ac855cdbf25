// Tokens in one place: on an outpoint, on a shadow vout, or being moved by an edict.
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

    /// False, without any change, if the amount would exceed 128 bits.
    [[nodiscard]] bool add(const AlkaneId& id, u128 value);
    /// Adds token by token; false at the first that does not fit.
    [[nodiscard]] bool add(const std::vector<Transfer>& tokens);
    /// Takes at most what is there; returns the amount taken.
    u128 take(const AlkaneId& id, u128 value);

private:
    std::vector<Transfer> tokens_;
};

} // namespace blockloom::alkanes
