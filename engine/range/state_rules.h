// The labels of a workspace that record the rules by which its blocks were executed: only the same
// rules may continue them.
#pragma once

#include "execute/replayer.h"
#include "range/range.h"
#include "store/workspace.h"

#include <string>
#include <vector>

namespace blockloom::range {

/// Sets network, rule set and fuel for blocks above those that are committed in a workspace:
/// as `options` choose, else as the committed blocks were executed. `how` comes with the defaults
/// for no workspace; `of_network`: its network was chosen. Fails if the choice differs from what
/// the workspace records, or if the workspace is from a version without `--rules`, which mixed both
/// rule sets, and none was chosen; the error names both and says what to do. Blocks of a workspace
/// from a version without `--fuel` used counted fuel.
[[nodiscard]] Status continue_rules(execute::ReplayOptions& how, const RangeOptions& options,
                                    const store::Workspace& workspace, bool of_network);

/// Labels a workspace in which blocks are to be committed with the rules of `how`. Returns, in
/// sentences, what is assumed about committed blocks without such a label.
[[nodiscard]] Result<std::vector<std::string>> record_rules(store::Workspace& workspace,
                                                            const execute::ReplayOptions& how);

} // namespace blockloom::range
