// Times in buckets whose width grows with the value: small, with exact counts.
#pragma once

#include "base/clock.h"

#include <cstdint>
#include <vector>

namespace blockloom::profile {

/// Values from 0 up, negative ones count as 0. Each power of two is cut into 64 buckets, so a
/// bucket is at most 1/64 of its values wide; below 64 each value has its own.
class Histogram {
public:
    struct Bucket {
        Nanoseconds low = 0, high = 0; ///< both inclusive
        std::uint64_t count = 0;
    };

    void add(Nanoseconds value, std::uint64_t times = 1);

    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    /// 0 if nothing was added.
    [[nodiscard]] Nanoseconds least() const noexcept { return count_ == 0 ? 0 : least_; }
    [[nodiscard]] Nanoseconds most() const noexcept { return most_; }
    /// Nearest rank, 0 < percent <= 100: the upper end of the bucket that holds it, but not above
    /// the largest value. At most 1/64 above the sample itself, never below.
    [[nodiscard]] Nanoseconds percentile(double percent) const;
    /// Non-empty buckets, ascending.
    [[nodiscard]] std::vector<Bucket> buckets() const;
    /// Adjacent bins from the smallest to the largest value, including empty ones: the finest
    /// division of each power of two into 1, 2, 4 … 64 that gives at most `most` bins (or 1, if
    /// even that gives more).
    [[nodiscard]] std::vector<Bucket> bins(std::size_t most) const;

    bool operator==(const Histogram&) const = default;

private:
    std::vector<std::uint64_t> counts_; ///< by bucket, up to the last non-empty one
    std::uint64_t count_ = 0;
    Nanoseconds least_ = 0, most_ = 0;
};

} // namespace blockloom::profile
