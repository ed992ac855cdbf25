// The device that the tests run on.
#pragma once

#include "compute/provider.h"
#include "gpuvm/machine.h"

#include <string>

namespace blockloom::tests {

/// The Vulkan device named by BLOCKLOOM_GPUVM_DEVICE (its index), or the first that can be used;
/// null and the reason where there is none. Opened once.
[[nodiscard]] compute::ProviderPtr gpuvm_device(std::string& why);

/// The options with a submission's time-out of a year: a loaded machine is no lost device.
[[nodiscard]] gpuvm::Options without_time_out(gpuvm::Options options = {});

} // namespace blockloom::tests
