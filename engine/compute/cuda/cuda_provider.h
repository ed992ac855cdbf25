// A CUDA device as a provider.
#pragma once

#include "compute/provider.h"

#include <string>
#include <vector>

namespace blockloom::compute {

/// Descriptions of the CUDA devices of this machine; if there are none, `why` states the reason.
struct CudaDevices {
    std::vector<Description> devices;
    std::string why;
};

/// The driver is first loaded by a child process, so that one that crashes or hangs does no harm.
/// The answer for the driver of the system is kept for the life of the process. `library`: where
/// the driver is.
[[nodiscard]] CudaDevices list_cuda_devices(const std::string& library = {});

/// Opens the device listed as `index`. `unavailable` with the reason.
[[nodiscard]] Result<ProviderPtr> open_cuda(std::uint32_t index, const ProviderOptions& options,
                                            const std::string& library = {});

} // namespace blockloom::compute
