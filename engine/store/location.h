// Where the workspace is when nobody says.
#pragma once

#include "base/result.h"

#include <filesystem>

namespace blockloom::store {

/// `$XDG_DATA_HOME/blockloom/workspace`, or `~/.local/share/blockloom/workspace` (XDG base
/// directories). Fails where neither variable nor HOME is set.
[[nodiscard]] Result<std::filesystem::path> default_folder();

} // namespace blockloom::store
