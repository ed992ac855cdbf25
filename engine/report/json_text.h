// JSON documents whose long parts are already text: lists with a row per block, and documents of
// others. As values of the library they would take many times the memory, and a foreign object with
// many members would take quadratic time.
#pragma once

#include "base/json.h"

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace blockloom::report {

using Json = nlohmann::ordered_json;

/// null without a value.
template <typename T> [[nodiscard]] Json optional_json(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

/// The elements of an array, each on its own lines.
class JsonRows {
public:
    void add(const Json& row);               ///< on one line; invalid UTF-8 becomes U+FFFD
    void add_text(std::string_view element); ///< JSON, unchanged
    [[nodiscard]] std::string text() &&;

private:
    std::string text_ = "[";
};

/// A non-empty object, indented by two spaces per level, with `last` after its members; ends with a
/// newline.
[[nodiscard]] std::string json_text(const Json& object, std::initializer_list<JsonAddition> last);

} // namespace blockloom::report
