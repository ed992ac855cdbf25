// A state and the blocks executed on it so far, in memory.
#pragma once

#include "base/progress.h"
#include "state/block_changes.h"
#include "state/digest.h"

#include <map>
#include <optional>
#include <stop_token>

namespace blockloom::execute {

/// Several threads may read it while no writes are applied.
class LayeredState final : public state::StateView {
public:
    /// `base` null: the state below is empty. Must outlive this object.
    explicit LayeredState(const state::StateView* base) : base_(base) {}

    [[nodiscard]] Result<state::Value> get(std::string_view key) const override {
        if (const auto found = written_.find(key); found != written_.end()) return found->second;
        return base_ == nullptr ? Result<state::Value>(state::Value()) : base_->get(key);
    }
    void apply(const std::vector<state::Change>& changes) {
        for (const state::Change& change : changes) written_[change.key] = change.after;
    }
    /// The digest of all keys; absent if there is a base.
    [[nodiscard]] Result<std::optional<Hash256>> digest(const std::stop_token& stop) const {
        if (base_ != nullptr) return std::optional<Hash256>();
        state::DigestStream stream;
        for (const auto& [key, value] : written_) {
            if (stop.stop_requested()) return cancelled_error();
            if (value) stream.add(key, value);
        }
        return std::optional(stream.finish());
    }

private:
    const state::StateView* base_;
    std::map<state::Key, state::Value, std::less<>> written_;
};

} // namespace blockloom::execute
