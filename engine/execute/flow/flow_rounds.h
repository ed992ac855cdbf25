// The strategies levels, dag and optimistic: flows until everything is accepted or they no longer
// pay off.
#pragma once

#include "execute/flow/expected_tasks.h"
#include "execute/flow/flow.h"
#include "execute/hints.h"
#include "execute/strategy.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace blockloom::execute {

/// For one block window, a few thousand tasks after the other. Those of them that mostly wait for
/// each other run in block order, but for levels. An executor without flows runs the graph's levels
/// as rounds.
class FlowRounds final : public RoundStrategy {
public:
    /// `hints` and `memory` must outlive this object.
    FlowRounds(const StrategyOptions& options, const Hints& hints, StrategyMemory& memory)
        : options_(options), hints_(hints), memory_(memory) {}
    /// The same where these are there already,
    FlowRounds(const StrategyOptions& options, const Hints& hints, StrategyMemory& memory,
               ExpectedTasks expected)
        : options_(options), hints_(hints), memory_(memory), expected_(std::move(expected)) {}
    /// also the graph of all tasks.
    FlowRounds(const StrategyOptions& options, const Hints& hints, StrategyMemory& memory,
               ExpectedTasks expected, TaskGraph graph)
        : options_(options), hints_(hints), memory_(memory), expected_(std::move(expected)),
          graph_(std::move(graph)), graph_is_there_(true) {}

    [[nodiscard]] bool next(const WindowNow& now, Round& round) override;
    [[nodiscard]] std::string choice(std::uint32_t) const override { return choice_; }

    /// The strategy of the next tasks of a window, which follow when those before are accepted, by
    /// their graph: dag or optimistic. Called before each such part but the first.
    using NextPart =
        std::function<Strategy(const WindowNow&, const TaskGraph&, const ExpectedTasks&)>;
    void ask_before_each_part(NextPart ask) { next_part_ = std::move(ask); }

    /// The graph of the tasks that run next is to be examined after their first flow.
    void examine_graph() noexcept { examines_graph_ = true; }
    /// The share of these tasks that dag would probably repeat, once; nothing: their graph was not
    /// examined.
    [[nodiscard]] std::optional<double> take_dag_would_repeat() noexcept {
        return std::exchange(dag_would_repeat_, std::nullopt);
    }

private:
    [[nodiscard]] bool is_a_chain(const WindowNow& now, std::span<const std::uint32_t> tasks,
                                  const std::vector<bool>& keep);
    [[nodiscard]] bool nobody_waits() const noexcept;
    [[nodiscard]] static bool any_wrong_budget(const WindowNow& now,
                                               std::span<const std::uint32_t> tasks);
    [[nodiscard]] bool pays(const WindowNow& now, std::size_t left) const noexcept;
    void begin_flow(const WindowNow& now, Round& round, std::vector<bool> keep, std::size_t left);
    [[nodiscard]] bool begin_part(const WindowNow& now, Round& round);
    [[nodiscard]] bool run_in_order(const WindowNow& now, Round& round, std::vector<bool> keep);
    void begin_levels(const WindowNow& now, Round& round);
    [[nodiscard]] bool next_level(const WindowNow& now, Round& round);

    StrategyOptions options_;
    const Hints& hints_;
    StrategyMemory& memory_;
    std::optional<ExpectedTasks> expected_;
    std::vector<std::uint32_t> examples_; ///< of the last round
    std::size_t end_ = 0;                 ///< of the tasks that flows run now
    std::size_t ran_ = 0; ///< of these, those that the last flow had to run; 0: there was none
    unsigned flows_ = 0;  ///< that ran these tasks
    bool any_flow_ = false;
    bool asked_again_ = false; ///< for examples, before the part that begins
    TaskGraph graph_;
    bool graph_is_there_ = false; ///< of all tasks, before anything ran
    bool examines_graph_ = false;
    std::vector<std::uint32_t> graph_tasks_; ///< of a graph that is to be examined
    std::optional<double> dag_would_repeat_;
    NextPart next_part_;
    bool begun_ = false;
    bool first_levels_ = true;
    std::string choice_; ///< block order, and why; empty: flows
    std::unique_ptr<Flow> flow_;
    std::deque<std::vector<std::uint32_t>> levels_; ///< that are still to run
};

} // namespace blockloom::execute
