// What is known about addresses at the beginning of a branch target: what holds on all edges into
// it.
#pragma once

#include "native/address_facts.h"
#include "native/control_graph.h"

#include <unordered_map>

namespace blockloom::native {

class FlowFacts {
public:
    FlowFacts(const wasm::Program& program, std::uint32_t function, const ControlGraph& graph,
              std::int64_t least_memory, bool near);

    /// The facts at the block that begins at `pc`.
    [[nodiscard]] const BlockFacts& at(std::uint32_t pc) const;

private:
    void walk(AddressFacts& facts);
    void arrive(std::uint32_t pc, std::uint32_t from, const BlockFacts& facts);

    const wasm::Program& program_;
    const wasm::ProgramFunction& about_;
    const ControlGraph& graph_;
    std::unordered_map<std::uint32_t, BlockFacts> blocks_;
    std::uint32_t round_ = 0;
    bool changed_ = false; ///< a block that was already visited
};

} // namespace blockloom::native
