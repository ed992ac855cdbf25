#include "native/control_graph.h"

#include <fmt/format.h>

namespace blockloom::native {

using wasm::Format;
using wasm::Instruction;

bool ControlGraph::note(std::uint32_t pc, std::uint32_t cost) {
    std::uint32_t& there = costs_[pc - entry_];
    if (there != no_block) return there == cost;
    there = cost;
    return true;
}

Result<ControlGraph> ControlGraph::of(const wasm::Program& program, std::uint32_t function) {
    const wasm::ProgramFunction& about = program.functions[function];
    ControlGraph graph;
    graph.entry_ = about.entry;
    graph.costs_.assign(about.end - about.entry, no_block);
    bool same = true;
    for (std::uint32_t pc = about.entry; pc < about.end; ++pc) {
        const Instruction& i = program.code[pc];
        switch (format_of(static_cast<wasm::Opcode>(i.op))) {
        case Format::compare_rr:
        case Format::compare_ri:
        case Format::branch_if:
            same = same && graph.note(i.x, i.y & 0xffff);
            break;
        case Format::branch:
            same = same && graph.note(i.x, i.y);
            break;
        case Format::branch_table:
            for (std::uint32_t way = 0; way <= i.y; ++way) {
                const wasm::BranchTarget& to = program.branch_targets[i.x + way];
                same = same && graph.note(to.pc, to.cost);
            }
            break;
        default:
            break;
        }
    }
    // Who falls in must pay the same.
    for (std::uint32_t pc = about.entry; pc + 1 < about.end && same; ++pc) {
        if (!graph.begins(pc + 1)) continue;
        const Instruction& i = program.code[pc];
        switch (format_of(static_cast<wasm::Opcode>(i.op))) {
        case Format::compare_rr:
        case Format::compare_ri:
        case Format::branch_if:
            same = graph.cost(pc + 1) == i.y >> 16;
            break;
        case Format::call:
        case Format::call_indirect:
            same = graph.cost(pc + 1) == i.y;
            break;
        case Format::charge:
            same = graph.cost(pc + 1) == i.x;
            break;
        case Format::branch:
        case Format::branch_table:
        case Format::return_reg:
        case Format::return_imm:
        case Format::trap:
            break;
        default:
            // What costs nothing is fallen into without a `charge`.
            same = i.op == static_cast<std::uint16_t>(wasm::Opcode::ret) || graph.cost(pc + 1) == 0;
            break;
        }
    }
    if (same && graph.costs_.empty() == false && graph.begins(about.entry))
        same = graph.cost(about.entry) == about.cost;
    if (!same)
        return Error{
            ErrorCode::unavailable,
            fmt::format("function {}: expected the same cost on all edges into a block", function)};
    return graph;
}

void ControlGraph::write_costs(const wasm::Program& program, std::vector<std::uint32_t>& costs) {
    costs.assign(program.code.size() + 1, 0);
    for (std::size_t f = program.module->imported_functions; f < program.functions.size(); ++f)
        costs[program.functions[f].entry] = program.functions[f].cost;
    for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
        const Instruction& i = program.code[pc];
        switch (format_of(static_cast<wasm::Opcode>(i.op))) {
        case Format::compare_rr:
        case Format::compare_ri:
        case Format::branch_if:
            costs[i.x] = i.y & 0xffff;
            costs[pc + 1] = i.y >> 16;
            break;
        case Format::branch:
            costs[i.x] = i.y;
            break;
        case Format::call:
        case Format::call_indirect:
            costs[pc + 1] = i.y;
            break;
        case Format::charge:
            costs[pc + 1] = i.x;
            break;
        default:
            break;
        }
    }
    for (const wasm::BranchTarget& target : program.branch_targets) costs[target.pc] = target.cost;
}

} // namespace blockloom::native
