// The workspace that a command works in.
#pragma once

#include "command.h"
#include "store/kept_folders.h"
#include "store/workspace.h"

#include <memory>

namespace blockloom::cli {

/// The folder of --workspace, else the user's own (XDG).
[[nodiscard]] Result<std::filesystem::path> workspace_folder(const Context& context);

/// Opens its state.
[[nodiscard]] Result<std::unique_ptr<store::Workspace>>
open_workspace(const Context& context, const store::OpenOptions& options = {});

/// What it keeps besides the state; not blocked by other processes.
[[nodiscard]] Result<store::DocumentFolder> open_runs(const Context& context);
[[nodiscard]] Result<store::DocumentFolder> open_tunings(const Context& context);

} // namespace blockloom::cli
