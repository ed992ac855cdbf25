#include "simt/device_kernel.h"

#include "simt/kernel/layout.h"

namespace blockloom::simt {

ByteView device_kernel_bitcode() noexcept; // made by the build

native::LaneKernel device_kernel() noexcept {
    return {device_kernel_bitcode(), LANE_BUFFERS, LANE_PUSH_WORDS};
}

} // namespace blockloom::simt
