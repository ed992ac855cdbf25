// The device that the tests run on.
#pragma once

#include "compute/provider.h"
#include "gpuvm/machine.h"

#include <QString>

#include <memory>
#include <string>

namespace blockloom::tests {

/// The Vulkan device named by BLOCKLOOM_GPUVM_DEVICE (its index), or the first that can be used;
/// null and the reason where there is none. Opened once.
[[nodiscard]] compute::ProviderPtr gpuvm_device(std::string& why);

/// The first CUDA device that can be used; null where there is none. Opened once.
[[nodiscard]] compute::ProviderPtr cuda_device();

/// Rows of a test's global data: "kernel", a Vulkan device; "simt", compiled lanes; "profiled", the
/// same with the plan and the tiers of a GPU; and "cuda", where there is such a device.
void add_machines();
/// The machine of the row, in which the options have no time-out; null and the reason where there
/// is no device for it.
[[nodiscard]] std::unique_ptr<gpuvm::Machine> machine_of(const QString& row, std::string& why,
                                                         gpuvm::Options options = {});

/// The options with a submission's time-out of a year: a loaded machine is no lost device.
[[nodiscard]] gpuvm::Options without_time_out(gpuvm::Options options = {});

} // namespace blockloom::tests
