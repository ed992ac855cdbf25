// Chooses the strategy of the next block window: what its tasks are expected to allow, corrected by
// what each strategy reached so far (docs/execution.md#auto).
#pragma once

#include "base/clock.h"
#include "execute/strategy.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace blockloom::execute {

/// What is expected of a block window before it runs.
struct WindowOutlook {
    std::uint32_t tasks = 0;
    double width = 1;       ///< Executor::width
    double parallelism = 1; ///< work / span of the graph of learned sets
    bool any_edges = false; ///< some task waits for another one
    /// The share of tasks whose shared keys all change in ways that are known; 0..1.
    double predictable = 0;
};

/// For one replay. Knows no clock: it is given what was measured.
class StrategyChoice {
public:
    /// Windows with fewer tasks say nothing about a strategy.
    static constexpr std::uint32_t enough_tasks = 64;

    struct Chosen {
        Strategy strategy = Strategy::serial;
        double expected = 1; ///< speed-up over block order
        std::string why;     ///< a clause for the log
    };
    /// `without`: not this one.
    [[nodiscard]] Chosen next(const WindowOutlook& outlook,
                              std::optional<Strategy> without = {}) const;

    /// Whether it matters how much dag would have repeated of the next window by `optimistic`.
    [[nodiscard]] bool wants_examination() const noexcept;

    /// How a window went.
    struct Measured {
        Nanoseconds wall = 0;
        Nanoseconds busy = 0;         ///< for which its executions kept workers busy
        std::uint64_t executions = 0; ///< that were made for its tasks
        std::uint64_t gas = 0;        ///< of its successful messages
    };
    /// A window that ran by this strategy. `dag_would_repeat`: the share of tasks, 0..1; nothing:
    /// it was not examined.
    void note(Strategy strategy, const WindowOutlook& outlook, const Measured& measured,
              std::optional<double> dag_would_repeat = {});

private:
    /// What is expected of a strategy if it reaches all that the tasks allow.
    [[nodiscard]] static double bound(Strategy strategy, const WindowOutlook& outlook) noexcept;

    /// Strategies that it chooses from.
    static constexpr std::array candidates{Strategy::serial, Strategy::speculative, Strategy::dag,
                                           Strategy::optimistic, Strategy::predict};
    /// The share of its bound that it reached, at first a guess.
    [[nodiscard]] double reached(Strategy strategy) const noexcept;

    // Work is counted in gas; a transaction has some besides that of its messages.
    /// For how long a unit of work keeps a worker busy: the mean of the latest windows, whatever
    /// strategy they ran by, ns.
    double each_ = 0;
    /// By strategy: the wall time of a unit, multiplied by the bound, ns; 0: not measured.
    std::array<double, all_strategies.size()> cost_{};
    /// By strategy: windows that were not counted, because it still learned.
    std::array<unsigned, all_strategies.size()> learned_{};
    unsigned flow_windows_ = 0; ///< that ran by dag or optimistic
    unsigned examine_at_ = 0;   ///< `flow_windows_` before the next window that is examined
    std::optional<double> dag_would_repeat_; ///< of the latest one: the share of tasks
    [[nodiscard]] static std::array<double, all_strategies.size()> first_guess() noexcept;
};

} // namespace blockloom::execute
