// Fewer instructions for the device: two that belong together become one where nobody can tell.
#pragma once

#include "wasm/program.h"

#include <cstdint>
#include <vector>

namespace blockloom::gpuvm {

/// An instruction of a shortened program. Branches, calls and entries still name places of the
/// program that it was made from.
struct Line {
    wasm::Instruction instruction;
    std::uint32_t flags = 0;  ///< of loads, stores, branches and returns: what was joined
    std::uint32_t mask = ~0u; ///< of a load: bits of the low half that it keeps
    std::uint32_t origin = 0; ///< the instruction of the program that may trap here
    std::uint32_t first = 0;  ///< the first one that was joined in it
};

struct Shortened {
    std::vector<Line> lines;
    std::vector<std::uint32_t> moved; ///< for each instruction of the program, where it is now
    std::vector<bool> arrivals;       ///< of `lines`: lanes may come here from elsewhere
};

/// Joined are: a sum or a constant and the load or store there; a load and the i32.and of a
/// constant or the i32.add of a register behind it; two sums; a shift and the i32.add of a
/// constant; i32.rotl by a constant and an i32.xor, on one side or both; a sum of a constant and
/// the return, a sum or mask of a narrow constant and the branch that looks at it. The register
/// between them must not be read again, except where a branch keeps it. What was joined stands in
/// fields that the other's form does not use, or in `mask` (shaders/gpuvm_codes.glsl).
[[nodiscard]] Shortened shorten(const wasm::Program& program);

} // namespace blockloom::gpuvm
