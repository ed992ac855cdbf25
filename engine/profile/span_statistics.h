// What the spans of a stretch of time add up to, by what they are called; and those of one kind
// whose length lies between two bounds.
#pragma once

#include "profile/histogram.h"
#include "profile/timeline.h"

#include <stop_token>

namespace blockloom::profile {

/// Spans of one name that touch a range.
struct KindStatistics {
    std::uint16_t name = 0; ///< index into the timeline's names
    std::uint64_t count = 0;
    Nanoseconds busy = 0; ///< inside the range, added up over lanes; of nested spans each counts
    Histogram lengths;    ///< whole ones, also of spans that the range cuts
};

struct RangeStatistics {
    TimeRange range;
    std::uint64_t spans = 0;
    std::vector<KindStatistics> kinds; ///< those that are there, the busiest first
    std::vector<double> busy_shares;   ///< of the timeline's groups
};

/// Takes time in proportion to the spans in the range: about 10 ns each. Cancel gives an empty
/// answer.
[[nodiscard]] RangeStatistics statistics_of(const Timeline& timeline, TimeRange range,
                                            const std::stop_token& stop = {});

/// Which spans are looked for.
struct LengthBand {
    std::uint16_t name = 0;
    Nanoseconds low = 0, high = 0; ///< both belong to it
    bool operator==(const LengthBand&) const = default;
};

/// Spans that were looked for, by row and in order: how many of a box they are is found fast.
class MarkedSpans {
public:
    MarkedSpans() = default;
    /// Those of the band that touch `range`. Cancel gives none.
    MarkedSpans(const Timeline& timeline, TimeRange range, LengthBand band,
                const std::stop_token& stop = {});
    /// These.
    MarkedSpans(const Timeline& timeline, const std::vector<SpanRef>& spans);

    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    /// How many of [first, first + count) of a row.
    [[nodiscard]] std::uint64_t count_in(std::size_t row, std::uint32_t first,
                                         std::uint32_t count) const;

private:
    std::vector<std::vector<std::uint32_t>> rows_; ///< indices, ascending
    std::uint64_t count_ = 0;
};

} // namespace blockloom::profile
