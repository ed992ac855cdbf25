#include "compute/kept_kernels.h"

#include "compute/cuda/code_files.h"

namespace blockloom::compute {

std::optional<KeptKernels> kept_kernels(const Description& device,
                                        const std::filesystem::path& cache) {
    if (device.backend != "cuda" || device.name.empty()) return std::nullopt;
    return cuda::CodeFiles(cache.string(), device.identity).kept();
}

} // namespace blockloom::compute
