// Read access to a state, wherever it is kept.
#pragma once

#include "base/result.h"
#include "base/u128.h"
#include "state/value.h"

#include <string_view>

namespace blockloom::state {

/// A state that can be read. A canonical state never holds an empty value: it is absence.
class StateView {
public:
    virtual ~StateView() = default;

    /// The value at `key`. Fails only if the underlying store fails. May be called by several
    /// threads at once.
    [[nodiscard]] virtual Result<Value> get(std::string_view key) const = 0;
};

/// A value read as a counter: little-endian, at most its first 16 bytes; absence is 0.
[[nodiscard]] u128 counter_of(const Value& value) noexcept;

} // namespace blockloom::state
