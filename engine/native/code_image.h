// What a compile leaves: where the machine code of each function begins.
#pragma once

#include "native/code.h"
#include "native/context.h"
#include "wasm/program.h"

#include <memory>
#include <vector>

namespace blockloom::native {

struct CodeImage {
    std::shared_ptr<const wasm::Program> program;
    Tier tier = Tier::optimised;
    std::vector<FunctionEntry> functions; ///< whole index space
    std::vector<Enter> enter;             ///< one a type, by the canonical type's index; else null
    std::vector<std::uint32_t> costs;     ///< one an instruction: of the block that begins there
    std::uint64_t bytes = 0;              ///< of the object
    std::uint64_t most_frame_bytes = 0;   ///< of a function's frame on the machine's stack
    std::shared_ptr<const void> owner;    ///< of the memory that the code lies in
};

} // namespace blockloom::native
