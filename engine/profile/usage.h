// What a run used over time: plain data. Every value was told by the system; nothing is guessed.
#pragma once

#include "base/clock.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::profile {

/// What a line tells, in its unit.
enum class Quantity : std::uint8_t {
    tried,          ///< transactions executed so far, tries that were rejected too
    tasks,          ///< of finished blocks so far
    blocks,         ///< finished so far
    process_cpu,    ///< permille of all cores, by this process, since the moment before
    machine_cpu,    ///< permille of all cores, by everybody, since the moment before
    process_memory, ///< bytes resident
    machine_memory, ///< bytes that are not available
    device_busy,    ///< permille of the time in which something ran, by the driver's own window
    device_memory,  ///< bytes in use, by everybody
    temperature,    ///< thousandths of a degree Celsius
    power,          ///< milliwatts
    count
};
/// "tried" … "power", and "permille", "bytes", "millidegrees", "milliwatts" or "" for counts.
[[nodiscard]] const char* name_of(Quantity quantity) noexcept;
[[nodiscard]] const char* unit_of(Quantity quantity) noexcept;
[[nodiscard]] std::optional<Quantity> quantity_named(std::string_view name) noexcept;

/// Stands for a value that was not told at its moment.
inline constexpr std::int64_t untold = std::numeric_limits<std::int64_t>::min();

/// One quantity over time.
struct UsageLine {
    std::string of; ///< "run", "host", or the device's name
    Quantity quantity = Quantity::tried;
    std::int64_t most = 0; ///< what it is a part of; 0: no such thing is known
    /// One a moment of the series, or none: it is not told at all.
    std::vector<std::int64_t> values;
    std::string why; ///< why it is not told at all; empty: it is

    [[nodiscard]] bool is_told() const noexcept { return why.empty(); }
    bool operator==(const UsageLine&) const = default;
};

/// All lines have the same moments.
struct UsageSeries {
    std::vector<Nanoseconds> at; ///< since the run's beginning, pauses included; ascending
    std::vector<UsageLine> lines;

    /// The first line of a quantity; null: there is none.
    [[nodiscard]] const UsageLine* find(Quantity quantity) const noexcept;
    bool operator==(const UsageSeries&) const = default;
};

/// How much a counting line grew a second, between each moment and the one before it: as many as
/// there are moments, the first is 0. 0 too where one of both was not told.
[[nodiscard]] std::vector<double> rate_of(const UsageSeries& series, const UsageLine& line);

/// Lowest, mean and highest of the values that were told; absent: none was.
struct UsageRange {
    std::int64_t lowest = 0, highest = 0;
    double mean = 0;
};
[[nodiscard]] std::optional<UsageRange> range_of(const UsageLine& line);

} // namespace blockloom::profile
