// Where the state before a range comes from, if not from a workspace: what `--state` names.
#pragma once

#include "base/progress.h"
#include "execute/replayer.h"
#include "node/credentials.h"
#include "range/node_records.h"
#include "range/unknown_values.h"
#include "state/view.h"
#include "store/metashrew/node_options.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::range {

/// As the user gives it.
struct StateSource {
    /// "metashrew:DIR", "metashrew:URL", or a state bundle's file; empty: none was given.
    std::string place;
    std::string fork, label;
    store::NodeOptions::Access access = store::NodeOptions::Access::automatic;
    std::optional<std::uint64_t> height; ///< the state after this block; else: before the range
    /// The user declares that it is the state before the range, whatever the block's hash says.
    bool declared = false;
    node::NodeAccess access_of_node{{}, "BLOCKLOOM_STATE_CREDENTIALS", {}}; ///< of a URL

    [[nodiscard]] bool given() const noexcept { return !place.empty(); }
};

/// A state that is open for reading.
struct OpenState {
    std::unique_ptr<state::StateView> view;
    std::string text; ///< for records: the place, the block, the layout
    /// What the node recorded of the blocks that it indexed; null: there is no node.
    std::shared_ptr<const NodeRecords> records;
    /// What is to be said about it after it was read; may be empty.
    std::function<std::vector<std::string>()> notes;

    // Of places that may not know everything, or that change; else empty.
    /// The values that were read so far and are not known.
    std::function<UnknownValues()> unknown;
    /// Whether this key of the state is one of them.
    std::function<bool(std::string_view key)> is_unknown;
    /// Fails if the place is no longer what it was when it was opened, so that what was read may be
    /// of several states.
    std::function<Status(const std::stop_token&)> confirm;
    /// Reads in parallel what the blocks will read, as far as it is known beforehand.
    std::function<Status(std::span<const execute::ReplaySource>, const execute::ReplayOptions&,
                         ProgressSink&, const std::stop_token&)>
        read_ahead;

    [[nodiscard]] UnknownValues unknown_values() const {
        return unknown ? unknown() : UnknownValues();
    }
};

/// Whether this names a state elsewhere, rather than the folder of a workspace.
[[nodiscard]] bool is_state_place(std::string_view place) noexcept;

/// Whether `place` has a form that `open_state` knows: so that wrong usage is reported at once.
/// Nothing is opened.
Status check_state_source(const StateSource& source);

/// Opens the state before the block `first`. Fails unless it is the state after its parent, by
/// hash, or was declared to be. Once `stop` is requested, reads from a node fail.
[[nodiscard]] Result<OpenState> open_state(const StateSource& source,
                                           const execute::ReplaySource& first,
                                           const std::stop_token& stop = {});

/// Prepares a state for these blocks, which are going to be executed by the rules of `how`: reads
/// ahead, where that saves time.
Status read_ahead(const OpenState& state, std::span<const execute::ReplaySource> blocks,
                  const execute::ReplayOptions& how, ProgressSink& progress,
                  const std::stop_token& stop);
/// After all reads: whether they are of one state.
Status confirm(const OpenState& state, const std::stop_token& stop);

} // namespace blockloom::range
