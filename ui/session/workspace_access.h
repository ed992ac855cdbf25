// Opening a workspace to write while panels of the same window may be reading it.
#pragma once

#include "store/workspace.h"

namespace blockloom::ui {

/// As store::Workspace::open, but where somebody has it open it tries again for two seconds: what
/// reads runs or spans is soon done. For threads that may wait.
[[nodiscard]] Result<std::unique_ptr<store::Workspace>>
open_to_write(const std::filesystem::path& folder);

} // namespace blockloom::ui
