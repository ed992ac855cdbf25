// Kernels of the provider tests in both forms, and what they are expected to give.
#pragma once

#include "compute/kernel.h"

#include <cstdint>

namespace blockloom::compute_tests {

struct MixPush {
    std::uint32_t count = 0, add = 0;
};

/// 64 numbers a group: binding 0 in, binding 1 out.
[[nodiscard]] compute::KernelSource mix_kernel(std::uint32_t rounds, std::uint32_t salt);
[[nodiscard]] std::uint32_t mixed(std::uint32_t value, std::uint32_t rounds, std::uint32_t salt,
                                  std::uint32_t add);

/// One 64-bit number a group, doubled where it lies: push bytes are the address of the first.
[[nodiscard]] compute::KernelSource doubling_kernel();

/// SPIR-V that needs 64-bit floats.
[[nodiscard]] compute::KernelSource refused_kernel();

} // namespace blockloom::compute_tests
