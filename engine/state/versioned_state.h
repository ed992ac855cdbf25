// Many versions of one state: what a transaction reads while its predecessors are still
// speculative.
#pragma once

#include "state/view.h"
#include "state/write_set.h"

#include <cstdint>
#include <memory>

namespace blockloom::state {

/// (key, transaction) → the value of the latest writer below that transaction, else the state
/// before the window. All calls are thread-safe. Publishing several keys is not one step for
/// readers: that a reader saw a mixture is found by its values, like every stale read.
class VersionedState {
public:
    /// `before` is the state before the window; it must outlive this.
    explicit VersionedState(const StateView& before);
    ~VersionedState();
    VersionedState(const VersionedState&) = delete;
    VersionedState& operator=(const VersionedState&) = delete;

    /// What transaction `index` writes, in the place of what it published before. One thread at a
    /// time for one index.
    void publish(std::uint32_t index, std::shared_ptr<const WriteSet> writes);
    /// Takes back what it published.
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

/// What one transaction sees. The versioned state must outlive it.
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
