// Keys and values of the state in text form.
#pragma once

#include "alkanes/ids.h"
#include "alkanes/state_keys.h"
#include "base/result.h"

#include <string>
#include <string_view>

namespace blockloom::cli {

/// The forms accepted by `bytes_from_text`, for help and documents.
inline constexpr const char* value_forms = "hex:00ff or 0x00ff, u128:N, u64:N, u32:N, u8:N "
                                           "(little-endian), id:2:0 (32 bytes), text:WORDS; "
                                           "anything else is text";

/// The bytes of a value: see `value_forms`. `place` names it in errors.
[[nodiscard]] Result<std::string> bytes_from_text(const std::string& place, std::string_view text);

/// The bytes of a contract's storage key: hex:…, text:…, or as keys are printed
/// ("/seen/0xc69e0d00").
[[nodiscard]] Result<std::string> storage_key_bytes(const std::string& place,
                                                    std::string_view text);

[[nodiscard]] Result<alkanes::AlkaneId> read_alkane_id(const std::string& place,
                                                       std::string_view text);
/// "TXID:VOUT", the txid as Bitcoin prints it.
[[nodiscard]] Result<alkanes::Outpoint> read_outpoint(const std::string& place,
                                                      std::string_view text);
[[nodiscard]] Result<u128> read_amount(const std::string& place, std::string_view text);

/// A value as a number, as text if it is printable, and as hexadecimal digits.
[[nodiscard]] std::string value_text(std::string_view key, std::string_view value);

} // namespace blockloom::cli
