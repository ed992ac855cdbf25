// Two kept runs of the same inputs compared: what `compare` prints and the Compare panel shows.
#pragma once

#include "profile/bootstrap.h"
#include "runs/run_figures.h"

namespace blockloom::runs {

/// Repetitions that give an interval even where half of them are warm-up.
inline constexpr std::size_t enough_repetitions = 2 * profile::fewest_samples;

/// Whether two runs came to the same state.
enum class Equality {
    equal,       ///< every digest that both have is equal
    unequal,     ///< one differs: at least one of the runs is wrong
    unknown,     ///< they have no digest in common
    other_input, ///< different blocks or rules: nothing to compare
};

/// A time of both runs. Medians where there are repetitions.
struct ComparedTime {
    std::string name; ///< "wall", a phase, "p95"
    Nanoseconds a = 0, b = 0;
    std::size_t a_samples = 1, b_samples = 1;  ///< behind each median, warm-up excluded
    std::optional<double> ratio;               ///< a over b: above 1, B is faster; absent: one is 0
    std::optional<profile::Interval> interval; ///< 95 %, of the ratio; absent: too few samples
    /// The interval contains 1.
    [[nodiscard]] bool no_difference() const noexcept { return interval && interval->holds(1); }
};

/// A count of both runs; counts are exact and have no interval.
struct ComparedCount {
    std::string name;
    std::uint64_t a = 0, b = 0;
};

struct ComparedBlock {
    std::uint64_t height = 0;
    std::string hash;
    std::uint64_t tasks = 0;
    ComparedTime time;
    std::optional<bool> digests_equal; ///< absent: one has none
};

/// Where two runs first diverge, according to their records.
struct Divergence {
    std::uint64_t height = 0;
    std::string digest_a, digest_b;
    std::optional<std::uint32_t> transaction; ///< in its block
    std::optional<std::uint32_t> protostone;  ///< of the transaction
    std::string key;                          ///< the first changed key that differs, printed
    std::string text;                         ///< the whole in one line
};

/// Of the percentile that is the median repetition: `wall` has it, with its interval.
inline constexpr std::string_view name_of_median = "p50";

struct RunComparison {
    std::string a, b;    ///< ids
    std::string refusal; ///< why they cannot be compared; empty: they can, and the rest is filled
    Equality digests = Equality::unknown;
    std::string digest_text; ///< the first digest that differs; empty: none does
    std::optional<Divergence> divergence;
    ComparedTime wall;                     ///< of the median repetitions
    std::vector<ComparedTime> percentiles; ///< p50, p95, p99 over the repetitions of each run
    std::vector<ComparedTime> phases;      ///< those that took time in one of them
    std::vector<ComparedBlock> blocks;
    std::vector<ComparedCount> statuses; ///< tasks, succeeded, reverted, on device, ejections …
    std::vector<std::string> notes;      ///< what must be known to read the figures

    /// The times can be compared: same inputs, and no digests that are known to differ.
    [[nodiscard]] bool ranks() const noexcept {
        return refusal.empty() && digests != Equality::unequal;
    }
};

/// Why two runs do not have the same inputs, in words; empty: they do.
[[nodiscard]] std::string input_difference(const KeptRun& a, const KeptRun& b);

/// Whether the runs can be compared and have the same results, without their times: the start of
/// compare_runs(), without any resampling.
[[nodiscard]] RunComparison compare_results(const KeptRun& a, const KeptRun& b);

/// `seed` of the resampling: the same runs and seed give the same intervals.
[[nodiscard]] RunComparison compare_runs(const KeptRun& a, const KeptRun& b,
                                         std::uint64_t seed = profile::BootstrapOptions().seed);

/// "B is 1.92× as fast as A (95 % 1.80–2.05)", "no significant difference …", or why nothing is
/// said.
[[nodiscard]] std::string verdict_text(const RunComparison& comparison);

/// The result of a regression gate.
struct Gate {
    enum class Outcome : std::uint8_t {
        passed,   ///< not significantly slower by more than the limit
        slower,   ///< the whole interval is beyond the limit
        unequal,  ///< the results differ: no speed excuses that
        undecided ///< too few repetitions for an interval
    } outcome = Outcome::undecided;
    std::string text;
};

/// Compares run B with baseline A. `limit`: 0.05 lets B take 5 % longer. "Slower" only where the
/// lower end of the interval of B's time over A's is beyond the limit.
[[nodiscard]] Gate gate(const RunComparison& baseline_and_run, double limit);

} // namespace blockloom::runs
