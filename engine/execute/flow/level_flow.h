// Tasks level by level, with a barrier after each: the strategy levels
// (docs/execution.md#with-a-barrier).
#pragma once

#include "execute/flow/flow.h"
#include "execute/flow/flow_news.h"
#include "execute/flow/live_versions.h"

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace blockloom::execute {

/// Each task runs once, when all tasks of lower levels have run; it finds what they wrote. Nothing
/// is validated between levels.
class LevelFlow final : public Flow {
public:
    /// `levels`: places of the round's tasks by level, each level ascending and not empty.
    LevelFlow(const std::vector<std::vector<std::uint32_t>>& levels, LiveVersions& versions);

    void begin(const FlowStart& start) override;
    [[nodiscard]] bool is_complete() const noexcept override { return left_.load() == 0; }

    [[nodiscard]] Next next(unsigned worker, Attempt& attempt) override;
    void done(unsigned worker, Result<Attempted> attempted) override;
    void abandon() noexcept override;

private:
    struct alignas(64) Worker {
        LiveView view;
        std::uint32_t running = 0; ///< place
    };

    LiveVersions& versions_;
    std::vector<std::uint32_t> order_; ///< places, level by level
    std::vector<std::size_t> ends_;    ///< of the levels in `order_`
    std::optional<FlowStart> start_;
    std::vector<Worker> workers_;
    alignas(64) std::atomic<std::size_t> next_{0}; ///< in `order_`
    alignas(64) std::atomic<std::size_t> open_{0}; ///< all before it may run: the end of a level
    alignas(64) std::atomic<std::size_t> ran_{0};  ///< tasks
    alignas(64) std::atomic<std::size_t> left_{0}; ///< tasks without probes
    std::size_t level_ = 0; ///< that is open; changed by whoever ran its last task
    std::atomic<bool> abandoned_{false};
    FlowNews news_;
};

} // namespace blockloom::execute
