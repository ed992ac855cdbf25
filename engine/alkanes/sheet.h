// Tokens in one place: on an outpoint, on a shadow vout, or being moved by an edict.
#pragma once

#include "alkanes/wire.h"
#include "base/small_vector.h"
#include "state/value.h"

#include <span>

namespace blockloom::alkanes {

/// Amounts by id, sorted, no zeros.
class Sheet {
public:
    Sheet() = default;
    /// The tokens of a canonical sheet value (state_keys.h).
    explicit Sheet(std::span<const Transfer> tokens) {
        tokens_.reserve(tokens.size());
        for (const Transfer& token : tokens) tokens_.push_back(token);
    }

    [[nodiscard]] std::span<const Transfer> tokens() const noexcept {
        return {tokens_.data(), tokens_.size()};
    }
    /// As the state keeps it (state_keys.h).
    [[nodiscard]] state::Value value() const;
    /// The inverse; nothing if `value` could not have produced these bytes.
    [[nodiscard]] static std::optional<Sheet> from_value(std::string_view bytes);
    [[nodiscard]] bool empty() const noexcept { return tokens_.empty(); }
    [[nodiscard]] u128 amount(const AlkaneId& id) const noexcept;

    /// False, without any change, if the amount would exceed 128 bits.
    [[nodiscard]] bool add(const AlkaneId& id, u128 value);
    /// Adds token by token; false at the first that does not fit.
    [[nodiscard]] bool add(std::span<const Transfer> tokens);
    /// Takes at most what is there; returns the amount taken.
    u128 take(const AlkaneId& id, u128 value);

private:
    static constexpr std::size_t usual_tokens = 2;
    SmallVector<Transfer, usual_tokens> tokens_;
};

} // namespace blockloom::alkanes
