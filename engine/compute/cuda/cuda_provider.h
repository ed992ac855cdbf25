// A CUDA device as a provider.
#pragma once

#include "compute/cuda/cuda_devices.h"
#include "compute/provider.h"

#include <string>

namespace blockloom::compute {

/// Lets the driver run kernels of many streams at the same time, unless the environment says how
/// many (CUDA_DEVICE_MAX_CONNECTIONS): it reads that when it starts. Before there are other
/// threads.
void allow_many_streams() noexcept;

/// The driver is first loaded by a child process, so that one that crashes or hangs does no harm.
/// The answer for the driver of the system is kept for the life of the process. `library`: where
/// the driver is.
[[nodiscard]] CudaDevices list_cuda_devices(const std::string& library = {});

/// Opens the device listed as `index`. `unavailable` with the reason.
[[nodiscard]] Result<ProviderPtr> open_cuda(std::uint32_t index, const ProviderOptions& options,
                                            const std::string& library = {});

} // namespace blockloom::compute
