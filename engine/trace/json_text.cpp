#include "trace/json_text.h"

namespace blockloom::trace {
namespace {

constexpr int deepest = 256;

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

bool is_hex(char c) noexcept {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Copies one value token by token.
class ValueCopier {
public:
    ValueCopier(std::string& to, std::string_view from) : to_(to), from_(from) {}

    bool whole() {
        if (!value(0)) return false;
        skip_space();
        return at_ == from_.size();
    }

private:
    [[nodiscard]] char peek() const noexcept { return at_ < from_.size() ? from_[at_] : '\0'; }
    void take() { to_.push_back(from_[at_++]); }
    bool take_if(char c) {
        if (peek() != c || at_ == from_.size()) return false;
        take();
        return true;
    }
    void skip_space() {
        while (at_ < from_.size() && (from_[at_] == ' ' || from_[at_] == '\t' ||
                                      from_[at_] == '\n' || from_[at_] == '\r'))
            ++at_;
    }
    bool token(char c) {
        skip_space();
        return take_if(c);
    }

    bool value(int depth) {
        if (depth == deepest) return false;
        skip_space();
        switch (peek()) {
        case '{':
            return members('}', depth, true);
        case '[':
            return members(']', depth, false);
        case '"':
            return string();
        case 't':
            return word("true");
        case 'f':
            return word("false");
        case 'n':
            return word("null");
        default:
            return number();
        }
    }

    bool members(char close, int depth, bool named) {
        take();
        if (token(close)) return true;
        do {
            if (named) {
                skip_space();
                if (!string() || !token(':')) return false;
            }
            if (!value(depth + 1)) return false;
        } while (token(','));
        return token(close);
    }

    bool string() {
        if (!take_if('"')) return false;
        while (at_ < from_.size() && from_[at_] != '"') {
            if (static_cast<unsigned char>(from_[at_]) < 0x20) return false;
            if (take_if('\\')) {
                if (!escape()) return false;
            } else {
                take();
            }
        }
        return take_if('"');
    }

    bool escape() {
        if (take_if('u')) {
            for (int i = 0; i < 4; ++i) {
                if (!is_hex(peek())) return false;
                take();
            }
            return true;
        }
        constexpr std::string_view short_forms = "\"\\/bfnrt";
        if (at_ == from_.size() || short_forms.find(peek()) == std::string_view::npos) return false;
        take();
        return true;
    }

    bool word(std::string_view expected) {
        if (from_.substr(at_, expected.size()) != expected) return false;
        to_.append(expected);
        at_ += expected.size();
        return true;
    }

    bool digits() {
        if (!is_digit(peek())) return false;
        while (is_digit(peek())) take();
        return true;
    }

    bool number() {
        take_if('-');
        if (!take_if('0') && !digits()) return false;
        if (take_if('.') && !digits()) return false;
        if (peek() == 'e' || peek() == 'E') {
            take();
            if (peek() == '+' || peek() == '-') take();
            if (!digits()) return false;
        }
        return true;
    }

    std::string& to_;
    std::string_view from_;
    std::size_t at_ = 0;
};

} // namespace

void append_json_string(std::string& to, std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    to.push_back('"');
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            to.push_back('\\');
            to.push_back(c);
        } else if (byte < 0x20) {
            to.append("\\u00");
            to.push_back(digits[byte >> 4]);
            to.push_back(digits[byte & 15]);
        } else {
            to.push_back(c);
        }
    }
    to.push_back('"');
}

bool append_json_value(std::string& to, std::string_view value) {
    const std::size_t before = to.size();
    if (ValueCopier(to, value).whole()) return true;
    to.resize(before);
    return false;
}

void append_json_field(std::string& fields, std::string_view name, std::string_view value) {
    if (!fields.empty()) fields.push_back(',');
    append_json_string(fields, name);
    fields.push_back(':');
    fields.append(value);
}

} // namespace blockloom::trace
