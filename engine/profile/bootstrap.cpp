#include "profile/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace blockloom::profile {
namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers with every standard library.
class Draws {
public:
    explicit Draws(std::uint64_t seed) : state_(seed) {}
    /// Below `bound`, by Lemire's multiplication; the bias is under 2^-32 for our sizes.
    std::size_t below(std::size_t bound) noexcept {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        const std::uint64_t high = (z ^ (z >> 31U)) >> 32U;
        return static_cast<std::size_t>((high * bound) >> 32U);
    }

private:
    std::uint64_t state_;
};

double middle(const std::vector<Nanoseconds>& sorted) {
    const std::size_t n = sorted.size();
    const double upper = static_cast<double>(sorted[n / 2]);
    return n % 2 == 1 ? upper : (static_cast<double>(sorted[n / 2 - 1]) + upper) / 2;
}

/// Medians of resamples, without sorting any: how often each rank was drawn says where the middle
/// is.
class Resampler {
public:
    Resampler(std::span<const Nanoseconds> samples, Draws& draws)
        : sorted_(samples.begin(), samples.end()), drawn_(samples.size()), draws_(draws) {
        std::sort(sorted_.begin(), sorted_.end());
    }

    double next() {
        const std::size_t n = sorted_.size();
        std::fill(drawn_.begin(), drawn_.end(), 0);
        for (std::size_t i = 0; i < n; ++i) ++drawn_[draws_.below(n)];
        const std::size_t upper = n / 2, lower = n % 2 == 1 ? upper : upper - 1;
        std::size_t seen = 0, rank = 0;
        while (seen + drawn_[rank] <= lower) seen += drawn_[rank++];
        const double first = static_cast<double>(sorted_[rank]);
        if (lower == upper) return first;
        while (seen + drawn_[rank] <= upper) seen += drawn_[rank++];
        return (first + static_cast<double>(sorted_[rank])) / 2;
    }

private:
    std::vector<Nanoseconds> sorted_;
    std::vector<std::uint32_t> drawn_;
    Draws& draws_;
};

/// As many as asked for, fewer where there are very many samples: their medians spread less than
/// their count needs, and the time grows with the samples instead of with 4,000 times as many.
unsigned resamples_for(std::size_t samples, const BootstrapOptions& options) {
    constexpr std::size_t draws = std::size_t{1} << 26U, fewest = 100;
    return static_cast<unsigned>(
        std::min<std::size_t>(options.resamples, std::max(draws / samples, fewest)));
}

Interval ends(std::vector<double>& statistics, double confidence) {
    std::sort(statistics.begin(), statistics.end());
    const double tail = (1 - confidence) / 2;
    const double last = static_cast<double>(statistics.size() - 1);
    // Rounded outwards: an interval should rather be too wide than too narrow.
    const auto low = static_cast<std::size_t>(std::floor(tail * last));
    const auto high = static_cast<std::size_t>(std::ceil((1 - tail) * last));
    return {statistics[low], statistics[high]};
}

} // namespace

double median_of(std::span<const Nanoseconds> samples) {
    if (samples.empty()) return 0;
    std::vector<Nanoseconds> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());
    return middle(sorted);
}

std::optional<Interval> median_interval(std::span<const Nanoseconds> samples,
                                        const BootstrapOptions& options) {
    if (samples.size() < fewest_samples || options.resamples == 0) return std::nullopt;
    Draws draws(options.seed);
    Resampler resampler(samples, draws);
    std::vector<double> medians(resamples_for(samples.size(), options));
    for (double& median : medians) median = resampler.next();
    return ends(medians, options.confidence);
}

std::optional<Interval> ratio_interval(std::span<const Nanoseconds> a,
                                       std::span<const Nanoseconds> b,
                                       const BootstrapOptions& options) {
    if (a.size() < fewest_samples || b.size() < fewest_samples || options.resamples == 0)
        return std::nullopt;
    if (std::any_of(b.begin(), b.end(), [](Nanoseconds sample) { return sample <= 0; }))
        return std::nullopt;
    Draws draws(options.seed);
    Resampler over(a, draws), under(b, draws);
    std::vector<double> ratios(resamples_for(a.size() + b.size(), options));
    for (double& ratio : ratios) {
        const double above = over.next();
        ratio = above / under.next();
    }
    return ends(ratios, options.confidence);
}

} // namespace blockloom::profile
