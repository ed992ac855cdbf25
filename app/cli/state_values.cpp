#include "state_values.h"

#include "terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace blockloom::cli {
namespace {

Error wrong(const std::string& place, const std::string& expected, std::string_view found) {
    constexpr std::size_t shown = 80;
    return {ErrorCode::wrong_usage,
            fmt::format("{}: expected {}, found \"{}\"{}", place, expected, found.substr(0, shown),
                        found.size() > shown ? "…" : "")};
}

bool is_text(std::string_view bytes) {
    return !bytes.empty() &&
           std::all_of(bytes.begin(), bytes.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

Result<std::string> hex_bytes(const std::string& place, std::string_view digits,
                              std::string_view text) {
    const auto bytes = from_hex(digits);
    if (!bytes) return wrong(place, "pairs of hexadecimal digits (text:… for text)", text);
    return std::string(bytes->begin(), bytes->end());
}

/// "u64:5" and relatives: how many bytes, or 0.
std::pair<std::size_t, std::string_view> width_of(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, std::size_t>, 4> widths{
        {{"u128:", 16}, {"u64:", 8}, {"u32:", 4}, {"u8:", 1}}};
    for (const auto& [prefix, width] : widths)
        if (text.starts_with(prefix)) return {width, text.substr(prefix.size())};
    return {0, text};
}

std::string tokens_text(const std::vector<alkanes::Transfer>& tokens) {
    std::string text;
    for (const alkanes::Transfer& token : tokens)
        text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", u128_text(token.value),
                            alkanes::id_text(token.id));
    return text;
}

std::string code_text(const alkanes::CodeValue& code) {
    if (code.sample) return fmt::format("the code of {}", alkanes::id_text(*code.sample));
    return fmt::format("{}, SHA-256 {}",
                       code.form == alkanes::CodeForm::gzip ? "gzip" : "plain module",
                       to_hex(code.hash));
}

} // namespace

Result<std::string> bytes_from_text(const std::string& place, std::string_view text) {
    if (text.starts_with("text:")) return std::string(text.substr(5));
    if (text.starts_with("hex:")) return hex_bytes(place, text.substr(4), text);
    if (text.starts_with("0x")) return hex_bytes(place, text.substr(2), text);
    if (text.starts_with("id:")) {
        const auto id = alkanes::id_from_text(text.substr(3));
        if (!id) return wrong(place, "id:BLOCK:TX", text);
        return alkanes::id_bytes(*id);
    }
    const auto [width, digits] = width_of(text);
    if (width == 0) return std::string(text);
    const auto number = u128_from_text(digits);
    if (!number || (width < u128_size && (*number >> (8 * width)) != 0))
        return wrong(place, fmt::format("a number of at most {} bytes", width), text);
    return u128_bytes(*number).substr(0, width);
}

Result<std::string> storage_key_bytes(const std::string& place, std::string_view text) {
    if (text.starts_with("text:")) return std::string(text.substr(5));
    if (text.starts_with("hex:")) return hex_bytes(place, text.substr(4), text);
    const auto key = alkanes::storage_key_from_text(text);
    if (!key) return wrong(place, "hexadecimal digits after 0x (text:… for text)", text);
    return *key;
}

Result<alkanes::AlkaneId> read_alkane_id(const std::string& place, std::string_view text) {
    const auto id = alkanes::id_from_text(text);
    if (!id) return wrong(place, "an id BLOCK:TX", text);
    return *id;
}

Result<alkanes::Outpoint> read_outpoint(const std::string& place, std::string_view text) {
    const std::size_t colon = text.find(':');
    const auto txid = hash_from_reversed_hex(text.substr(0, colon));
    std::uint32_t vout = 0;
    const std::string_view number =
        colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    const auto [end, bad] = std::from_chars(number.data(), number.data() + number.size(), vout);
    if (!txid || bad != std::errc() || end != number.data() + number.size())
        return wrong(place, "an outpoint TXID:VOUT", text);
    return alkanes::Outpoint{*txid, vout};
}

Result<u128> read_amount(const std::string& place, std::string_view text) {
    const auto amount = u128_from_text(text);
    if (!amount) return wrong(place, "a number below 2^128", text);
    return *amount;
}

std::string value_text(std::string_view key, std::string_view value) {
    constexpr std::size_t most_shown = 64;
    const auto kind = static_cast<alkanes::KeyKind>(key.empty() ? 0 : key[0]);
    if (kind == alkanes::KeyKind::sheet)
        if (const auto tokens = alkanes::tokens_of_sheet(value)) return tokens_text(*tokens);
    if (kind == alkanes::KeyKind::code)
        if (const auto code = alkanes::code_value(value)) return code_text(*code);
    if (kind == alkanes::KeyKind::balance || kind == alkanes::KeyKind::sequence)
        if (const auto number = u128_from_bytes(value)) return u128_text(*number);
    std::string text = fmt::format("{} byte{}, 0x{}", value.size(), value.size() == 1 ? "" : "s",
                                   to_hex(as_bytes(value.substr(0, most_shown))));
    if (value.size() > most_shown) text += "…";
    if (const auto number = u128_from_bytes(value))
        text += fmt::format(", u128 {}", u128_text(*number));
    else if (is_text(value) && value.size() <= most_shown)
        text += fmt::format(", \"{}\"", value);
    return text;
}

} // namespace blockloom::cli
