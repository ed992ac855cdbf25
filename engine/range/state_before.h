// The state on which a range begins: a workspace's, or the empty one of a generated range.
#pragma once

#include "execute/junction.h"
#include "range/sources.h"
#include "store/workspace.h"

namespace blockloom::range {

/// Keeps alive what the view reads.
struct StateBefore {
    std::unique_ptr<store::Workspace> workspace; ///< null: nothing lies below
    std::unique_ptr<state::StateView> past;      ///< null: the workspace's own state is meant
    bool on_blocks = false; ///< blocks that were executed in the workspace lie below

    /// Null: the empty state.
    [[nodiscard]] const state::StateView* view() const noexcept {
        return past ? past.get() : workspace ? &workspace->state() : nullptr;
    }
};

/// The folder whose state a range begins on: the one that is `given`; else, for blocks that were
/// not generated, the user's own workspace (store/location.h) where it holds a state, as `state
/// put-…` and `state seed` fill it; else empty.
[[nodiscard]] Result<std::string> workspace_for(const std::string& given,
                                                const std::optional<Manifest>& manifest);

/// What is known of the state below a block: the first one of a generated chain has an empty one.
[[nodiscard]] execute::Beginning beginning_of(const execute::ReplaySource& first,
                                              const std::optional<Manifest>& manifest);

/// Of the range that begins with `first`, on `workspace_for`. A workspace is opened for reading; it
/// must hold the parent of `first`, as its last block or below it, or no block and a state that is
/// declared to be the parent's. Without a workspace only a generated chain has a state, before its
/// first block: the error says how to give one.
[[nodiscard]] Result<StateBefore> state_before(const std::string& workspace, const Pending& first,
                                               const std::optional<Manifest>& manifest);

/// Whether the state in a workspace is that of Alkanes: it holds anything at all.
[[nodiscard]] Result<bool> holds_state(const std::string& workspace);

} // namespace blockloom::range
