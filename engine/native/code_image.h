// The result of a compilation: where the machine code of each function begins.
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
    std::vector<Enter> enter;             ///< by type index; set for canonical types, else null
    std::vector<std::uint32_t>
        costs;               ///< one per instruction: the cost of the block that begins there
    std::uint64_t bytes = 0; ///< of the object
    std::uint64_t most_frame_bytes = 0; ///< the largest frame of a function on the machine's stack
    std::shared_ptr<const void> owner;  ///< keeps the memory that contains the code
};

} // namespace blockloom::native
