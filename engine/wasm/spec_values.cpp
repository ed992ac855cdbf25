#include "wasm/spec_values.h"

#include "wasm/numeric.h"

#include <charconv>
#include <fmt/format.h>

namespace blockloom::wasm {
namespace {

std::optional<ValueType> type_named(const std::string& name) {
    for (const ValueType type : {ValueType::i32, ValueType::i64, ValueType::f32, ValueType::f64,
                                 ValueType::funcref, ValueType::externref})
        if (name == name_of(type)) return type;
    return std::nullopt;
}

/// Scripts number external references from 0; a cell of 0 is null.
Cell external(std::uint64_t number) {
    return number + 1;
}

std::optional<std::uint64_t> number_of(const std::string& text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

bool is_nan_of(const std::string& text, ValueType type, Cell found) {
    const bool single = type == ValueType::f32;
    const Cell quiet = single ? 0x7fc0'0000 : 0x7ff8'0000'0000'0000;
    const Cell without_sign = found & (single ? 0x7fff'ffff : 0x7fff'ffff'ffff'ffff);
    return text == "nan:canonical" ? without_sign == quiet : (without_sign & quiet) == quiet;
}

} // namespace

std::string text_of(JsonValue json, const char* key) {
    if (!json.is_object() || !json[key].is_text()) return {};
    return std::string(json[key].text(SIZE_MAX).value_or(""));
}

std::optional<ScriptValue> read_value(JsonValue json) {
    const std::optional<ValueType> type = type_named(text_of(json, "type"));
    const std::string text = text_of(json, "value");
    if (!type) return std::nullopt;
    if (text == "null") return ScriptValue{*type, 0};
    const std::optional<std::uint64_t> number = number_of(text);
    if (!number) return std::nullopt;
    return ScriptValue{*type, *type == ValueType::externref ? external(*number) : *number};
}

bool matches(JsonValue expected, ValueType type, Cell found) {
    if (!expected.is_object()) return false;
    if (text_of(expected, "type") == "either") {
        for (const JsonValue choice : expected["values"].items())
            if (matches(choice, type, found)) return true;
        return false;
    }
    const std::optional<ValueType> wanted = type_named(text_of(expected, "type"));
    if (!wanted || *wanted != type) return false;
    const std::string text = text_of(expected, "value");
    if (text.rfind("nan:", 0) == 0) return is_nan_of(text, type, found);
    const bool is_reference = type == ValueType::funcref || type == ValueType::externref;
    if (is_reference && (text.empty() || (type == ValueType::funcref && text != "null")))
        return found != 0; // (ref.func), (ref.extern): any that is not null
    const std::optional<ScriptValue> value = read_value(expected);
    return value && value->cell == found;
}

std::string value_text(ValueType type, Cell cell) {
    switch (type) {
    case ValueType::i32:
    case ValueType::i64:
        return fmt::format("{}:{}", name_of(type), cell);
    case ValueType::f32:
        return fmt::format("f32:{} (0x{:08x})", float_of<float>(cell), cell);
    case ValueType::f64:
        return fmt::format("f64:{} (0x{:016x})", float_of<double>(cell), cell);
    case ValueType::funcref:
    case ValueType::externref:
        break;
    }
    return fmt::format("{}:{}", name_of(type), cell == 0 ? "null" : "reference");
}

std::string value_text(JsonValue expected) {
    const std::optional<ScriptValue> value = read_value(expected);
    if (value && value->type != ValueType::funcref && value->type != ValueType::externref)
        return value_text(value->type, value->cell);
    return fmt::format("{}:{}", text_of(expected, "type"), text_of(expected, "value"));
}

} // namespace blockloom::wasm
