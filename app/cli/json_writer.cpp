#include "json_writer.h"

#include <nlohmann/json.hpp>

namespace blockloom::cli {

namespace {

constexpr unsigned deepest_with_lines = 2;

std::string quoted(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace

void JsonWriter::key(std::string_view name) {
    separate();
    text_ += quoted(name);
    text_ += ": ";
    after_key_ = true;
}

void JsonWriter::value(std::string_view text) {
    element(quoted(text));
}

void JsonWriter::begin(char bracket) {
    separate();
    text_ += bracket;
    ++depth_;
    first_ = true;
}

void JsonWriter::end(char bracket) {
    const bool empty = first_;
    --depth_;
    if (!empty && depth_ < deepest_with_lines) new_line();
    text_ += bracket;
    first_ = false;
}

void JsonWriter::element(std::string_view text) {
    separate();
    text_ += text;
}

void JsonWriter::separate() {
    if (after_key_) {
        after_key_ = false;
        return;
    }
    if (depth_ == 0) return;
    if (!first_) text_ += ',';
    if (depth_ <= deepest_with_lines) {
        new_line();
    } else if (!first_) {
        text_ += ' ';
    }
    first_ = false;
}

void JsonWriter::new_line() {
    text_ += '\n';
    text_.append(std::size_t{2} * depth_, ' ');
}

} // namespace blockloom::cli
