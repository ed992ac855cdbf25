// The state from which a range starts: a workspace's, that of another source, or the empty one of a
// generated range.
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
    OpenState source;                            ///< its view is null: it is none of those

    /// Null: the empty state.
    [[nodiscard]] const state::StateView* view() const noexcept {
        return source.view ? source.view.get()
               : past      ? past.get()
               : workspace ? &workspace->state()
                           : nullptr;
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
/// `workspace` may also be a place that `--state` takes (state_source.h).
[[nodiscard]] Result<StateBefore> state_before(const std::string& workspace, const Pending& first,
                                               const std::optional<Manifest>& manifest);
/// The same for the options of a range: from `options.state` if it is given, else from its
/// workspace.
[[nodiscard]] Result<StateBefore> state_before(const RangeOptions& options, const Pending& first,
                                               const std::optional<Manifest>& manifest,
                                               const std::stop_token& stop = {});

/// Whether a workspace holds an Alkanes state: whether it holds any key.
[[nodiscard]] Result<bool> holds_state(const std::string& workspace);

} // namespace blockloom::range
