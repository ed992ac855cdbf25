// Read access to a state, wherever it is kept.
#pragma once

#include "base/result.h"
#include "base/u128.h"
#include "state/key.h"
#include "state/value.h"

namespace blockloom::state {

/// A state that can be read. A canonical state never holds an empty value: it is absence.
class StateView {
public:
    virtual ~StateView() = default;

    /// The value at `key`. Fails only if the underlying store fails. May be called by several
    /// threads at once.
    [[nodiscard]] virtual Result<Value> get(const KeyView& key) const = 0;

    /// Reads are look-ups in memory without locks: a cache would only cost time.
    [[nodiscard]] virtual bool is_in_memory() const noexcept { return false; }

    /// `get` of this key will follow soon: a state in memory begins to bring into the cache what
    /// says where the value lies. Waits for nothing.
    virtual void expect(const KeyView& /*key*/) const noexcept {}
    /// The same for the value itself, some time after `expect`: what that began is used.
    virtual void expect_value(const KeyView& /*key*/) const noexcept {}
};

/// A value read as a counter: little-endian, at most its first 16 bytes; absence is 0.
[[nodiscard]] u128 counter_of(const Value& value) noexcept;
/// The value of a counter: 16 bytes, little-endian.
[[nodiscard]] Value value_of_counter(u128 counter);

} // namespace blockloom::state
