// How the numbers of options are read. CLI11 would read them with strtoull: -1 as the largest
// number, 010 as eight, " 7" as seven, and anything beyond the range as its end. These overloads
// are found first by its templates, for every option of every command; include this header, not
// CLI11's own.
#pragma once

#include <string>

namespace CLI::detail {

// Decimal digits, or hexadecimal ones after 0x; a minus for signed types alone. Nothing before,
// between or after them, and a value that the type holds.
bool lexical_cast(const std::string& input, short& output);
bool lexical_cast(const std::string& input, int& output);
bool lexical_cast(const std::string& input, long& output);
bool lexical_cast(const std::string& input, long long& output);
bool lexical_cast(const std::string& input, unsigned short& output);
bool lexical_cast(const std::string& input, unsigned int& output);
bool lexical_cast(const std::string& input, unsigned long& output);
bool lexical_cast(const std::string& input, unsigned long long& output);

// A finite number in decimal digits, with a point and an exponent if need be.
bool lexical_cast(const std::string& input, float& output);
bool lexical_cast(const std::string& input, double& output);

} // namespace CLI::detail

#include <CLI/CLI.hpp> // IWYU pragma: export: after the overloads, which its templates are to see

namespace blockloom::cli {

/// What is said of wrong usage, the CLI11 way: of a number that could not be read as of one that an
/// option's range refuses, "NAME: Value 5x not in range 1 to 64".
[[nodiscard]] std::string failure_text(const CLI::App* app, const CLI::Error& error);

} // namespace blockloom::cli
