// A CUDA device as a provider.
#pragma once

#include "compute/cuda/cuda_devices.h"
#include "compute/provider.h"

#include <string>

namespace blockloom::compute {

/// The driver is first loaded by a child process, so that one that crashes or hangs does no harm.
/// The answer for the driver of the system is kept for the life of the process. `library`: where
/// the driver is.
[[nodiscard]] CudaDevices list_cuda_devices(const std::string& library = {});

/// Opens the device listed as `index`. `unavailable` with the reason.
[[nodiscard]] Result<ProviderPtr> open_cuda(std::uint32_t index, const ProviderOptions& options,
                                            const std::string& library = {});

} // namespace blockloom::compute
