// Which repetition represents a run: phases beside a wall time are those of one repetition, so that
// they sum to it.
#pragma once

#include "base/clock.h"
#include "runs/kept_run.h"

#include <cstddef>
#include <span>
#include <string>

namespace blockloom::runs {

/// Index of the repetition with the median wall time, warm-up excluded; of an even number the lower
/// of the middle two, of equal ones the first. `walls` in the order of the repetitions; 0 without
/// any.
[[nodiscard]] std::size_t median_repetition(std::span<const Nanoseconds> walls);

/// "2.18 s, median of 10 repetitions"; "2.18 s" of a single one.
[[nodiscard]] std::string wall_words(const KeptRun& run);

/// The repetition that a run's phases are of: "median repetition (7 of 10), 2.17 s"; empty where
/// there was only one.
[[nodiscard]] std::string phases_words(const KeptRun& run);

/// The repetition that spans, busy times, the gap and the blocks' phases are of: "last repetition
/// (10 of 10), 2.31 s"; empty where there was only one.
[[nodiscard]] std::string last_words(const KeptRun& run);

} // namespace blockloom::runs
