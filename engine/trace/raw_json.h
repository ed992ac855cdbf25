// The text of simdjson's current value.
#pragma once

#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

#include <string_view>

namespace blockloom::trace {

/// Takes the value's text verbatim from the line, possibly with trailing white space. Its content
/// has not been checked (`append_json_value` does that).
[[nodiscard]] inline simdjson::error_code raw_json(simdjson::ondemand::value value,
                                                   std::string_view& raw) {
    namespace ondemand = simdjson::ondemand;
    ondemand::json_type type{};
    if (const auto code = value.type().get(type); code != simdjson::SUCCESS) return code;
    if (type == ondemand::json_type::object) {
        ondemand::object object;
        const auto code = value.get_object().get(object);
        return code == simdjson::SUCCESS ? object.raw_json().get(raw) : code;
    }
    if (type == ondemand::json_type::array) {
        ondemand::array array;
        const auto code = value.get_array().get(array);
        return code == simdjson::SUCCESS ? array.raw_json().get(raw) : code;
    }
    raw = value.raw_json_token();
    return simdjson::SUCCESS;
}

} // namespace blockloom::trace
