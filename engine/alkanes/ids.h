// Names of contracts and tokens: two u128, written "block:tx".
#pragma once

#include "base/u128.h"

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace blockloom::alkanes {

/// A contract and the token it issues (docs/alkanes-protocol.md#byte-layouts). Ordered by block,
/// then tx.
struct AlkaneId {
    u128 block = 0, tx = 0;

    friend bool operator==(const AlkaneId&, const AlkaneId&) = default;
    friend auto operator<=>(const AlkaneId&, const AlkaneId&) = default;
};

/// Bytes of an id in keys and messages: block, then tx, 16 little-endian bytes each.
inline constexpr std::size_t id_size = 2 * u128_size;

/// "2:0", decimal.
[[nodiscard]] std::string id_text(const AlkaneId& id);

/// An id from "block:tx"; both as `u128_from_text` reads them.
[[nodiscard]] std::optional<AlkaneId> id_from_text(std::string_view text) noexcept;

/// 32 bytes.
[[nodiscard]] std::string id_bytes(const AlkaneId& id);

/// The id of exactly 32 bytes.
[[nodiscard]] std::optional<AlkaneId> id_from_bytes(std::string_view bytes) noexcept;

void append_id(std::string& to, const AlkaneId& id);

} // namespace blockloom::alkanes
