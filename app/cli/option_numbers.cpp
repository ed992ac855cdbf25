#include "option_numbers.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string_view>

namespace {

/// Why the last number could not be read, since the parser only knows its option. Empty: it was
/// read.
std::string refusal;

bool answer(bool read, std::string why) {
    refusal = read ? std::string() : std::move(why);
    return read;
}

template <typename Number, typename... Format>
bool read_all(std::string_view text, Number& output, Format... format) {
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, output, format...);
    return error == std::errc() && stopped == end;
}

template <typename Integer> bool read_integer(const std::string& input, Integer& output) {
    const bool hexadecimal = input.starts_with("0x") || input.starts_with("0X");
    const std::string_view digits = std::string_view(input).substr(hexadecimal ? 2 : 0);
    const bool read = !(hexadecimal && digits.starts_with('-')) &&
                      read_all(digits, output, hexadecimal ? 16 : 10);
    return answer(read, fmt::format("Value {} not in range {} to {}", input,
                                    std::numeric_limits<Integer>::min(),
                                    std::numeric_limits<Integer>::max()));
}

template <typename Float> bool read_float(const std::string& input, Float& output) {
    return answer(read_all(input, output) && std::isfinite(output),
                  fmt::format("Value {} is not a finite decimal number", input));
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

namespace blockloom::cli {

std::string failure_text(const CLI::App* app, const CLI::Error& error) {
    constexpr std::string_view before = "Could not convert: ", after = " = ";
    const std::string_view said = error.what();
    if (!said.starts_with(before) || refusal.empty())
        return CLI::FailureMessage::simple(app, error);
    const std::string_view name =
        said.substr(before.size(), said.find(after, before.size()) - before.size());
    return CLI::FailureMessage::simple(app,
                                       CLI::ConversionError(fmt::format("{}: {}", name, refusal)));
}

} // namespace blockloom::cli
