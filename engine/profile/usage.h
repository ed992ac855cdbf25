// The resource usage of a run over time, as plain data. Every value was reported by the system;
// nothing is guessed.
#pragma once

#include "base/clock.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::profile {

/// The quantity of a line, with its unit.
enum class Quantity : std::uint8_t {
    tried,          ///< transactions executed so far, including rejected attempts
    tasks,          ///< of finished blocks so far
    blocks,         ///< finished so far
    process_cpu,    ///< permille of all cores, by this process, since the previous sample
    machine_cpu,    ///< permille of all cores, by all processes, since the previous sample
    process_memory, ///< bytes resident
    machine_memory, ///< bytes that are not available
    device_busy,    ///< permille of the time in which something ran, over the driver's own interval
    device_memory,  ///< bytes in use, by all processes
    temperature,    ///< thousandths of a degree Celsius
    power,          ///< milliwatts
    count
};
/// "tried" … "power", and "permille", "bytes", "millidegrees", "milliwatts" or "" for counts.
[[nodiscard]] const char* name_of(Quantity quantity) noexcept;
[[nodiscard]] const char* unit_of(Quantity quantity) noexcept;
[[nodiscard]] std::optional<Quantity> quantity_named(std::string_view name) noexcept;

/// Marks a value that was not reported at that time.
inline constexpr std::int64_t no_value = std::numeric_limits<std::int64_t>::min();

/// One quantity over time.
struct UsageLine {
    std::string of; ///< "run", "host", or the device's name
    Quantity quantity = Quantity::tried;
    std::int64_t most = 0; ///< the maximum; 0: unknown
    /// One per sample of the series, or empty: it is unavailable.
    std::vector<std::int64_t> values;
    std::string why; ///< why it is unavailable; empty: it is available

    [[nodiscard]] bool is_available() const noexcept { return why.empty(); }
    bool operator==(const UsageLine&) const = default;
};

/// All lines have the same sample times.
struct UsageSeries {
    std::vector<Nanoseconds> at; ///< since the run's beginning, pauses included; ascending
    std::vector<UsageLine> lines;

    /// The first line of a quantity; null: there is none.
    [[nodiscard]] const UsageLine* find(Quantity quantity) const noexcept;
    bool operator==(const UsageSeries&) const = default;
};

/// How much a counting line grew per second between each sample and the previous one: one value per
/// sample, the first is 0. Also 0 if one of the two was not reported.
[[nodiscard]] std::vector<double> rate_of(const UsageSeries& series, const UsageLine& line);

} // namespace blockloom::profile
