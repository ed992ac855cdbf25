#include "alkanes/ids.h"

namespace blockloom::alkanes {

std::string id_text(const AlkaneId& id) {
    return u128_text(id.block) + ":" + u128_text(id.tx);
}

std::optional<AlkaneId> id_from_text(std::string_view text) noexcept {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto block = u128_from_text(text.substr(0, colon));
    const auto tx = u128_from_text(text.substr(colon + 1));
    if (!block || !tx) return std::nullopt;
    return AlkaneId{*block, *tx};
}

void append_id(std::string& to, const AlkaneId& id) {
    append_u128(to, id.block);
    append_u128(to, id.tx);
}

std::string id_bytes(const AlkaneId& id) {
    std::string bytes;
    bytes.reserve(id_size);
    append_id(bytes, id);
    return bytes;
}

std::optional<AlkaneId> id_from_bytes(std::string_view bytes) noexcept {
    if (bytes.size() != id_size) return std::nullopt;
    return AlkaneId{*u128_from_bytes(bytes.substr(0, u128_size)),
                    *u128_from_bytes(bytes.substr(u128_size))};
}

} // namespace blockloom::alkanes
