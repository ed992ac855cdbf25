// A block window after its execution: its blocks, and what later blocks read while they are still
// being put together.
#pragma once

#include "execute/parted_changes.h"
#include "execute/replayed_block.h"
#include "execute/window.h"
#include "state/cached_view.h"

#include <memory>
#include <optional>
#include <vector>

namespace blockloom::execute {

/// Made by Replayer::execute_ahead. It refers to the state that it was executed on, which must
/// outlive it.
class ExecutedWindow {
public:
    explicit ExecutedWindow(ExecutedBlocks blocks) : blocks_(std::move(blocks)) {
        for (const auto& block : blocks_) contexts_.push_back(block->context);
    }
    ExecutedWindow(const ExecutedWindow&) = delete;
    ExecutedWindow& operator=(const ExecutedWindow&) = delete;

    /// False: `blocks()` lack their executions until Replayer::join put them together.
    [[nodiscard]] bool is_complete() const noexcept { return complete_; }
    [[nodiscard]] const ExecutedBlocks& blocks() const noexcept { return blocks_; }
    /// Transactions that its rounds ran, if the strategy runs in rounds.
    [[nodiscard]] std::size_t tasks() const noexcept { return run_ ? run_->tasks().size() : 0; }
    /// Of its first block.
    [[nodiscard]] std::uint64_t height() const noexcept { return contexts_.front()->height; }
    /// The state that an incomplete window leaves, on the complete one before it. May be read while
    /// the window is put together, for as long as this object exists.
    const state::StateView& leave_on(const state::StateView& before) {
        return after_.emplace(run_->after(before));
    }

    /// For Replayer::join_part of an incomplete window.
    void divide(std::size_t parts) {
        run_->divide(parts);
        divided_ = true;
    }
    [[nodiscard]] bool is_divided() const noexcept { return divided_; }
    /// What a block changed, once an incomplete window was put together.
    [[nodiscard]] const PartedChanges& changes(std::size_t block) const noexcept {
        return changes_[block];
    }

private:
    friend class Replayer;

    ExecutedBlocks blocks_;
    std::vector<std::shared_ptr<const alkanes::BlockContext>> contexts_;
    std::optional<state::CachedView> cached_; ///< of the state before it, if that is stored
    std::optional<WindowRun> run_;            ///< if the strategy runs in rounds
    std::optional<WindowView> after_;
    /// Once it is put together, what `after_` reads is in these.
    std::vector<std::shared_ptr<const alkanes::BlockExecution>> joined_;
    std::vector<PartedChanges> changes_; ///< of these
    bool complete_ = true, divided_ = false;
    const char* on_host_ = nullptr; ///< why all of it ran there, though there is a device
};

} // namespace blockloom::execute
