// How numbers in options are read. CLI11 would use strtoull and take -1 as the largest number, 010
// as eight, " 7" as seven, and anything out of range as the end of the range. Its templates find
// these overloads first, for every option of every command; include this header, not CLI11's own.
#pragma once

#include <string>

namespace CLI::detail {

// Decimal digits, or hexadecimal digits after 0x; a minus sign for signed types only. Nothing
// before, between or after them, and a value that fits the type.
bool lexical_cast(const std::string& input, short& output);
bool lexical_cast(const std::string& input, int& output);
bool lexical_cast(const std::string& input, long& output);
bool lexical_cast(const std::string& input, long long& output);
bool lexical_cast(const std::string& input, unsigned short& output);
bool lexical_cast(const std::string& input, unsigned int& output);
bool lexical_cast(const std::string& input, unsigned long& output);
bool lexical_cast(const std::string& input, unsigned long long& output);

// A finite decimal number, with an optional point and exponent.
bool lexical_cast(const std::string& input, float& output);
bool lexical_cast(const std::string& input, double& output);

} // namespace CLI::detail

#include <CLI/CLI.hpp> // IWYU pragma: export: after the overloads, which its templates are to see

namespace blockloom::cli {

/// The error message of wrong usage: an unreadable number is reported like one out of range,
/// "NAME: Value 5x not in range 1 to 64".
[[nodiscard]] std::string failure_text(const CLI::App* app, const CLI::Error& error);

} // namespace blockloom::cli
