// Where the blocks of a function of the register program begin and what each costs.
#pragma once

#include "base/result.h"
#include "wasm/program.h"

#include <vector>

namespace blockloom::native {

/// Costs are written on the ways into a block. All ways into one block carry the same cost, so that
/// machine code can charge it once, where the block begins.
class ControlGraph {
public:
    static constexpr std::uint32_t no_block = 0xffff'ffff;

    /// An error where two ways disagree: not a program that `wasm::lower` made.
    [[nodiscard]] static Result<ControlGraph> of(const wasm::Program& program,
                                                 std::uint32_t function);

    /// Somebody branches to `pc`.
    [[nodiscard]] bool begins(std::uint32_t pc) const noexcept {
        return costs_[pc - entry_] != no_block;
    }
    [[nodiscard]] std::uint32_t cost(std::uint32_t pc) const noexcept {
        return costs_[pc - entry_];
    }

    /// Writes the cost of each block to where it begins, also of those that are only fallen into.
    static void write_costs(const wasm::Program& program, std::vector<std::uint32_t>& costs);

private:
    bool note(std::uint32_t pc, std::uint32_t cost);

    std::uint32_t entry_ = 0;
    std::vector<std::uint32_t> costs_; ///< one an instruction; no_block: none begins there
};

} // namespace blockloom::native
