// A state and the blocks executed on it so far, in memory.
#pragma once

#include "base/progress.h"
#include "execute/written_parts.h"
#include "state/digest.h"

#include <optional>
#include <stop_token>

namespace blockloom::execute {

/// Several threads may read it while no writes are applied.
class LayeredState final : public state::StateView {
public:
    /// `base` null: the state below is empty. Must outlive this object.
    explicit LayeredState(const state::StateView* base) : base_(base) {}

    [[nodiscard]] Result<state::Value> get(const state::KeyView& key) const override {
        if (const state::Value* const found = written_.find(key)) return *found;
        return base_ == nullptr ? Result<state::Value>(state::Value()) : base_->get(key);
    }
    [[nodiscard]] bool is_in_memory() const noexcept override {
        return base_ == nullptr || base_->is_in_memory();
    }
    void expect(const state::KeyView& key) const noexcept override {
        written_.expect(key);
        if (base_ != nullptr) base_->expect(key);
    }
    void expect_value(const state::KeyView& key) const noexcept override {
        written_.expect_value(key);
        if (base_ != nullptr) base_->expect_value(key);
    }
    /// `pool`, if not null, shares the work; its workers must be free for a stage.
    void apply(const PartedChanges& changes, WorkerPool* pool = nullptr) {
        written_.apply(changes, pool);
    }
    /// The digest of all keys; absent if there is a base.
    [[nodiscard]] Result<std::optional<Hash256>> digest(const std::stop_token& stop) const {
        if (base_ != nullptr) return std::optional<Hash256>();
        state::DigestStream stream;
        for (const WrittenParts::Entry* const entry : written_.sorted()) {
            if (stop.stop_requested()) return cancelled_error();
            if (entry->value) stream.add(entry->key, entry->value);
        }
        return std::optional(stream.finish());
    }

private:
    const state::StateView* base_;
    WrittenParts written_;
};

} // namespace blockloom::execute
