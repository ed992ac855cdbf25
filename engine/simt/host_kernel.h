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

/// What is left of a row's checksum when its parts are mixed: as the kernel does (lane_mix).
[[nodiscard]] std::uint32_t mix(std::uint32_t sum, std::uint32_t word) noexcept;
[[nodiscard]] std::uint32_t mix_wide(std::uint32_t sum, std::uint64_t value) noexcept;

} // namespace blockloom::simt
