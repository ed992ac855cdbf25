// The state from which a range starts: a workspace's, or the empty one of a generated range.
#pragma once

#include "execute/junction.h"
#include "range/sources.h"
#include "store/workspace.h"

namespace blockloom::range {

/// The state and whatever it reads from.
struct StateBefore {
    std::unique_ptr<store::Workspace> workspace; ///< null: the state is empty
    std::unique_ptr<state::StateView> past;      ///< null: use the workspace's current state
    bool on_blocks = false;                      ///< blocks below were executed in the workspace

    /// Null: the empty state.
    [[nodiscard]] const state::StateView* view() const noexcept {
        return past ? past.get() : workspace ? &workspace->state() : nullptr;
    }
};

/// The workspace folder whose state a range starts from: the `given` one; else, for blocks that
/// were not generated, the user's own workspace (store/location.h) if it holds a state, such as one
/// filled by `state put-…` or `state seed`; else empty.
[[nodiscard]] Result<std::string> workspace_for(const std::string& given,
                                                const std::optional<Manifest>& manifest);

/// What is known about the state before a block: the first block of a generated chain has an empty
/// one.
[[nodiscard]] execute::Beginning beginning_of(const execute::ReplaySource& first,
                                              const std::optional<Manifest>& manifest);

/// The state before the range that starts with `first`, in the workspace of `workspace_for`. The
/// workspace is opened for reading; it must hold the parent of `first`, as its last block or below
/// it, or no block and a state that is declared to be the parent's. Without a workspace only a
/// generated chain has a state, before its first block: otherwise the error says how to give one.
[[nodiscard]] Result<StateBefore> state_before(const std::string& workspace, const Pending& first,
                                               const std::optional<Manifest>& manifest);

/// Whether a workspace holds an Alkanes state: whether it holds any key.
[[nodiscard]] Result<bool> holds_state(const std::string& workspace);

} // namespace blockloom::range
