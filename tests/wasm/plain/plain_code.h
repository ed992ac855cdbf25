// A function body as a list of instructions, with the charges that docs/register-program.md defines
// for its basic blocks. Shares no code with the engines: it reads the bytes itself.
#pragma once

#include "wasm/fuel_model.h"

#include <cstdint>
#include <vector>

namespace blockloom::plain {

inline constexpr std::uint32_t nowhere = 0xffff'ffff;

struct Instruction {
    std::uint16_t opcode = 0;   ///< 0xfcNN behind the prefix
    std::uint32_t offset = 0;   ///< in the module
    std::uint32_t a = 0, b = 0; ///< indices; a load's or store's offset in a
    std::uint64_t value = 0;    ///< a constant's cell
    std::vector<std::uint32_t> labels;
    std::uint32_t parameters = 0, results = 0;        ///< of block, loop, if
    std::uint32_t otherwise = nowhere, end = nowhere; ///< of block, loop, if, else: indices here
};

struct Code {
    std::vector<Instruction> instructions;
    std::vector<bool> leads;         ///< whether a block begins here
    std::vector<std::uint64_t> cost; ///< of the block that begins here
    std::uint32_t locals = 0;        ///< declared ones
};

/// `module` is valid; `function` is its own. Exact: the constants are the model's, where they are
/// charged is found here.
[[nodiscard]] Code read_code(const wasm::Module& module, std::uint32_t function,
                             wasm::FuelRule fuel);

} // namespace blockloom::plain
