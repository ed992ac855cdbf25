// Sums over the spans in a range of time, by name; and the spans of one kind whose length is
// between two bounds.
#pragma once

#include "profile/histogram.h"
#include "profile/timeline.h"

#include <stop_token>

namespace blockloom::profile {

/// Spans of one name that overlap a range.
struct KindStatistics {
    std::uint16_t name = 0; ///< index into the timeline's names
    std::uint64_t count = 0;
    Nanoseconds busy = 0; ///< inside the range, summed over lanes; nested spans each count
    Histogram lengths;    ///< whole lengths, also of spans that are only partly in the range
};

struct RangeStatistics {
    TimeRange range;
    std::uint64_t spans = 0;
    std::vector<KindStatistics> kinds; ///< those that occur, the busiest first
    std::vector<double> busy_shares;   ///< of the timeline's groups
};

/// Time is proportional to the spans in the range: about 10 ns each. Returns an empty result if
/// cancelled.
[[nodiscard]] RangeStatistics statistics_of(const Timeline& timeline, TimeRange range,
                                            const std::stop_token& stop = {});

/// Selects spans by length.
struct LengthBand {
    std::uint16_t name = 0;
    Nanoseconds low = 0, high = 0; ///< both inclusive
    bool operator==(const LengthBand&) const = default;
};

/// Selected spans, by row and in order: counts how many are in a box quickly.
class MarkedSpans {
public:
    MarkedSpans() = default;
    /// Spans of the band that overlap `range`. None if cancelled.
    MarkedSpans(const Timeline& timeline, TimeRange range, LengthBand band,
                const std::stop_token& stop = {});
    /// These.
    MarkedSpans(const Timeline& timeline, const std::vector<SpanRef>& spans);

    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    /// How many of [first, first + count) in a row are selected.
    [[nodiscard]] std::uint64_t count_in(std::size_t row, std::uint32_t first,
                                         std::uint32_t count) const;

private:
    std::vector<std::vector<std::uint32_t>> rows_; ///< indices, ascending
    std::uint64_t count_ = 0;
};

} // namespace blockloom::profile
