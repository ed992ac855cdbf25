// The writes of a flow's tasks while others run: multi-version memory, as in Block-STM
// (arXiv 2203.06871, section 3).
#pragma once

#include "state/view.h"
#include "state/write_set.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace blockloom::execute {

/// Maps (key, task) to the value that the latest task below writes. Any worker reads and publishes
/// at any time. Refers to write sets, which must stay until `begin` is called again. Keeps its
/// memory.
class LiveVersions {
public:
    static constexpr std::uint32_t nobody = ~std::uint32_t{0};

    struct Version {
        std::uint32_t writer = nobody;
        /// Null: an estimate: an aborted execution wrote the key, and the next one probably will.
        const state::Value* value = nullptr;
    };

    LiveVersions();
    ~LiveVersions();
    LiveVersions(const LiveVersions&) = delete;
    LiveVersions& operator=(const LiveVersions&) = delete;

    /// Forgets everything.
    void begin() noexcept;

    /// Stores a task's writes in place of `before`, what its earlier execution wrote; null: none.
    /// True: one of the keys is not among those. Stored code is never taken back: a reader that
    /// knows its hash looks it up without a log entry, and it is the same for every writer.
    bool publish(std::uint32_t task, const state::WriteSet& writes, const state::WriteSet* before);
    /// Makes an aborted execution's writes estimates.
    void estimate(std::uint32_t task, const state::WriteSet& writes);
    /// The same for a key that the task has not written yet; cheapest in block order.
    void estimate(std::uint32_t task, const state::Key& key) { put(task, key, nullptr); }
    /// The task does not write the key.
    void withdraw(std::uint32_t task, const state::Key& key) { take_out(task, key); }

    /// The version that a task finds; writer `nobody`: no task below it writes the key.
    [[nodiscard]] Version latest_below(std::uint32_t task, const state::KeyView& key) const;
    /// The lowest task above this one that writes the key, or probably will; `nobody`: none.
    [[nodiscard]] std::uint32_t next_writer_above(std::uint32_t task, const state::Key& key) const;

private:
    struct Shard;

    [[nodiscard]] Shard& shard_of(std::uint64_t hash) const noexcept;
    void put(std::uint32_t task, const state::Key& key, const state::Value* value);
    void take_out(std::uint32_t task, const state::Key& key);

    std::unique_ptr<Shard[]> shards_;
    std::uint32_t generation_ = 1;
};

/// The state that a task of a flow finds. For one attempt at a time.
class LiveView final : public state::StateView {
public:
    LiveView(const LiveVersions& versions, const state::StateView& below, std::uint32_t task)
        : versions_(&versions), below_(&below), task_(task) {}

    /// Forgets the last attempt.
    void restart() noexcept {
        blocked_on_ = LiveVersions::nobody;
        blocked_by_.clear();
        found_version_ = false;
    }
    /// An estimate is an error: the attempt has to wait for its writer.
    [[nodiscard]] Result<state::Value> get(const state::KeyView& key) const override;
    [[nodiscard]] bool is_in_memory() const noexcept override { return below_->is_in_memory(); }
    void expect(const state::KeyView& key) const noexcept override { below_->expect(key); }

    /// The task whose estimate the attempt met; LiveVersions::nobody: none.
    [[nodiscard]] std::uint32_t blocked_on() const noexcept { return blocked_on_; }
    /// The key of that estimate.
    [[nodiscard]] const std::string& blocked_by() const noexcept { return blocked_by_; }
    /// It read something that a task of the flow left.
    [[nodiscard]] bool found_version() const noexcept { return found_version_; }

private:
    const LiveVersions* versions_;
    const state::StateView* below_;
    std::uint32_t task_;
    mutable std::uint32_t blocked_on_ = LiveVersions::nobody;
    mutable std::string blocked_by_;
    mutable bool found_version_ = false;
};

} // namespace blockloom::execute
