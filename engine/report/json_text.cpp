#include "report/json_text.h"

namespace blockloom::report {
namespace {

/// Two spaces deeper, from the second line on. Text in JSON contains no line ends.
void append_deeper(std::string& to, std::string_view json) {
    while (json.ends_with('\n')) json.remove_suffix(1);
    for (const char c : json) {
        to += c;
        if (c == '\n') to += "  ";
    }
}

std::string dumped(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace

void JsonRows::add(const Json& row) {
    add_text(dumped(row, -1));
}

void JsonRows::add_text(std::string_view element) {
    text_ += text_.size() == 1 ? "\n  " : ",\n  ";
    append_deeper(text_, element);
}

std::string JsonRows::text() && {
    text_ += text_.size() == 1 ? "]" : "\n]";
    return std::move(text_);
}

std::string json_text(const Json& object, std::initializer_list<JsonAddition> last) {
    std::string text = dumped(object, 2);
    text.resize(text.size() - 2); // "\n}"
    for (const auto& [name, value] : last) {
        text += ",\n  " + json_string(name) + ": ";
        append_deeper(text, value);
    }
    return text + "\n}\n";
}

} // namespace blockloom::report
