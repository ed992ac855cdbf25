// Tasks in block order, one after the other: for a part of a block window that allows nothing else,
// while other parts of it run side by side.
#pragma once

#include "execute/flow/flow.h"
#include "execute/flow/live_versions.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace blockloom::execute {

/// All tasks run on the worker that asks first; the others are free for the rest of the round. Each
/// task finds what those before it left, also of fuel, so all are accepted.
class BlockOrderFlow final : public Flow {
public:
    /// `keep`, by place: the task's execution of an earlier round stays, if it read the same.
    BlockOrderFlow(LiveVersions& versions, std::vector<bool> keep)
        : versions_(versions), keep_(std::move(keep)) {}

    void begin(const FlowStart& start) override;
    [[nodiscard]] bool is_complete() const noexcept override { return next_ == start_->tasks; }

    [[nodiscard]] bool is_block_order() const noexcept override { return true; }
    [[nodiscard]] Next next(unsigned worker, Attempt& attempt) override;
    void done(unsigned worker, Result<Attempted> attempted) override;
    void abandon() noexcept override { abandoned_.store(true, std::memory_order_release); }

private:
    static constexpr unsigned nobody = ~0U;

    [[nodiscard]] std::optional<Rejection> why_not(const ExecutionResult& earlier,
                                                   std::uint64_t budget) const;

    LiveVersions& versions_;
    std::vector<bool> keep_;
    std::optional<FlowStart> start_;
    std::optional<LiveView> view_;
    std::atomic<unsigned> owner_{nobody}; ///< the worker that runs them
    std::atomic<bool> abandoned_{false};
    std::uint32_t next_ = 0; ///< place
};

} // namespace blockloom::execute
