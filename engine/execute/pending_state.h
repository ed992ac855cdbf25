// A stored state with the blocks whose commits are still in progress: what the next block is
// executed on while they are written.
#pragma once

#include "execute/written_parts.h"

#include <cstddef>
#include <memory>
#include <utility>

namespace blockloom::execute {

/// Keys of blocks that were executed hide the stored ones, so it does not matter how far their
/// commits have come. Two generations: the older one is dropped when its last commit is done, so
/// memory is bounded by the blocks in flight. Larger generations save no time. Several threads may
/// read it while no changes are applied.
class PendingState final : public state::StateView {
public:
    /// `stored` must outlive this object and allow reads during commits.
    explicit PendingState(const state::StateView& stored) : stored_(stored) {}

    [[nodiscard]] Result<state::Value> get(const state::KeyView& key) const override {
        if (const state::Value* const found = newer_.find(key)) return *found;
        if (const state::Value* const found = older_.find(key)) return *found;
        return stored_.get(key);
    }

    void expect(const state::KeyView& key) const noexcept override {
        newer_.expect(key);
        older_.expect(key);
    }
    void expect_value(const state::KeyView& key) const noexcept override {
        newer_.expect_value(key);
        older_.expect_value(key);
    }

    /// Adds a block's changes, which `commit` writes to the stored state.
    void apply(const PartedChanges& changes, const WorkerPool::Task& commit, WorkerPool* pool) {
        if (newer_.size() >= generation_size && (!older_commit_ || older_commit_.is_done())) {
            drop(std::exchange(older_, std::exchange(newer_, WrittenParts())), pool);
            older_commit_ = newer_commit_;
        }
        newer_.apply(changes, pool);
        newer_commit_ = commit;
    }

private:
    static constexpr std::size_t generation_size = 8'192; ///< keys

    /// Thousands of small pieces, which a worker frees; of one generation at a time.
    void drop(WrittenParts generation, WorkerPool* pool) {
        if (pool == nullptr) return;
        if (dropping_) pool->wait_for(dropping_);
        dropping_ = pool->post([held = std::make_shared<WrittenParts>(std::move(generation))](
                                   unsigned) mutable { held.reset(); });
    }

    const state::StateView& stored_;
    WrittenParts newer_, older_;
    WorkerPool::Task newer_commit_, older_commit_; ///< of the last block in each
    WorkerPool::Task dropping_;
};

} // namespace blockloom::execute
