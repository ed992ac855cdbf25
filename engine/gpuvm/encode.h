// Encodes the register program's instructions for the device.
#pragma once

#include "gpuvm/fusion.h"

#include <array>
#include <cstdint>
#include <span>

namespace blockloom::gpuvm {

/// An instruction or a function's header in the device's format.
using DeviceWord = std::array<std::uint32_t, 4>;

/// Where the parts of a program are in the shared buffers.
struct Places {
    std::uint32_t code = 0;                      ///< of the program's instruction 0
    std::uint32_t headers = 0;                   ///< of function 0's header, in the code
    std::uint32_t branch_targets = 0, rules = 0; ///< words of the data buffer
};

/// Encodes a line of a fused program, which is at `place` of the shared code; as an ejection if
/// the device cannot run it. `moved` is the program's FusedProgram::moved.
[[nodiscard]] DeviceWord encode(const Line& line, const wasm::Program& program,
                                const Places& places, std::span<const std::uint32_t> moved,
                                std::uint32_t place);

} // namespace blockloom::gpuvm
