// Asks a CUDA driver for its devices, in a child process: a driver may crash or never answer.
#pragma once

#include "base/clock.h"
#include "compute/cuda/cuda_devices.h"

namespace blockloom::compute::cuda {

inline constexpr Nanoseconds probe_limit = 20'000'000'000;

/// What the driver in `library` has; a child that does not answer in time is ended.
[[nodiscard]] CudaDevices probe(const std::string& library, Nanoseconds limit = probe_limit);

} // namespace blockloom::compute::cuda
