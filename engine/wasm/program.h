// The register program that every engine runs (docs/register-program.md). Flat, deterministic,
// without pointers.
#pragma once

#include "base/result.h"
#include "wasm/fuel_model.h"
#include "wasm/module.h"
#include "wasm/opcodes.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace blockloom::wasm {

/// 16 bytes. The meaning of the fields is written beside each opcode in opcodes.h.
struct Instruction {
    std::uint16_t op = 0;
    std::uint16_t b = 0; ///< register
    union {
        struct {
            std::uint16_t a, c; ///< destination, register
        };
        std::int32_t ac = 0; ///< 32-bit constant of a fused compare and branch
    };
    std::uint32_t x = 0, y = 0;

    [[nodiscard]] std::uint64_t imm64() const noexcept { return x | (std::uint64_t{y} << 32); }
};
static_assert(sizeof(Instruction) == 16);

struct BranchTarget {
    std::uint32_t pc = 0;   ///< index in Program::code
    std::uint32_t cost = 0; ///< of the block there
};

struct ProgramFunction {
    std::uint32_t entry = 0,
                  end = 0; ///< code [entry, end); an imported function has entry = end = 0
    std::uint32_t type = 0;
    std::uint32_t cost = 0;  ///< of the first block, charged on entry
    std::uint32_t cells = 0; ///< of its frame: parameters, locals, operands
    std::uint32_t parameters = 0, locals = 0, results = 0; ///< cells; `locals` are zeroed on entry
};

/// Immutable once lowered; shared between instances and threads.
struct Program {
    std::shared_ptr<const Module> module;
    std::vector<Instruction> code;
    std::vector<std::uint32_t>
        offset; ///< one per instruction: the offset in the module that it comes from
    std::vector<BranchTarget> branch_targets;
    std::vector<ProgramFunction> functions; ///< imported ones first
    std::vector<std::uint32_t>
        canonical_type; ///< one per type: the lowest equal type's index, for call_indirect
    FuelRule fuel = FuelRule::counted; ///< the rule for the costs of blocks and the fees below
    std::string
        fuel_doubt; ///< exact: "function N: why its costs are uncertain"; empty: they are certain
};

/// The fee of a bulk instruction in addition to its block, charged once it is known not to fail
/// otherwise. `amount`: bytes, table elements, or pages for memory.grow.
[[nodiscard]] std::uint64_t bulk_fee(FuelRule rule, Opcode opcode, std::uint64_t amount) noexcept;

/// Lowers a valid module. Only fails on a frame of more than 65,535 cells, which no contract needs.
[[nodiscard]] Result<std::shared_ptr<const Program>> lower(std::shared_ptr<const Module> module,
                                                           FuelRule fuel = FuelRule::counted);

/// The program of one function, or of all, as text.
[[nodiscard]] std::string print(const Program& program);
[[nodiscard]] std::string print(const Program& program, std::uint32_t function);

} // namespace blockloom::wasm
