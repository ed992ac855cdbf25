// How an access counts for conflict pairs once commutative keys are taken into account.
#pragma once

#include "conflict/touch_lists.h"
#include "trace/key_policy.h"

namespace blockloom::conflict {

/// An update of a commutative key counts as a write only (its read is part of it), and two of them
/// are no WAW.
struct PairAccess {
    bool reads = false, writes = false;
    bool orders_writes = false; ///< orders_writes: a write that conflicts with other writes

    PairAccess() = default;
    template <typename Touching>
    PairAccess(Touching touch, bool commutative) noexcept
        : reads(touch.reads() && !(commutative && touch.writes())), writes(touch.writes()),
          orders_writes(touch.writes() && !commutative) {}
};

[[nodiscard]] inline bool is_commutative(const trace::PolicedTrace& trace, trace::KeyId key) {
    return !trace.commutative.empty() && trace.commutative[key];
}

} // namespace blockloom::conflict
