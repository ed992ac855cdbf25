// Many versions of one state: transactions read from it while their predecessors are still
// speculative.
#pragma once

#include "state/view.h"
#include "state/write_set.h"

#include <cstdint>
#include <memory>

namespace blockloom::state {

/// Maps (key, transaction) to the value of the latest writer below that transaction, else to that
/// of the state before the block window. All calls are thread-safe. Publishing several keys is not
/// atomic for readers: a reader that saw a mixture is found by its values, like every stale read.
class VersionedState {
public:
    /// `before` is the state before the block window; it must outlive this object.
    explicit VersionedState(const StateView& before);
    ~VersionedState();
    VersionedState(const VersionedState&) = delete;
    VersionedState& operator=(const VersionedState&) = delete;

    /// Publishes the writes of transaction `index`, replacing what it published before. One thread
    /// at a time for one index.
    void publish(std::uint32_t index, std::shared_ptr<const WriteSet> writes);
    /// Removes what it published.
    void withdraw(std::uint32_t index);

    /// The value that transaction `index` reads: publications of lower indices only.
    [[nodiscard]] Result<Value> get_below(std::uint32_t index, std::string_view key) const;

private:
    struct Version;
    struct Shard;
    struct Published;

    [[nodiscard]] Shard& shard_of(std::string_view key) const noexcept;

    const StateView* before_;
    std::unique_ptr<Shard[]> shards_;
    std::unique_ptr<Published> published_;
};

/// The view of one transaction. The versioned state must outlive it.
class ViewBelow final : public StateView {
public:
    ViewBelow(const VersionedState& state, std::uint32_t index) : state_(&state), index_(index) {}

    [[nodiscard]] Result<Value> get(std::string_view key) const override {
        return state_->get_below(index_, key);
    }

private:
    const VersionedState* state_;
    std::uint32_t index_;
};

} // namespace blockloom::state
