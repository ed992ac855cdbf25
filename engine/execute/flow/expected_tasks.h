// What the tasks of a block window will probably access and use, from what their like did, and the
// graphs that follow from it.
#pragma once

#include "execute/flow/task_graph.h"
#include "execute/hints.h"
#include "execute/predict/window_kinds.h"
#include "execute/round_strategy.h"
#include "execute/strategy_memory.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace blockloom::execute {

/// Keys that tasks will probably write, before any of them ran.
struct ExpectedWrites {
    std::vector<std::vector<const state::Key*>> lists;
    std::vector<std::uint32_t> list_of; ///< by place of a task in its round

    [[nodiscard]] std::span<const state::Key* const> of(std::uint32_t place) const noexcept {
        return lists[list_of[place]];
    }
};

/// For one block window, or what is left of one. Nothing that it says has to be right.
class ExpectedTasks {
public:
    /// Of the tasks that are not accepted. `memory` must outlive this object.
    ExpectedTasks(StrategyMemory& memory, const WindowNow& now);

    /// From now on only the tasks that are not accepted count, and give examples.
    void forget_accepted(const WindowNow& now);

    /// One task of each kind that has several in the window and of which no example succeeded,
    /// unless a few have failed; ascending. Each kind once: the same task would fail again.
    [[nodiscard]] std::vector<std::uint32_t> take_examples();
    /// The next two tasks of each kind that has many in the window and was hardly seen: they show
    /// what repeats; ascending.
    [[nodiscard]] std::vector<std::uint32_t> more_examples() const;
    /// Takes these executions, accepted or not, as examples of what their kinds access.
    void learn_examples(const WindowNow& now, std::span<const std::uint32_t> tasks);
    /// The same for those of `tasks` that are not to be kept, up to a number.
    void learn_missed(const WindowNow& now, std::span<const std::uint32_t> tasks,
                      const std::vector<bool>& keep);
    /// Learns from what was accepted since the last call: all fuel, and from a few tasks of each
    /// kind what they access.
    void learn(const WindowNow& now);

    /// The fuel budget of each of `tasks` (ascending) if those before them use what their like
    /// used, or what their latest execution did. `in_turn`: if not null, gets the places of those
    /// that read their budget where it depends on what all before them use: nobody can predict it
    /// exactly where that varies. None if there are many.
    [[nodiscard]] std::vector<std::uint64_t>
    budgets(const WindowNow& now, std::span<const std::uint32_t> tasks,
            std::vector<std::uint32_t>* in_turn = nullptr) const;
    /// Which of `tasks` wait for which: by their latest execution's log, or else by what their kind
    /// accesses and which outputs they spend.
    [[nodiscard]] TaskGraph graph(const WindowNow& now, std::span<const std::uint32_t> tasks) const;

    /// Shared keys that `tasks` will write, for those that have not run yet. Valid until the next
    /// call of a function that learns.
    [[nodiscard]] ExpectedWrites writes(const WindowNow& now,
                                        std::span<const std::uint32_t> tasks) const;
    /// The share of tasks whose like were seen before; 0..1.
    [[nodiscard]] double known_share() const noexcept;
    /// The share of tasks of whose like all examples failed; 0..1.
    [[nodiscard]] double failed_share() const noexcept;
    /// The share of tasks that only read keys whose changes repeat (ValueEffect); 0..1.
    [[nodiscard]] double predictable() const;

    /// By task of the window.
    [[nodiscard]] const WindowKinds& kinds() const noexcept { return window_; }

private:
    /// A kind that tasks of the window are of; of those, only the ones that are left count.
    struct Group {
        std::uint32_t kind = TaskKinds::none;
        std::uint32_t tasks = 0;
        std::array<std::uint32_t, 3> first{}; ///< tasks of the window
        std::uint32_t seen = 0;               ///< accepted tasks that were looked at
        bool example_taken = false;
    };

    [[nodiscard]] alkanes::FuelUse fuel_of(std::uint32_t task) const;

    TaskKinds& known_;
    WindowKinds window_;
    std::vector<Group> groups_;
    std::vector<std::uint32_t> group_of_; ///< by task of the window
    std::size_t left_ = 0;                ///< tasks
    std::uint32_t learned_ = 0;           ///< accepted tasks before it were looked at
};

/// The same from sets that are given, which may be wrong.
[[nodiscard]] TaskGraph graph_of(std::span<const DeclaredSets> sets,
                                 std::span<const alkanes::FuelUse> fuel,
                                 std::span<const std::uint32_t> tasks);
[[nodiscard]] std::vector<std::uint64_t> budgets_of(const WindowNow& now,
                                                    std::span<const alkanes::FuelUse> fuel,
                                                    std::span<const std::uint32_t> tasks);

} // namespace blockloom::execute
