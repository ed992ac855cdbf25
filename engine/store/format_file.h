// The file that makes a folder a workspace and names its format, readable before anything else is
// opened.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <optional>

namespace blockloom::store {

/// The folder's format. A newer one is refused.
inline constexpr unsigned format_version = 3;

/// The format of the workspace in `folder`; nothing if there is none yet and the folder may become
/// one (absent, empty, or left by a creation that was killed). Fails on a folder with other
/// things in it, on a damaged file and on a format newer than ours.
[[nodiscard]] Result<std::optional<unsigned>> read_format(const std::filesystem::path& folder);

/// Written last, when everything else of a new workspace exists.
Status write_format(const std::filesystem::path& folder);

} // namespace blockloom::store
