// How fast a piece of work is and how long it will still take, from its progress.
#pragma once

#include "base/clock.h"
#include "base/progress.h"

#include <optional>

namespace blockloom {

/// Follows the reports of one piece of work after the other. Another total, or a smaller count,
/// begins a new piece; another phase of the same total does not.
class WorkPace {
public:
    struct Estimate {
        std::optional<double> per_second; ///< absent: too early
        std::optional<Nanoseconds> left;  ///< absent: too early, or the total is unknown
    };

    /// `now`: of a steady clock.
    [[nodiscard]] Estimate follow(const Progress& progress, Nanoseconds now) noexcept;

    /// Before this time of a piece of work nothing is estimated.
    static constexpr Nanoseconds steady_after = 500'000'000;

private:
    bool begun_ = false;
    Nanoseconds begin_ = 0;
    std::uint64_t first_ = 0, done_ = 0, total_ = 0;
};

} // namespace blockloom
