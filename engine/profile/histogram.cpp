#include "profile/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace blockloom::profile {
namespace {

constexpr unsigned bits = 6; ///< 64 buckets a power of two

// `cut`: each power of two is cut into 2^cut buckets, those below 2^cut hold one value each.
std::size_t bucket_of(Nanoseconds value, unsigned cut = bits) {
    const auto v = static_cast<std::uint64_t>(value);
    if (v < (1U << cut)) return static_cast<std::size_t>(v);
    const auto shift = static_cast<unsigned>(std::bit_width(v)) - 1 - cut;
    return static_cast<std::size_t>((std::uint64_t{shift} << cut) + (v >> shift));
}

Nanoseconds low_of(std::size_t bucket, unsigned cut = bits) {
    if (bucket < (std::size_t{2} << cut)) return static_cast<Nanoseconds>(bucket);
    const std::size_t shift = (bucket >> cut) - 1;
    return static_cast<Nanoseconds>((bucket - (shift << cut)) << shift);
}

Nanoseconds high_of(std::size_t bucket, unsigned cut = bits) {
    const std::size_t shift = bucket < (std::size_t{2} << cut) ? 0 : (bucket >> cut) - 1;
    return low_of(bucket, cut) + static_cast<Nanoseconds>((std::uint64_t{1} << shift) - 1);
}

} // namespace

void Histogram::add(Nanoseconds value, std::uint64_t times) {
    if (times == 0) return;
    value = std::max<Nanoseconds>(value, 0);
    const std::size_t bucket = bucket_of(value);
    if (bucket >= counts_.size()) counts_.resize(bucket + 1);
    counts_[bucket] += times;
    least_ = count_ == 0 ? value : std::min(least_, value);
    most_ = std::max(most_, value);
    count_ += times;
}

Nanoseconds Histogram::percentile(double percent) const {
    if (count_ == 0) return 0;
    const double wanted = std::ceil(static_cast<double>(count_) * percent / 100);
    const auto rank = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1, count_);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        seen += counts_[i];
        if (seen >= rank) return std::min(high_of(i), most_);
    }
    return most_;
}

std::vector<Histogram::Bucket> Histogram::buckets() const {
    std::vector<Bucket> found;
    for (std::size_t i = 0; i < counts_.size(); ++i)
        if (counts_[i] != 0) found.push_back({low_of(i), high_of(i), counts_[i]});
    return found;
}

std::vector<Histogram::Bucket> Histogram::bins(std::size_t most) const {
    if (count_ == 0) return {};
    unsigned cut = bits;
    while (cut > 0 && bucket_of(most_, cut) - bucket_of(least_, cut) >= most) --cut;
    const std::size_t first = bucket_of(least_, cut);
    std::vector<Bucket> found(bucket_of(most_, cut) - first + 1);
    for (std::size_t i = 0; i < found.size(); ++i)
        found[i] = {low_of(first + i, cut), high_of(first + i, cut), 0};
    // A coarser bucket holds whole fine ones.
    for (std::size_t i = 0; i < counts_.size(); ++i)
        if (counts_[i] != 0) found[bucket_of(low_of(i), cut) - first].count += counts_[i];
    return found;
}

} // namespace blockloom::profile
