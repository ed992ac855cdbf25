// Numbers as text, one way everywhere (docs/architecture.md#the-look): counts exact with commas,
// times, rates and ratios with three significant digits, the unit stepped.
#pragma once

#include "base/clock.h"

#include <cstdint>
#include <string>

namespace blockloom::range {

/// "2,489".
[[nodiscard]] std::string count_text(std::uint64_t value);

/// "1 key", "2,489 keys": a count and its noun, whose plural takes an s.
[[nodiscard]] std::string counted(std::uint64_t count, const char* noun);

/// Three significant digits without an exponent: "35.0", "0.103", "1,920". NaN and infinities are
/// "—".
[[nodiscard]] std::string three_digits(double value);

/// "1.92×".
[[nodiscard]] std::string ratio_text(double value);

/// A share of 1 with one decimal: "81.2 %".
[[nodiscard]] std::string percent_text(double share);

/// "35.0 ms": the unit (ns, µs, ms, s) steps so that 1 ≤ value < 1000 where it can.
[[nodiscard]] std::string time_text(Nanoseconds value);

/// "1.14 MiB".
[[nodiscard]] std::string size_text(std::uint64_t bytes);

/// Satoshi as "0.00012345 BTC".
[[nodiscard]] std::string bitcoin_text(std::uint64_t satoshi);

} // namespace blockloom::range
