// The kernel of lanes on a GPU (kernel/device_kernel.c).
#pragma once

#include "native/lanes/lane_ptx.h"

namespace blockloom::simt {

[[nodiscard]] native::LaneKernel device_kernel() noexcept;

} // namespace blockloom::simt
