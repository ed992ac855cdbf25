// By whose rules and with whose code the blocks of a range are executed, and the modules of the
// indexer's built-in contracts in a workspace.
#pragma once

#include "execute/replayer.h"
#include "execute/run_rules.h"
#include "range/manifest.h"
#include "range/range.h"
#include "range/state_before.h"
#include "store/workspace.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::range {

/// Fills in network, line of rules, fuel and code by height: as `options` say, else as a generated
/// range says of itself, else as the blocks below were executed (`continue_rules`), else mainnet by
/// the released rules. A generated range has its code in the state. The modules are those kept in
/// the state's workspace; `workspace` null: in the user's own. `on_blocks`: blocks that were
/// executed in the workspace lie below the range. Fails where they were executed by other rules,
/// and where a kept module is damaged.
Status choose_rules(execute::ReplayOptions& how, const RangeOptions& options,
                    const std::optional<Manifest>& manifest, const store::Workspace* workspace,
                    bool on_blocks);
/// On the state before a range.
Status choose_rules(execute::ReplayOptions& how, const RangeOptions& options,
                    const std::optional<Manifest>& manifest, const StateBefore& before);

/// The settings of a run as its record keeps them.
[[nodiscard]] execute::RunRules rules_of(const execute::ReplayOptions& how);

/// A module that was kept, or was there already, and the slot that it fills.
struct KeptModule {
    std::string slot; ///< empty: none
    Hash256 hash{};
    std::string file;
};

/// Keeps modules under their SHA-256 in the workspace and fills slots with them. Each of `words` is
/// SLOT=FILE, a FILE whose slot is found by its hash, or a folder of files (*.wasm, *.gz), whose
/// slots are found by hash or, where no hash is known, by a file's name ("frbtc-1.0.wasm"). Fails
/// on a file that is no module, that fills no slot, or that would replace a module that committed
/// blocks have run with; nothing is kept then.
[[nodiscard]] Result<std::vector<KeptModule>> keep_modules(store::Workspace& workspace,
                                                           const std::vector<std::string>& words);

} // namespace blockloom::range
