// `report` on a profile of `wasm run --profile-out` instead of a range of blocks.
#pragma once

#include "command.h"
#include "picture_options.h"

#include <optional>
#include <string>
#include <vector>

namespace blockloom::cli {

/// The source that is a profile, by its first bytes; nothing: none is. Fails if it is not the only
/// source.
[[nodiscard]] Result<std::optional<std::string>>
profile_among(const std::vector<std::string>& sources);

/// Writes the profile's flame graph and table to `output`; returns an exit status.
[[nodiscard]] Result<int> report_profile(const std::string& source, const PictureChoice& picture,
                                         const std::string& output, const Context& context);

} // namespace blockloom::cli
