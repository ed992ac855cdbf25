// What is kept on disk of kernels that were compiled for a device; asks no device.
#pragma once

#include "compute/description.h"

#include <filesystem>
#include <optional>

namespace blockloom::compute {

/// Nothing if the backend keeps none: only `cuda` does. `cache`: the folder of caches.
[[nodiscard]] std::optional<KeptKernels> kept_kernels(const Description& device,
                                                      const std::filesystem::path& cache);

} // namespace blockloom::compute
