// The workspace that a command works in.
#pragma once

#include "command.h"
#include "store/workspace.h"

#include <memory>

namespace blockloom::cli {

/// Opens the folder of --workspace, else the user's own (XDG). Who has it for a moment is waited
/// for, whatever patience `options` has.
[[nodiscard]] Result<std::unique_ptr<store::Workspace>>
open_workspace(const Context& context, const store::OpenOptions& options = {});

} // namespace blockloom::cli
