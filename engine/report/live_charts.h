// Charts of what a run does and uses over time.
#pragma once

#include "charts/chart.h"
#include "runs/run_progress.h"

#include <span>
#include <string>
#include <utility>

namespace blockloom::report {

/// The wall time of each finished block, in order, as steps; with many blocks a step is the mean of
/// several neighbours. `all`: blocks of the whole run, for which the axis has room.
[[nodiscard]] charts::Chart stretches_chart(std::span<const execute::LiveStretch> stretches,
                                            std::uint64_t all);

/// One lane per quantity on a common time axis. The top of a lane is 100 % for shares, and the
/// highest value for everything else. Hatched: the run was paused. Quantities without data are left
/// out, and `left_out` says why. The points of the first lane show the values of all lanes at their
/// moment.
[[nodiscard]] charts::Chart
usage_chart(const profile::UsageSeries& usage,
            std::span<const std::pair<Nanoseconds, Nanoseconds>> pauses);

/// "processor, this program", "temperature": a quantity in words.
[[nodiscard]] const char* words_of(profile::Quantity quantity) noexcept;
/// A value in its unit: "81.2 %", "1.14 MiB", "41.0 °C", "123 W", "1,204".
[[nodiscard]] std::string value_text(profile::Quantity quantity, double value);
[[nodiscard]] bool is_share(profile::Quantity quantity) noexcept;

} // namespace blockloom::report
