#include "alkanes/balances.h"

#include <fmt/format.h>

namespace blockloom::alkanes {
namespace {

Result<Verdict> add(state::Overlay& overlay, const AlkaneId& who, const Transfer& token) {
    const state::Key key = balance_key(who, token.id);
    const auto held = overlay.get(key);
    if (!held) return held.error();
    const u128 before = state::counter_of(*held), after = before + token.value;
    if (after < before)
        return Verdict{CallStatus::error,
                       fmt::format("balance overflow: {} of {} held by {}", u128_text(token.value),
                                   id_text(token.id), id_text(who))};
    overlay.set(key, state::value_of_counter(after));
    return Verdict{};
}

Result<Verdict> take(state::Overlay& overlay, const AlkaneId& who, const Transfer& token) {
    const state::Key key = balance_key(who, token.id);
    const auto held = overlay.get(key);
    if (!held) return held.error();
    u128 balance = state::counter_of(*held);
    if (balance < token.value) {
        if (token.id != who)
            return Verdict{CallStatus::error,
                           fmt::format("balance underflow, transferring({} of {}), from({}), "
                                       "balance({})",
                                       u128_text(token.value), id_text(token.id), id_text(who),
                                       u128_text(balance))};
        balance = token.value;
    }
    overlay.set(key, state::value_of_counter(balance - token.value));
    return Verdict{};
}

} // namespace

Result<Verdict> credit(state::Overlay& overlay, const AlkaneId& who, const Parcel& tokens) {
    for (const Transfer& token : tokens) {
        auto done = add(overlay, who, token);
        if (!done || !done->ok()) return done;
    }
    return Verdict{};
}

Result<Verdict> debit(state::Overlay& overlay, const AlkaneId& who, const Parcel& tokens) {
    for (const Transfer& token : tokens) {
        auto done = take(overlay, who, token);
        if (!done || !done->ok()) return done;
    }
    return Verdict{};
}

Result<Verdict> move(state::Overlay& overlay, const AlkaneId& from, const AlkaneId& to,
                     const Parcel& tokens) {
    if (to == AlkaneId{}) return Verdict{};
    for (const Transfer& token : tokens) {
        auto done = take(overlay, from, token);
        if (done && done->ok()) done = add(overlay, to, token);
        if (!done || !done->ok()) return done;
    }
    return Verdict{};
}

} // namespace blockloom::alkanes
