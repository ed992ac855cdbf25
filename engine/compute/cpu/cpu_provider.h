// The host's own cores as a provider: always available.
#pragma once

#include "compute/provider.h"

namespace blockloom::compute {

/// Describes the processor with `threads` threads (0: one per core).
[[nodiscard]] Description describe_processor(std::uint32_t threads = 0);

/// The same cores as the backend "simt": contracts compiled as for a GPU, run in a loop over lanes.
/// Slower than the processor's own engines; it is for tests, and `auto` never chooses it.
[[nodiscard]] Description describe_lanes(std::uint32_t threads = 0);

/// Runs the host form of kernels, with the groups of a dispatch distributed over threads.
[[nodiscard]] ProviderPtr open_processor(const ProviderOptions& options = {});
/// The same, described as `describe_lanes` does.
[[nodiscard]] ProviderPtr open_lanes(const ProviderOptions& options = {});

} // namespace blockloom::compute
