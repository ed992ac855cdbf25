#include "runs/median_repetition.h"

#include "base/number_text.h"
#include "profile/warm_up.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <vector>

namespace blockloom::runs {

std::size_t median_repetition(std::span<const Nanoseconds> walls) {
    const std::size_t first = profile::warm_up_of(walls);
    if (first >= walls.size()) return 0;
    std::vector<std::size_t> order(walls.size() - first);
    std::iota(order.begin(), order.end(), first);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return walls[a] < walls[b]; });
    return order[(order.size() - 1) / 2];
}

std::string wall_words(const KeptRun& run) {
    if (run.repetitions < 2) return time_text(run.wall);
    const std::uint64_t counted_ones =
        run.repetitions - std::min<std::uint64_t>(run.warm_up, run.repetitions - 1);
    return fmt::format("{}, median of {}", time_text(run.wall),
                       counted(counted_ones, "repetition"));
}

std::string phases_words(const KeptRun& run) {
    if (run.repetitions < 2) return {};
    if (run.median_repetition == 0)
        return fmt::format("last repetition, {}", time_text(run.phases.sum()));
    return fmt::format("median repetition ({} of {}), {}", run.median_repetition, run.repetitions,
                       time_text(run.phases.sum()));
}

std::string last_words(const KeptRun& run) {
    if (run.repetitions < 2) return {};
    return fmt::format("last repetition ({} of {}), {}", run.repetitions, run.repetitions,
                       time_text(run.last_phases.sum()));
}

} // namespace blockloom::runs
