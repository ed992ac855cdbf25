// Where the state before a range comes from, if not from a workspace: what `--state` names.
#pragma once

#include "execute/replayer.h"
#include "range/node_records.h"
#include "state/view.h"
#include "store/metashrew/node_options.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::range {

/// As the user gives it.
struct StateSource {
    std::string place; ///< "metashrew:DIR", or a state bundle's file; empty: none was given
    std::string fork, label;
    store::NodeOptions::Access access = store::NodeOptions::Access::automatic;
    std::optional<std::uint64_t> height; ///< the state after this block; else: before the range
    /// The user declares that it is the state before the range, whatever the block's hash says.
    bool declared = false;

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
};

/// Whether this names a state elsewhere, rather than the folder of a workspace.
[[nodiscard]] bool is_state_place(std::string_view place) noexcept;

/// Whether `place` has a form that `open_state` knows: so that wrong usage is reported at once.
/// Nothing is opened.
Status check_state_source(const StateSource& source);

/// Opens the state before the block `first`. Fails unless it is the state after its parent, by
/// hash, or was declared to be.
[[nodiscard]] Result<OpenState> open_state(const StateSource& source,
                                           const execute::ReplaySource& first);

} // namespace blockloom::range
