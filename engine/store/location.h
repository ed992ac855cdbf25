// The default location of the workspace.
#pragma once

#include "base/result.h"

#include <filesystem>

namespace blockloom::store {

/// `$XDG_DATA_HOME/blockloom/workspace`, or `~/.local/share/blockloom/workspace` (XDG base
/// directories). Fails if neither that variable nor HOME is set.
[[nodiscard]] Result<std::filesystem::path> default_folder();

} // namespace blockloom::store
