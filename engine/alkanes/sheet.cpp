#include "alkanes/sheet.h"

#include <algorithm>

namespace blockloom::alkanes {
namespace {

auto place_of(auto& tokens, const AlkaneId& id) {
    return std::lower_bound(
        tokens.begin(), tokens.end(), id,
        [](const Transfer& token, const AlkaneId& wanted) { return token.id < wanted; });
}

constexpr std::size_t token_size = id_size + u128_size;

} // namespace

state::Value Sheet::value() const {
    SmallVector<char, 4 * token_size> bytes;
    bytes.reserve(tokens_.size() * token_size);
    const auto append = [&bytes](const u128& part) { // little-endian
        bytes.append({reinterpret_cast<const char*>(&part), u128_size});
    };
    for (const Transfer& token : tokens_) {
        append(token.id.block);
        append(token.id.tx);
        append(token.value);
    }
    return std::string_view(bytes.data(), bytes.size());
}

std::optional<Sheet> Sheet::from_value(std::string_view bytes) {
    if (bytes.size() % token_size != 0) return std::nullopt;
    Sheet sheet;
    sheet.tokens_.reserve(bytes.size() / token_size);
    for (std::size_t at = 0; at < bytes.size(); at += token_size) {
        const Transfer token{*id_from_bytes(bytes.substr(at, id_size)),
                             *u128_from_bytes(bytes.substr(at + id_size, u128_size))};
        if (token.value == 0 || (!sheet.empty() && !(sheet.tokens_.back().id < token.id)))
            return std::nullopt;
        sheet.tokens_.push_back(token);
    }
    return sheet;
}

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

bool Sheet::add(std::span<const Transfer> tokens) {
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
