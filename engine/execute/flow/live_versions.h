// The writes of a flow's tasks while others run: multi-version memory, as in Block-STM
// (arXiv 2203.06871, section 3).
#pragma once

#include "execute/huge_page_buffer.h"
#include "state/key_shards.h"
#include "state/view.h"
#include "state/write_set.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace blockloom::execute {

/// Maps (key, task) to the value that the latest task below writes. Any worker reads and publishes
/// at any time. Refers to write sets, which must stay until `begin` is called again. Keeps its
/// memory.
///
/// A table of half cache lines, one for each key, open addressing: lock, hash and version of a key
/// lie together, so that a write moves one line between cores, and a read of a key that nobody
/// writes, as most are, is one look without a lock.
class LiveVersions {
public:
    static constexpr std::uint32_t nobody = ~std::uint32_t{0};

    struct Version {
        std::uint32_t writer = nobody;
        /// Null: an estimate: an aborted execution wrote the key, and the next one probably will.
        const state::Value* value = nullptr;
    };

    LiveVersions() = default;
    LiveVersions(const LiveVersions&) = delete;
    LiveVersions& operator=(const LiveVersions&) = delete;

    /// Forgets everything. About so many tasks will write something.
    void begin(std::size_t tasks);

    /// Stores a task's writes in place of `before`, what its earlier execution wrote; null: none.
    /// True: one of the keys is not among those. Stored code is never taken back: a reader that
    /// knows its hash looks it up without a log entry, and it is the same for every writer.
    bool publish(std::uint32_t task, const state::WriteSet& writes, const state::WriteSet* before);
    /// Makes an aborted execution's writes estimates.
    void estimate(std::uint32_t task, const state::WriteSet& writes);
    /// The same for a key that these tasks, ascending, have not written yet.
    void estimate(const state::Key& key, std::span<const std::uint32_t> tasks);
    /// The task does not write the key.
    void withdraw(std::uint32_t task, const state::Key& key) { take_out(task, key); }

    /// The version that a task finds; writer `nobody`: no task below it writes the key.
    [[nodiscard]] Version latest_below(std::uint32_t task, const state::KeyView& key) const;
    /// The lowest task above this one that writes the key, or probably will; `nobody`: none.
    [[nodiscard]] std::uint32_t next_writer_above(std::uint32_t task, const state::Key& key) const;
    /// Prefetches what a look at a key with this hash will access.
    void prefetch(std::uint64_t hash) const noexcept { __builtin_prefetch(&cells_[hash & mask_]); }

private:
    static constexpr std::uint32_t several = nobody - 1;

    /// A key and its versions.
    struct alignas(32) Cell {
        /// Whether it is locked, a part of the key's hash, and the generation; accessed atomically.
        std::uint64_t stamp;
        const state::Key* key;
        union {
            const state::Value* value;
            std::vector<Version>* list; ///< in block order
        };
        std::uint32_t writer; ///< of the only version; `nobody`: there is none; `several`: a list
    };
    class Locked;

    [[nodiscard]] std::uint64_t stamp_of(std::uint64_t hash) const noexcept {
        return (std::uint64_t{generation_} << 32U) | (hash >> 33U << 1U);
    }
    [[nodiscard]] Cell* lock_known(const state::KeyView& key) const;
    [[nodiscard]] Cell* lock(const state::Key& key);
    [[nodiscard]] std::vector<Version>& list_of(Cell& cell);
    void put(std::uint32_t task, const state::Key& key, const state::Value* value);
    void take_out(std::uint32_t task, const state::Key& key);

    mutable HugePageBuffer<Cell> cells_;
    std::size_t size_ = 0, mask_ = 0; ///< cells that were ever used; those in use, less 1
    std::size_t writes_a_task_ = 8;
    std::uint32_t generation_ = 0;

    std::mutex lists_guard_;
    std::deque<std::vector<Version>> lists_;
    std::size_t lists_used_ = 0;

    /// Keys for which the table had no room where they belong.
    mutable std::mutex beyond_guard_;
    std::atomic<bool> any_beyond_{false};
    mutable std::unordered_map<state::KeyView, Cell, state::KeyHash> beyond_;
};

/// The state that a task of a flow finds. For one attempt at a time: each worker has one.
class LiveView final : public state::StateView {
public:
    LiveView(const LiveVersions& versions, const state::StateView& below)
        : versions_(&versions), below_(&below) {}

    /// Forgets the last attempt; the next one is of this task.
    void restart(std::uint32_t task) noexcept {
        task_ = task;
        blocked_on_ = LiveVersions::nobody;
        blocked_by_.clear();
        found_version_ = false;
    }
    /// An estimate is an error: the attempt has to wait for its writer.
    [[nodiscard]] Result<state::Value> get(const state::KeyView& key) const override;
    [[nodiscard]] bool is_in_memory() const noexcept override { return below_->is_in_memory(); }
    void expect(const state::KeyView& key) const noexcept override {
        versions_->prefetch(key.hash);
        below_->expect(key);
    }
    void expect_value(const state::KeyView& key) const noexcept override {
        below_->expect_value(key);
    }

    /// The task whose estimate the attempt met; LiveVersions::nobody: none.
    [[nodiscard]] std::uint32_t blocked_on() const noexcept { return blocked_on_; }
    /// The key of that estimate.
    [[nodiscard]] const std::string& blocked_by() const noexcept { return blocked_by_; }
    /// It read something that a task of the flow left.
    [[nodiscard]] bool found_version() const noexcept { return found_version_; }

private:
    const LiveVersions* versions_;
    const state::StateView* below_;
    std::uint32_t task_ = 0;
    mutable std::uint32_t blocked_on_ = LiveVersions::nobody;
    mutable std::string blocked_by_;
    mutable bool found_version_ = false;
};

} // namespace blockloom::execute
