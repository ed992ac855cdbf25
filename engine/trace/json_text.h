// JSON as text: writes strings and copies values verbatim. For fields that we keep but do not know.
#pragma once

#include <string>
#include <string_view>

namespace blockloom::trace {

/// Appends the text as a JSON string with its quotes. UTF-8 is copied unchanged.
void append_json_string(std::string& to, std::string_view text);

/// Appends one JSON value without the white space between its tokens; numbers and strings keep
/// their spelling, however many digits they have. Returns false (and leaves `to` unchanged) if the
/// text is not exactly one value by RFC 8259 or nests deeper than 256.
[[nodiscard]] bool append_json_value(std::string& to, std::string_view value);

/// Appends `"name":value` to an object that is written without its braces.
void append_json_field(std::string& fields, std::string_view name, std::string_view value);

} // namespace blockloom::trace
