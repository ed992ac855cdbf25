// Errors about a damaged workspace. Included by this room's sources only.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <string>

namespace blockloom::store {

/// What a message about damage ends with.
inline constexpr const char* way_back =
    "; see what is left (state check), go back to the last whole block (state repair), or replay "
    "its blocks into a new one (--workspace)";

/// "FOLDER: the workspace is damaged: WHAT; …" and what can be done.
[[nodiscard]] Error damaged_error(const std::filesystem::path& folder, const std::string& what);

} // namespace blockloom::store
