// Tasks in the order of a graph, without a barrier: the strategy dag
// (docs/execution.md#without-a-barrier).
#pragma once

#include "execute/flow/flow.h"
#include "execute/flow/flow_news.h"
#include "execute/flow/live_versions.h"
#include "execute/flow/spin_lock.h"
#include "execute/flow/task_graph.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace blockloom::execute {

/// Each task runs once, as soon as those that it waits for have; of the ready ones the most urgent
/// first. A task that finds less than the graph says does not wait for it. What follows from a
/// result and nobody waits for (its probes) is left to idle workers while a chain continues.
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

    struct alignas(64) Worker {
        std::uint32_t kept = none;    ///< the rank of a task that its last one released
        std::uint32_t running = none; ///< place
    };

    [[nodiscard]] std::uint32_t take(Worker& own);
    void note_run(std::uint32_t place);
    bool release_in_turn();
    [[nodiscard]] std::uint32_t take_unprobed();
    void make_probes(std::uint32_t place);
    [[nodiscard]] std::uint32_t first_rank() const noexcept;
    void push(std::uint32_t rank);

    const TaskGraph& graph_;
    LiveVersions& versions_;
    std::vector<std::uint32_t> in_turn_;
    std::optional<FlowStart> start_;
    std::vector<LiveView> views_; ///< by place
    std::vector<Worker> workers_;
    std::unique_ptr<std::atomic<std::uint32_t>[]> waits_; ///< by place
    std::vector<std::uint32_t> ready_at_start_;           ///< ranks, ascending
    std::unique_ptr<std::atomic<bool>[]> has_run_; ///< by place; null: no task waits for its turn
    alignas(64) std::atomic<std::uint32_t> first_to_run_{0}; ///< all places before it have run
    std::mutex turn_guard_;
    std::size_t next_in_turn_ = 0; ///< in `in_turn_`
    alignas(64) std::atomic<std::size_t> next_at_start_{0};
    alignas(64) std::atomic<std::uint32_t> left_{0}; ///< tasks without probes
    std::atomic<bool> abandoned_{false};
    alignas(64) std::atomic<std::uint32_t> best_released_{none}; ///< the lowest of `released_`
    std::mutex guard_;
    std::vector<std::uint32_t> released_; ///< ranks: a heap, the lowest first
    std::atomic<bool> any_unprobed_{false};
    SpinLock unprobed_guard_;
    std::vector<std::uint32_t> unprobed_; ///< places of tasks that have run
    FlowNews news_;
};

} // namespace blockloom::execute
