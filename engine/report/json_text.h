// JSON documents whose long parts are text already: lists with a row for each block, documents of
// others. As values of the library they would take many times their memory, and an object of
// others with many members time in the square of their number.
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

/// The elements of an array, each on lines of its own.
class JsonRows {
public:
    void add(const Json& row);               ///< on one line; what is no UTF-8 becomes U+FFFD
    void add_text(std::string_view element); ///< JSON, as it is
    [[nodiscard]] std::string text() &&;

private:
    std::string text_ = "[";
};

/// An object with a member at least, two spaces a level, and `last` behind its members; ends with a
/// newline.
[[nodiscard]] std::string json_text(const Json& object, std::initializer_list<JsonAddition> last);

} // namespace blockloom::report
