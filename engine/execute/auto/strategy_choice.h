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
    [[nodiscard]] Chosen next(const WindowOutlook& outlook) const;

    /// Whether it matters how much dag would have repeated of the next window by `optimistic`.
    [[nodiscard]] bool wants_examination() const noexcept;

    /// A window that ran by this strategy: its wall time, and the time for which its executions
    /// kept workers busy, of which `executions` were made for `tasks` tasks. `dag_would_repeat`:
    /// the share of tasks, 0..1; nothing: it was not examined.
    void note(Strategy strategy, const WindowOutlook& outlook, Nanoseconds wall, Nanoseconds busy,
              std::uint64_t executions, std::optional<double> dag_would_repeat = {});

private:
    /// What is expected of a strategy if it reaches all that the tasks allow.
    [[nodiscard]] static double bound(Strategy strategy, const WindowOutlook& outlook) noexcept;

    /// Strategies that it chooses from.
    static constexpr std::array candidates{Strategy::serial, Strategy::speculative, Strategy::dag,
                                           Strategy::optimistic, Strategy::predict};
    /// By strategy: the share of its bound that it reached, at first a guess.
    std::array<double, all_strategies.size()> reached_ = first_guess();
    std::array<bool, all_strategies.size()> measured_{}; ///< by strategy
    /// By strategy: windows that were not counted, because it still learned.
    std::array<unsigned, all_strategies.size()> learned_{};
    unsigned flow_windows_ = 0;   ///< that ran by dag or optimistic
    unsigned examine_at_ = 0;     ///< `flow_windows_` before the next window that is examined
    double dag_would_repeat_ = 0; ///< of the latest one: the share of tasks
    [[nodiscard]] static std::array<double, all_strategies.size()> first_guess() noexcept;
};

} // namespace blockloom::execute
