#include "option_numbers.h"

#include <charconv>
#include <cmath>
#include <string_view>

namespace {

template <typename Number, typename... Format>
bool read_all(std::string_view text, Number& output, Format... format) {
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, output, format...);
    return error == std::errc() && stopped == end;
}

template <typename Integer> bool read_integer(const std::string& input, Integer& output) {
    const bool hexadecimal = input.starts_with("0x") || input.starts_with("0X");
    const std::string_view digits = std::string_view(input).substr(hexadecimal ? 2 : 0);
    if (hexadecimal && digits.starts_with('-')) return false;
    return read_all(digits, output, hexadecimal ? 16 : 10);
}

template <typename Float> bool read_float(const std::string& input, Float& output) {
    return read_all(input, output) && std::isfinite(output);
}

} // namespace

namespace CLI::detail {

bool lexical_cast(const std::string& input, short& output) {
    return read_integer(input, output);
}
bool lexical_cast(const std::string& input, int& output) {
    return read_integer(input, output);
}
bool lexical_cast(const std::string& input, long& output) {
    return read_integer(input, output);
}
bool lexical_cast(const std::string& input, long long& output) {
    return read_integer(input, output);
}
bool lexical_cast(const std::string& input, unsigned short& output) {
    return read_integer(input, output);
}
bool lexical_cast(const std::string& input, unsigned int& output) {
    return read_integer(input, output);
}
bool lexical_cast(const std::string& input, unsigned long& output) {
    return read_integer(input, output);
}
bool lexical_cast(const std::string& input, unsigned long long& output) {
    return read_integer(input, output);
}
bool lexical_cast(const std::string& input, float& output) {
    return read_float(input, output);
}
bool lexical_cast(const std::string& input, double& output) {
    return read_float(input, output);
}

} // namespace CLI::detail
