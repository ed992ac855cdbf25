// The moments at which something happened.
#pragma once

#include "base/clock.h"

#include <vector>

namespace blockloom::profile {

/// Half-open: [begin, end), nanoseconds since the trace's start.
struct TimeRange {
    Nanoseconds begin = 0, end = 0;
    [[nodiscard]] Nanoseconds length() const noexcept { return end - begin; }
    bool operator==(const TimeRange&) const = default;
};

/// Disjoint ranges, ascending. Each operation is linear in the ranges.
class TimeCover {
public:
    TimeCover() = default;
    /// In any order; they may overlap.
    explicit TimeCover(std::vector<TimeRange> ranges);

    [[nodiscard]] const std::vector<TimeRange>& ranges() const noexcept { return ranges_; }
    [[nodiscard]] Nanoseconds length() const noexcept;
    /// What is in this one and not in `other`.
    [[nodiscard]] TimeCover without(const TimeCover& other) const;
    /// What is in both.
    [[nodiscard]] TimeCover within(const TimeCover& other) const;

private:
    std::vector<TimeRange> ranges_;
};

} // namespace blockloom::profile
