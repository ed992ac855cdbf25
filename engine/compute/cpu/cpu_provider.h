// The host's own cores as a provider: always available.
#pragma once

#include "compute/provider.h"

namespace blockloom::compute {

/// Describes the processor with `threads` threads (0: one per core).
[[nodiscard]] Description describe_processor(std::uint32_t threads = 0);

/// Runs the host form of kernels, with the groups of a dispatch distributed over threads.
[[nodiscard]] ProviderPtr open_processor(const ProviderOptions& options = {});

} // namespace blockloom::compute
