// Errors about a damaged workspace. Only included by this room's sources.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <string>

namespace blockloom::store {

/// The end of every message about damage.
inline constexpr const char* way_back =
    "; check what is left (state check), restore the last intact block (state repair), or replay "
    "its blocks into a new workspace (--workspace)";

/// "FOLDER: the workspace is damaged: WHAT; …" and what can be done.
[[nodiscard]] Error damaged_error(const std::filesystem::path& folder, const std::string& what);

} // namespace blockloom::store
