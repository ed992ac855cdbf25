// The labels of a workspace that say by which rules its blocks were executed: only these rules
// continue them.
#pragma once

#include "execute/replayer.h"
#include "range/range.h"
#include "store/workspace.h"

#include <string>
#include <vector>

namespace blockloom::range {

/// Network, line of rules and fuel for blocks above those that are committed in a workspace: what
/// `options` choose, else what the committed blocks were executed by. `how` comes with what holds
/// where there is no workspace; `of_network`: its network was chosen. Fails where the choice
/// differs from what the workspace says, and where a workspace from before `--rules`, which mixed
/// both lines, meets no choice; the error names both and says what to do. The blocks of a workspace
/// from before `--fuel` were counted.
[[nodiscard]] Status continue_rules(execute::ReplayOptions& how, const RangeOptions& options,
                                    const store::Workspace& workspace, bool of_network);

/// Labels a workspace in which blocks are to be committed as `how` says. The answer: what committed
/// blocks that said nothing are taken for, in sentences.
[[nodiscard]] Result<std::vector<std::string>> record_rules(store::Workspace& workspace,
                                                            const execute::ReplayOptions& how);

} // namespace blockloom::range
