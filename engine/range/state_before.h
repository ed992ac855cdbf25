// The state on which a range begins: a workspace's, or the empty one of a generated range.
#pragma once

#include "range/sources.h"
#include "store/workspace.h"

namespace blockloom::range {

/// Keeps alive what the view reads.
struct StateBefore {
    std::unique_ptr<store::Workspace> workspace; ///< null: nothing lies below
    std::unique_ptr<state::StateView> past;      ///< null: the workspace's own state is meant

    /// Null: the empty state.
    [[nodiscard]] const state::StateView* view() const noexcept {
        return past ? past.get() : workspace ? &workspace->state() : nullptr;
    }
};

/// The folder whose state a range begins on: the one that is `given`; else, for blocks that were not
/// generated, the user's own workspace (store/location.h) where it holds a state, as `state put-…`
/// and `state seed` fill it; else empty.
[[nodiscard]] Result<std::string> workspace_for(const std::string& given,
                                                const std::optional<Manifest>& manifest);

/// What is said where there is none, with how to give one. `place`: the first block's source.
[[nodiscard]] Error missing_state(const std::string& place);

/// Of the range that begins with `first`, on `workspace_for`. A workspace is opened for reading; it must stand at the
/// block before (or hold seeds and no block), or hold the block itself and what undoes it. Without
/// a workspace only a generated range has a state: the error says how to give one.
[[nodiscard]] Result<StateBefore> state_before(const std::string& workspace, const Pending& first,
                                               const std::optional<Manifest>& manifest);

/// Whether the state in a workspace is that of Alkanes: it holds anything at all.
[[nodiscard]] Result<bool> holds_state(const std::string& workspace);

} // namespace blockloom::range
