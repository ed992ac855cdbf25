// Values of the state, tokens and inputs in words.
#pragma once

#include "alkanes/wire.h"
#include "state/value.h"

#include <string>
#include <string_view>

namespace blockloom::range {

/// "1,000,000".
[[nodiscard]] std::string amount_text(u128 value);

/// "500 of 2:0, 1 of 2:7"; "none" for an empty parcel.
[[nodiscard]] std::string tokens_text(const alkanes::Parcel& tokens);

/// "77, 1, 2"; "none" for no input.
[[nodiscard]] std::string inputs_text(const FlatList<u128>& inputs);

/// 1, 2, 4, 8 or 16 bytes as a number, printable text in quotes, anything else as "0x…"; beyond 64
/// bytes with their length.
[[nodiscard]] std::string bytes_text(std::string_view bytes);

/// The value of a key of the state, by the key's kind: tokens of a sheet, code, an amount, bytes.
/// "absent" if it has none.
[[nodiscard]] std::string stored_text(std::string_view key, const state::Value& value);

} // namespace blockloom::range
