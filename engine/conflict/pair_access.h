// How an access counts for conflict pairs once commutative keys are taken into account.
#pragma once

#include "conflict/touch_lists.h"
#include "trace/key_policy.h"

#include <cstdint>

namespace blockloom::conflict {

/// An update of a commutative key counts as a write only (its read is part of it), and two of them
/// are not a WAW. Kept in one word: three booleans would go through memory byte by byte.
class PairAccess {
public:
    static constexpr std::uint32_t width = 3; ///< bits

    PairAccess() = default;
    /// The inverse of `bits`; higher bits are ignored.
    [[nodiscard]] static PairAccess of_bits(std::uint32_t bits) noexcept {
        PairAccess made;
        made.bits_ = bits & ((1U << width) - 1);
        return made;
    }
    [[nodiscard]] std::uint32_t bits() const noexcept { return bits_; }
    template <typename Touching>
    PairAccess(Touching touch, bool commutative) noexcept
        : bits_((static_cast<std::uint32_t>(touch.reads()) & ~update(touch, commutative)) |
                static_cast<std::uint32_t>(touch.writes()) << 1 |
                (static_cast<std::uint32_t>(touch.writes()) & ~update(touch, commutative)) << 2) {}

    [[nodiscard]] bool reads() const noexcept { return (bits_ & 1) != 0; }
    [[nodiscard]] bool writes() const noexcept { return (bits_ & 2) != 0; }
    /// A write that conflicts with other writes.
    [[nodiscard]] bool orders_writes() const noexcept { return (bits_ & 4) != 0; }

private:
    template <typename Touching>
    static std::uint32_t update(Touching touch, bool commutative) noexcept {
        return static_cast<std::uint32_t>(commutative & touch.writes());
    }
    std::uint32_t bits_ = 0;
};

[[nodiscard]] inline bool is_commutative(const trace::PolicedTrace& trace, trace::KeyId key) {
    return !trace.commutative.empty() && trace.commutative[key];
}

} // namespace blockloom::conflict
