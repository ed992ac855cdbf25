// The state that a transaction sees which may only access what it declared
// (docs/execution.md#what-is-tried).
#pragma once

#include "alkanes/state_keys.h"
#include "execute/levels.h"
#include "state/view.h"

#include <algorithm>
#include <memory>
#include <string>

namespace blockloom::execute {

/// Ends an execution that reads what its transaction did not declare.
class DeclaredView final : public state::StateView {
public:
    DeclaredView(const state::StateView& below, const DeclaredSets& declared)
        : below_(&below), declared_(&declared) {}

    [[nodiscard]] Result<state::Value> get(const state::KeyView& key) const override {
        // A blind write is compared with what it replaces: that is no read of the contract.
        if (!is_declared(key.bytes) || declared_->may_read(key.bytes) ||
            declared_->may_write(key.bytes))
            return below_->get(key);
        if (left_by_ == nullptr) left_by_ = std::make_unique<std::string>(key.bytes);
        return Error{ErrorCode::bad_input, "a read outside the declared set"};
    }

    /// The key that was not to be read; empty: there was none.
    [[nodiscard]] std::string left_by() const { return left_by_ ? *left_by_ : std::string(); }

private:
    /// The tokens on a transaction's inputs are looked up before it is known whether that is an
    /// access, and stored code is named by a key whose read is one.
    static bool is_declared(std::string_view key) noexcept {
        if (key.empty()) return true;
        const auto kind = static_cast<alkanes::KeyKind>(key.front());
        return kind != alkanes::KeyKind::sheet && kind != alkanes::KeyKind::bytecode;
    }

    const state::StateView* below_;
    const DeclaredSets* declared_;
    mutable std::unique_ptr<std::string> left_by_; ///< null: nothing outside was read
};

/// The first key that was not to be written; null: there is none.
[[nodiscard]] inline const state::Key* undeclared_write(const state::TransactionLog& log,
                                                        const DeclaredSets& declared) {
    const auto at = std::find_if(log.writes.begin(), log.writes.end(), [&](const auto& write) {
        return !declared.may_write(write.first);
    });
    return at == log.writes.end() ? nullptr : &at->first;
}

} // namespace blockloom::execute
