// The host's own cores as a provider: always there.
#pragma once

#include "compute/provider.h"

namespace blockloom::compute {

/// What the processor offers to `threads` (0: one a core).
[[nodiscard]] Description describe_processor(std::uint32_t threads = 0);

/// Runs the host form of kernels, the groups of a dispatch shared among threads.
[[nodiscard]] ProviderPtr open_processor(const ProviderOptions& options = {});

} // namespace blockloom::compute
