// A state and the blocks executed on it so far, in memory.
#pragma once

#include "base/progress.h"
#include "state/block_changes.h"
#include "state/digest.h"
#include "state/written_state.h"

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
    void apply(const std::vector<state::Change>& changes) {
        constexpr std::size_t ahead = 4;
        for (std::size_t i = 0; i < changes.size(); ++i) {
            if (i + ahead < changes.size()) written_.expect(changes[i + ahead].key);
            written_.put(changes[i].key, changes[i].after);
        }
    }
    /// The digest of all keys; absent if there is a base.
    [[nodiscard]] Result<std::optional<Hash256>> digest(const std::stop_token& stop) const {
        if (base_ != nullptr) return std::optional<Hash256>();
        state::DigestStream stream;
        for (const state::WrittenState::Entry* const entry : written_.sorted()) {
            if (stop.stop_requested()) return cancelled_error();
            if (entry->value) stream.add(entry->key, entry->value);
        }
        return std::optional(stream.finish());
    }

private:
    const state::StateView* base_;
    state::WrittenState written_;
};

} // namespace blockloom::execute
