// Tasks in the order of a graph, without a barrier: the strategy dag
// (docs/execution.md#without-a-barrier).
#pragma once

#include "execute/flow/flow.h"
#include "execute/flow/flow_news.h"
#include "execute/flow/live_versions.h"
#include "execute/flow/spin_lock.h"
#include "execute/flow/task_graph.h"

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace blockloom::execute {

/// Each task runs once, as soon as those that it waits for have; of the ready ones the most urgent
/// first, nearly: a worker keeps what its tasks release, unless another worker runs something less
/// urgent or nothing. A task that finds less than the graph says does not wait for it. What follows
/// from a result and nobody waits for (its probes) is left to idle workers while a chain continues.
class GraphFlow final : public Flow {
public:
    /// `in_turn`: places, ascending, of tasks whose budget nobody can predict: they also wait until
    /// all tasks before them have run. The graph must outlive the flow.
    GraphFlow(const TaskGraph& graph, LiveVersions& versions,
              std::vector<std::uint32_t> in_turn = {})
        : graph_(graph), versions_(versions), in_turn_(std::move(in_turn)) {}

    void begin(const FlowStart& start) override;
    [[nodiscard]] bool is_complete() const noexcept override { return left_.load() == 0; }

    [[nodiscard]] Next next(unsigned worker, Attempt& attempt) override;
    void done(unsigned worker, Result<Attempted> attempted) override;
    void abandon() noexcept override;

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// Ready tasks of one worker, by rank. Others take from them when they have nothing to run.
    class alignas(64) OwnRanks {
    public:
        /// False: they are full.
        [[nodiscard]] bool add(std::uint32_t rank) noexcept;
        /// The most urgent one; `none`: there is none.
        [[nodiscard]] std::uint32_t take() noexcept;
        /// The same without taking it: a hint, unless this worker asks.
        [[nodiscard]] std::uint32_t best() const noexcept { return best_.load(); }

    private:
        static constexpr std::uint32_t most = 28;

        SpinLock guard_;
        std::atomic<std::uint32_t> best_{none};
        std::uint32_t count_ = 0;
        std::array<std::uint32_t, most> ranks_{}; ///< descending
    };

    struct alignas(64) Worker {
        Worker(const LiveVersions& versions, const state::StateView& below)
            : view(versions, below) {}

        LiveView view;
        std::uint32_t kept = none;    ///< the rank of a task that its last one released
        std::uint32_t running = none; ///< place
        std::uint32_t step = 0;       ///< of what it runs
        std::uint32_t probed = 0;     ///< tasks that are not yet taken off `left_`
        /// Of the tasks that are ready from the start, those of lower ranks are taken.
        std::uint32_t first_at_start = 0;
        OwnRanks ready;
    };
    /// A task that has run and has no probes yet.
    struct Unprobed {
        std::uint32_t place;
        bool on_start;
    };

    [[nodiscard]] std::uint32_t take(Worker& own);
    [[nodiscard]] std::uint32_t take_released(Worker& own);
    [[nodiscard]] std::uint32_t take_at_start(Worker& own);
    [[nodiscard]] std::uint32_t take_from_others();
    [[nodiscard]] bool any_ready() const noexcept;
    void note_run(std::uint32_t place);
    bool release_in_turn();
    void release_successors(Worker& own, std::uint32_t place);
    void share(unsigned worker);
    [[nodiscard]] std::optional<Unprobed> take_unprobed();
    void make_probes(Worker& own, const Unprobed& of);
    void count_probed(Worker& own) noexcept;
    [[nodiscard]] std::uint32_t first_rank() const noexcept;
    void push(std::uint32_t rank);

    const TaskGraph& graph_;
    LiveVersions& versions_;
    std::vector<std::uint32_t> in_turn_;
    std::optional<FlowStart> start_;
    std::deque<Worker> workers_;
    std::unique_ptr<std::atomic<std::uint8_t>[]> steps_;  ///< by worker: of what it runs
    std::unique_ptr<std::atomic<std::uint32_t>[]> waits_; ///< by place
    std::vector<std::uint32_t> ready_at_start_;           ///< ranks, ascending
    std::size_t first_leaf_ = 0; ///< in these: nobody waits for the tasks from it on
    std::unique_ptr<std::atomic<bool>[]> has_run_; ///< by place; null: no task waits for its turn
    alignas(64) std::atomic<std::uint32_t> first_to_run_{0}; ///< all places before it have run
    std::mutex turn_guard_;
    std::size_t next_in_turn_ = 0; ///< in `in_turn_`
    alignas(64) std::atomic<std::size_t> next_at_start_{0};
    alignas(64) std::atomic<std::uint32_t> left_{0}; ///< tasks without probes
    alignas(64) std::atomic<bool> abandoned_{false};
    alignas(64) std::atomic<std::uint32_t> best_released_{none}; ///< the lowest of `released_`
    std::mutex guard_;
    std::vector<std::uint32_t> released_; ///< ranks for all workers: a heap, the lowest first
    alignas(64) std::atomic<bool> any_unprobed_{false};
    SpinLock unprobed_guard_;
    std::vector<Unprobed> unprobed_;
    FlowNews news_;
};

} // namespace blockloom::execute
