// Chooses the rules and the code with which the blocks of a range are executed, and keeps the
// modules of the indexer's built-in contracts in a workspace.
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

/// Fills in network, rule set, fuel and code by height: from `options`, else from the manifest
/// of a generated range, else as the blocks below were executed (`continue_rules`), else mainnet by
/// the released rules. A generated range has its code in the state. The modules are those kept in
/// the state's workspace; if `workspace` is null, those in the user's own; then those that `node`,
/// unless null, surely has (range/node_code.h). `on_blocks`: blocks
/// below the range were executed in the workspace. Fails if they were executed by other rules or if
/// a kept module is damaged.
Status choose_rules(execute::ReplayOptions& how, const RangeOptions& options,
                    const std::optional<Manifest>& manifest, const store::Workspace* workspace,
                    bool on_blocks, const NodeRecords* node = nullptr);
/// The same for the state before a range.
Status choose_rules(execute::ReplayOptions& how, const RangeOptions& options,
                    const std::optional<Manifest>& manifest, const StateBefore& before);

/// The rules of a run as its record keeps them.
[[nodiscard]] execute::RunRules rules_of(const execute::ReplayOptions& how);

/// A module that was kept, now or before, and the slot that it fills.
struct KeptModule {
    std::string slot; ///< empty: none
    Hash256 hash{};
    std::string file;
};

/// Keeps modules under their SHA-256 in the workspace and fills slots with them. Each of `words` is
/// SLOT=FILE, a FILE whose slot is found by its hash, or a folder of files (*.wasm, *.gz), whose
/// slots are found by hash or, if the hash is unknown, by the file's name ("frbtc-1.0.wasm"). Fails
/// on a file that is not a module, that fits no slot, or that would replace a module with which
/// committed blocks were executed; then nothing is kept.
[[nodiscard]] Result<std::vector<KeptModule>> keep_modules(store::Workspace& workspace,
                                                           const std::vector<std::string>& words);

} // namespace blockloom::range
