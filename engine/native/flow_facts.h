// What is known of addresses where a block begins that others branch to: what holds on all ways.
#pragma once

#include "native/address_facts.h"
#include "native/control_graph.h"

#include <unordered_map>

namespace blockloom::native {

class FlowFacts {
public:
    FlowFacts(const wasm::Program& program, std::uint32_t function, const ControlGraph& graph,
              std::int64_t least_memory, bool near);

    /// At the block that begins at `pc`.
    [[nodiscard]] const BlockFacts& at(std::uint32_t pc) const;

private:
    void walk(AddressFacts& facts);
    void arrive(std::uint32_t pc, std::uint32_t from, const BlockFacts& facts);

    const wasm::Program& program_;
    const wasm::ProgramFunction& about_;
    const ControlGraph& graph_;
    std::unordered_map<std::uint32_t, BlockFacts> blocks_;
    std::uint32_t round_ = 0;
    bool changed_ = false; ///< a block that was walked already
};

} // namespace blockloom::native
