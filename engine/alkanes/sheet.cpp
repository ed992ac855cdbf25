#include "alkanes/sheet.h"

#include <algorithm>

namespace blockloom::alkanes {
namespace {

auto place_of(auto& tokens, const AlkaneId& id) {
    return std::lower_bound(
        tokens.begin(), tokens.end(), id,
        [](const Transfer& token, const AlkaneId& wanted) { return token.id < wanted; });
}

} // namespace

u128 Sheet::amount(const AlkaneId& id) const noexcept {
    const auto at = place_of(tokens_, id);
    return at != tokens_.end() && at->id == id ? at->value : 0;
}

bool Sheet::add(const AlkaneId& id, u128 value) {
    if (value == 0) return true;
    const auto at = place_of(tokens_, id);
    if (at == tokens_.end() || at->id != id) {
        tokens_.insert(at, Transfer{id, value});
        return true;
    }
    if (at->value + value < value) return false;
    at->value += value;
    return true;
}

bool Sheet::add(const std::vector<Transfer>& tokens) {
    return std::all_of(tokens.begin(), tokens.end(),
                       [this](const Transfer& token) { return add(token.id, token.value); });
}

u128 Sheet::take(const AlkaneId& id, u128 value) {
    const auto at = place_of(tokens_, id);
    if (at == tokens_.end() || at->id != id) return 0;
    const u128 taken = std::min(value, at->value);
    at->value -= taken;
    if (at->value == 0) tokens_.erase(at);
    return taken;
}

} // namespace blockloom::alkanes
