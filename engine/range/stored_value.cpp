#include "range/stored_value.h"

#include "alkanes/state_keys.h"
#include "base/bytes.h"
#include "base/number_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace blockloom::range {
namespace {

constexpr std::size_t most_bytes = 64;

/// Text of one character may as well be a number, and is shown as one.
bool is_text(std::string_view bytes) {
    return bytes.size() > 2 &&
           std::all_of(bytes.begin(), bytes.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

bool is_number(std::string_view bytes) {
    return bytes.size() == 1 || bytes.size() == 2 || bytes.size() == 4 || bytes.size() == 8 ||
           bytes.size() == u128_size;
}

u128 number_of(std::string_view bytes) {
    u128 value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = (value << 8U) | static_cast<unsigned char>(bytes[i]);
    return value;
}

std::string code_text(const alkanes::CodeValue& code) {
    if (code.sample) return fmt::format("the code of {}", alkanes::id_text(*code.sample));
    return fmt::format("{} {}", code.form == alkanes::CodeForm::gzip ? "gzip" : "module",
                       to_hex(code.hash));
}

} // namespace

std::string amount_text(u128 value) {
    return with_commas(u128_text(value));
}

std::string tokens_text(const alkanes::Parcel& tokens) {
    if (tokens.empty()) return "none";
    std::string text;
    for (const alkanes::Transfer& token : tokens)
        text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", amount_text(token.value),
                            alkanes::id_text(token.id));
    return text;
}

std::string inputs_text(const FlatList<u128>& inputs) {
    if (inputs.empty()) return "none";
    std::vector<std::string> words;
    for (const u128 input : inputs) words.push_back(u128_text(input));
    return fmt::format("{}", fmt::join(words, ", "));
}

std::string bytes_text(std::string_view bytes) {
    if (bytes.empty()) return "empty";
    if (is_text(bytes) && bytes.size() <= most_bytes) return fmt::format("\"{}\"", bytes);
    if (is_number(bytes)) return amount_text(number_of(bytes));
    if (bytes.size() <= most_bytes) return "0x" + to_hex(as_bytes(bytes));
    return fmt::format("0x{}… · {}", to_hex(as_bytes(bytes.substr(0, most_bytes))),
                       size_text(bytes.size()));
}

std::string stored_text(std::string_view key, const state::Value& value) {
    if (!value) return "absent";
    const auto kind = static_cast<alkanes::KeyKind>(key.empty() ? 0 : key.front());
    if (kind == alkanes::KeyKind::sheet)
        if (const auto tokens = alkanes::tokens_of_sheet(*value)) return tokens_text(*tokens);
    if (kind == alkanes::KeyKind::code)
        if (const auto code = alkanes::code_value(*value)) return code_text(*code);
    return bytes_text(*value);
}

} // namespace blockloom::range
