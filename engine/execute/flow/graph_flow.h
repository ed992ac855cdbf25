// Tasks in the order of a graph, without a barrier: the strategy dag
// (docs/execution.md#without-a-barrier).
#pragma once

#include "execute/flow/flow.h"
#include "execute/flow/flow_news.h"
#include "execute/flow/live_versions.h"
#include "execute/flow/task_graph.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace blockloom::execute {

/// Each task runs once, as soon as those that it waits for have; of the ready ones the most urgent
/// first. A task that finds less than the graph says does not wait for it.
class GraphFlow final : public Flow {
public:
    /// The graph must outlive the flow.
    GraphFlow(const TaskGraph& graph, LiveVersions& versions)
        : graph_(graph), versions_(versions) {}

    void begin(const FlowStart& start) override;
    [[nodiscard]] bool is_complete() const noexcept override { return left_.load() == 0; }

    [[nodiscard]] bool next(unsigned worker, Attempt& attempt) override;
    void done(unsigned worker, Result<Attempted> attempted) override;
    void abandon() noexcept override;

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    struct alignas(64) Worker {
        std::uint32_t kept = none;    ///< the rank of a task that its last one released
        std::uint32_t running = none; ///< place
    };

    [[nodiscard]] std::uint32_t take(Worker& own);
    [[nodiscard]] std::uint32_t first_rank() const noexcept;
    void push(std::uint32_t rank);

    const TaskGraph& graph_;
    LiveVersions& versions_;
    std::optional<FlowStart> start_;
    std::vector<LiveView> views_; ///< by place
    std::vector<Worker> workers_;
    std::unique_ptr<std::atomic<std::uint32_t>[]> waits_; ///< by place
    std::vector<std::uint32_t> ready_at_start_;           ///< ranks, ascending
    alignas(64) std::atomic<std::size_t> next_at_start_{0};
    alignas(64) std::atomic<std::uint32_t> left_{0};
    std::atomic<bool> abandoned_{false};
    alignas(64) std::atomic<std::uint32_t> best_released_{none}; ///< the lowest of `released_`
    std::mutex guard_;
    std::vector<std::uint32_t> released_; ///< ranks: a heap, the lowest first
    FlowNews news_;
};

} // namespace blockloom::execute
