// Numbers as text, one way everywhere (docs/architecture.md#the-look): counts exact with commas,
// times, rates and ratios with three significant digits, the unit stepped.
#pragma once

#include "base/clock.h"

#include <array>
#include <cstdint>
#include <string>

namespace blockloom {

/// A decimal number's digits in groups: "2489.5" → "2,489.5".
[[nodiscard]] std::string with_commas(std::string digits);

/// "2,489".
[[nodiscard]] std::string count_text(std::uint64_t value);

/// "1 key", "2,489 keys": a count and its noun, whose plural takes an s.
[[nodiscard]] std::string counted(std::uint64_t count, const char* noun);
/// "1 vertex", "3 vertices".
[[nodiscard]] std::string counted(std::uint64_t count, const char* one, const char* many);

/// Three significant digits without an exponent: "35.0", "0.103", "1,920". NaN and infinities are
/// "—".
[[nodiscard]] std::string three_digits(double value);

/// "1.92×".
[[nodiscard]] std::string ratio_text(double value);

/// A share of 1 with one decimal: "81.2 %".
[[nodiscard]] std::string percent_text(double share);

/// "35.0 ms": the unit (ns, µs, ms, s) steps so that 1 ≤ value < 1000 where it can.
[[nodiscard]] std::string time_text(Nanoseconds value);

/// One unit for all times of a column or an axis.
struct TimeUnit {
    const char* name;
    double ns; ///< nanoseconds
};
inline constexpr std::array<TimeUnit, 4> time_units{
    {{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
/// The unit in which `largest` is 1 to 999, if there is one.
[[nodiscard]] TimeUnit time_unit(Nanoseconds largest);

/// "1.14 MiB".
[[nodiscard]] std::string size_text(std::uint64_t bytes);

/// Satoshi as "0.00012345 BTC".
[[nodiscard]] std::string bitcoin_text(std::uint64_t satoshi);

} // namespace blockloom
