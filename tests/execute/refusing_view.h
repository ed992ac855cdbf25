// A state of which one read fails.
#pragma once

#include "state/view.h"

#include <atomic>

namespace blockloom::tests {

/// Refuses one read of a key.
class RefusingView final : public state::StateView {
public:
    RefusingView(const state::StateView& below, state::Key key, unsigned refused)
        : below_(below), key_(std::move(key)), refused_(refused) {}

    [[nodiscard]] Result<state::Value> get(const state::KeyView& key) const override {
        if (key.bytes == key_.bytes() && ++reads_ == refused_)
            return Error{ErrorCode::system, "refused"};
        return below_.get(key);
    }
    [[nodiscard]] bool is_in_memory() const noexcept override { return true; }
    [[nodiscard]] unsigned reads() const noexcept { return reads_; }

private:
    const state::StateView& below_;
    state::Key key_;
    unsigned refused_;
    mutable std::atomic<unsigned> reads_{0};
};

} // namespace blockloom::tests
