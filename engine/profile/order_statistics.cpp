#include "profile/order_statistics.h"

#include <algorithm>
#include <cmath>

namespace blockloom::profile {
namespace {

Nanoseconds nearest_rank(const std::vector<Nanoseconds>& sorted, std::size_t percent) {
    const std::size_t rank = (sorted.size() * percent + 99) / 100;
    return sorted[std::max<std::size_t>(rank, 1) - 1];
}

/// The largest k for which sorted[k] … sorted[n - 1 - k] holds the median with 95 %: the chance
/// that at most k of n fair coins fall heads is at most 2.5 %.
std::optional<std::size_t> interval_rank(std::size_t samples) {
    double at_most = 0, log_ways = 0; // log of n over i
    const double n = static_cast<double>(samples);
    std::optional<std::size_t> rank;
    for (std::size_t i = 0; i <= samples / 2; ++i) {
        at_most += std::exp(log_ways - n * std::log(2.0));
        if (at_most > 0.025) break;
        rank = i;
        log_ways += std::log((n - static_cast<double>(i)) / static_cast<double>(i + 1));
    }
    return rank;
}

} // namespace

OrderStatistics order_statistics(std::vector<Nanoseconds> samples) {
    OrderStatistics result;
    if (samples.empty()) return result;
    std::sort(samples.begin(), samples.end());
    const std::size_t n = samples.size();
    result.median = n % 2 == 1 ? samples[n / 2]
                               : samples[n / 2 - 1] + (samples[n / 2] - samples[n / 2 - 1]) / 2;
    result.p50 = nearest_rank(samples, 50);
    result.p95 = nearest_rank(samples, 95);
    result.p99 = nearest_rank(samples, 99);
    if (const auto rank = interval_rank(n))
        result.ci95.emplace(samples[*rank], samples[n - 1 - *rank]);
    return result;
}

} // namespace blockloom::profile
