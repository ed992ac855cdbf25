// Where the blocks of a function of the register program begin, and what each costs.
#pragma once

#include "base/result.h"
#include "wasm/program.h"

#include <vector>

namespace blockloom::native {

/// Costs are stored on the edges into a block. All edges into one block carry the same cost, so
/// machine code can charge it once, at the beginning of the block.
class ControlGraph {
public:
    static constexpr std::uint32_t no_block = 0xffff'ffff;

    /// Fails if two edges disagree: then the program was not made by `wasm::lower`.
    [[nodiscard]] static Result<ControlGraph> of(const wasm::Program& program,
                                                 std::uint32_t function);

    /// Whether there is a branch to `pc`.
    [[nodiscard]] bool begins(std::uint32_t pc) const noexcept {
        return costs_[pc - entry_] != no_block;
    }
    [[nodiscard]] std::uint32_t cost(std::uint32_t pc) const noexcept {
        return costs_[pc - entry_];
    }

    /// Writes the cost of each block to its first instruction, including blocks that are only
    /// reached by falling through.
    static void write_costs(const wasm::Program& program, std::vector<std::uint32_t>& costs);

private:
    bool note(std::uint32_t pc, std::uint32_t cost);

    std::uint32_t entry_ = 0;
    std::vector<std::uint32_t> costs_; ///< one per instruction; no_block: none begins there
};

} // namespace blockloom::native
