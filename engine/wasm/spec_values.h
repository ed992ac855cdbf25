// Values of test scripts: reads arguments, matches results.
#pragma once

#include "base/json.h"
#include "wasm/types.h"

#include <optional>
#include <string>

namespace blockloom::wasm {

/// A value in a script: `{"type":"i32","value":"7"}`.
struct ScriptValue {
    ValueType type = ValueType::i32;
    Cell cell = 0;
};

/// Nothing if the type is not supported (v128) or the text is not a number.
[[nodiscard]] std::optional<ScriptValue> read_value(JsonValue json);

/// Whether a result is what the script expects: a value, nan:canonical, nan:arithmetic, any
/// reference, or one of several (`either`).
[[nodiscard]] bool matches(JsonValue expected, ValueType type, Cell found);

/// "i32:7", for messages.
[[nodiscard]] std::string value_text(ValueType type, Cell cell);
[[nodiscard]] std::string value_text(JsonValue expected);

/// A text field, or an empty string.
[[nodiscard]] std::string text_of(JsonValue json, const char* key);

} // namespace blockloom::wasm
