// blockloom-cli runs what-if: a kept run re-scheduled by its measured costs.
#pragma once

#include "command.h"

namespace blockloom::cli {

/// Adds the command to the group `runs`.
[[nodiscard]] Command add_what_if(CLI::App& runs);

} // namespace blockloom::cli
