// JSON text with integers of any width: 128-bit amounts keep all their digits, which doubles would
// round.
#pragma once

#include "base/u128.h"

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace blockloom::cli {

/// Writes one document, value by value. Containers of the first two levels have a line per element,
/// deeper ones one line. Calls must nest as JSON does.
class JsonWriter {
public:
    void begin_object() { begin('{'); }
    void end_object() { end('}'); }
    void begin_array() { begin('['); }
    void end_array() { end(']'); }
    void key(std::string_view name);

    void value(u128 number) { element(u128_text(number)); }
    void value(std::unsigned_integral auto number) { value(u128{number}); }
    void value(std::signed_integral auto number) { element(std::to_string(number)); }
    void value(bool yes) { element(yes ? "true" : "false"); }
    /// UTF-8; invalid bytes become U+FFFD.
    void value(std::string_view text);
    void value(const char* text) { value(std::string_view(text)); }
    void value(std::nullopt_t) { element("null"); }
    template <typename T> void value(const std::optional<T>& maybe) {
        maybe ? value(*maybe) : value(std::nullopt);
    }

    void field(std::string_view name, const auto& content) {
        key(name);
        value(content);
    }

    /// The document with a newline at its end.
    [[nodiscard]] std::string text() const { return text_ + "\n"; }

private:
    void begin(char bracket);
    void end(char bracket);
    void element(std::string_view text);
    void separate();
    void new_line();

    std::string text_;
    unsigned depth_ = 0;
    bool first_ = true, after_key_ = false;
};

} // namespace blockloom::cli
