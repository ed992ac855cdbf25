// The kernel of lanes on this machine's processor: the code of a GPU's kernel, in a loop over
// lanes.
#pragma once

#include "compute/kernel.h"
#include "native/lanes/lane_code.h"

#include <memory>

namespace blockloom::simt {

/// Groups of `lanes` lanes that run `function`.
[[nodiscard]] compute::HostKernel host_kernel(std::shared_ptr<const native::LaneCode> code,
                                              std::uint32_t function, std::uint32_t lanes);

/// The same of a plan that is compiled when the kernel first runs: what a device's code does, on a
/// provider that has no compiler of PTX (in tests).
[[nodiscard]] compute::HostKernel host_kernel(native::LanePlan plan, std::uint32_t function,
                                              std::uint32_t lanes);

} // namespace blockloom::simt
