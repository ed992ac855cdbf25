#include "base/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace blockloom {
namespace {

/// Three significant digits of a value that is stepped through units of `step`.
template <std::size_t N>
std::string stepped(double value, double step, const std::array<const char*, N>& units) {
    std::size_t unit = 0;
    // 999.5 and more would print as 1,000: it belongs to the next unit.
    while (unit + 1 < N && value >= (step == 1000.0 ? 999.5 : 1023.5)) {
        value /= step;
        ++unit;
    }
    return fmt::format("{} {}",
                       unit == 0 ? with_commas(fmt::format("{:.0f}", value)) : three_digits(value),
                       units[unit]);
}

} // namespace

std::string with_commas(std::string digits) {
    const auto end = std::min(digits.find('.'), digits.size());
    const std::size_t begin = digits.starts_with('-') ? 1 : 0;
    for (std::size_t at = end; at > begin + 3; at -= 3) digits.insert(at - 3, 1, ',');
    return digits;
}

std::string count_text(std::uint64_t value) {
    return with_commas(fmt::format("{}", value));
}

std::string counted(std::uint64_t count, const char* noun) {
    return fmt::format("{} {}{}", count_text(count), noun, count == 1 ? "" : "s");
}

std::string counted(std::uint64_t count, const char* one, const char* many) {
    return fmt::format("{} {}", count_text(count), count == 1 ? one : many);
}

std::string three_digits(double value) {
    if (!std::isfinite(value)) return "—";
    const double size = std::abs(value);
    if (size < 0.0000005) return "0";
    int decimals = 2 - static_cast<int>(std::floor(std::log10(size)));
    // Rounding may carry into a further digit (9.996 -> 10.0).
    if (decimals >= 0 && size * std::pow(10.0, decimals) >= 999.5) --decimals;
    return with_commas(fmt::format("{:.{}f}", value, std::max(decimals, 0)));
}

std::string ratio_text(double value) {
    return three_digits(value) + "×";
}

std::string percent_text(double share) {
    return fmt::format("{:.1f} %", share * 100.0);
}

std::string time_text(Nanoseconds value) {
    if (value < 0) return "—";
    static constexpr std::array<const char*, 4> units{"ns", "µs", "ms", "s"};
    return stepped(static_cast<double>(value), 1000.0, units);
}

TimeUnit time_unit(Nanoseconds largest) {
    TimeUnit unit = time_units.front();
    for (const TimeUnit& each : time_units)
        if (static_cast<double>(largest) >= each.ns) unit = each;
    return unit;
}

std::string size_text(std::uint64_t bytes) {
    static constexpr std::array<const char*, 4> units{"B", "KiB", "MiB", "GiB"};
    return stepped(static_cast<double>(bytes), 1024.0, units);
}

std::string bitcoin_text(std::uint64_t satoshi) {
    constexpr std::uint64_t coin = 100'000'000;
    return fmt::format("{}.{:08} BTC", count_text(satoshi / coin), satoshi % coin);
}

} // namespace blockloom
