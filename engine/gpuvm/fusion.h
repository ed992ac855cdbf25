// Peephole fusion for the device: two instructions become one if the result is indistinguishable.
#pragma once

#include "wasm/program.h"

#include <cstdint>
#include <vector>

namespace blockloom::gpuvm {

/// An instruction of a fused program. Branches, calls and entries still refer to positions in
/// the original program.
struct Line {
    wasm::Instruction instruction;
    std::uint32_t flags = 0;  ///< for loads, stores, branches and returns: what was fused
    std::uint32_t mask = ~0u; ///< for a load: bits of the low half that it keeps
    std::uint32_t origin = 0; ///< the instruction of the program that may trap here
    std::uint32_t first = 0;  ///< the first instruction that was fused into it
};

struct FusedProgram {
    std::vector<Line> lines;
    std::vector<std::uint32_t> moved; ///< for each instruction of the program, where it is now
    std::vector<bool> arrivals;       ///< one per line: other instructions may branch to it
};

/// Fuses: a sum or a constant with the load or store at that address; a load with a following
/// i32.and of a constant or i32.add of a register; two sums; a shift with an i32.add of a constant;
/// i32.rotl by a constant with an i32.xor, on one side or both; a sum of a constant with the
/// return; a sum or mask of a narrow constant with the branch that tests it. The register between
/// them must not be read again, unless a branch keeps it. The fused part is encoded in fields that
/// the other instruction's format does not use, or in `mask` (shaders/gpuvm_codes.glsl).
[[nodiscard]] FusedProgram fuse(const wasm::Program& program);

} // namespace blockloom::gpuvm
