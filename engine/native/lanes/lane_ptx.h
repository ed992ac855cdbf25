// Lane code as PTX, for CUDA (docs/native.md#lanes).
#pragma once

#include "native/lanes/plan.h"

#include <string>

namespace blockloom::native {

/// A kernel around lane code, as LLVM bitcode for NVPTX. It defines `lane_import`, which lane code
/// calls for every import, and `lane_main(launch, frame, cells)`, which runs a lane by calling
/// `fuel left = lane_enter(frame, fuel, cells)`.
struct LaneKernel {
    ByteView bitcode;
    /// Parameters of the entry: addresses of 64 bits, then words of 32; `launch` has them one after
    /// the other.
    std::uint32_t buffers = 0, words = 0;
};

inline constexpr const char* lane_entry = "lanes"; ///< the name of the kernel's entry

/// PTX of a kernel whose lanes run `function` of the plan's program. ErrorCode::unavailable if it
/// cannot be compiled. Takes seconds for a program of a thousand functions.
[[nodiscard]] Result<std::string> lane_ptx(const LanePlan& plan, std::uint32_t function,
                                           const LaneKernel& kernel);

/// What determines that text, in hexadecimal: a SHA-256 of the module and its fuel rule, the plan,
/// the function, the kernel and the sources of the generator.
[[nodiscard]] std::string lane_ptx_key(const LanePlan& plan, std::uint32_t function,
                                       const LaneKernel& kernel);

} // namespace blockloom::native
