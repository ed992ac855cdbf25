#include "native/flow_facts.h"

#include <algorithm>

namespace blockloom::native {

using wasm::Format;
using wasm::Instruction;

FlowFacts::FlowFacts(const wasm::Program& program, std::uint32_t function,
                     const ControlGraph& graph, std::int64_t least_memory, bool near)
    : program_(program), about_(program.functions[function]), graph_(graph) {
    // Facts only become fewer, so the rounds end; a function that needs many does without.
    constexpr std::uint32_t most_rounds = 10;
    AddressFacts facts(about_.cells, least_memory, near);
    do {
        changed_ = false;
        walk(facts);
    } while (changed_ && ++round_ < most_rounds);
    if (changed_) blocks_.clear();
}

const BlockFacts& FlowFacts::at(std::uint32_t pc) const {
    static const BlockFacts nothing;
    const auto found = blocks_.find(pc);
    return found == blocks_.end() ? nothing : found->second;
}

void FlowFacts::arrive(std::uint32_t pc, std::uint32_t from, const BlockFacts& facts) {
    const auto [found, first] = blocks_.try_emplace(pc, facts);
    const bool back = pc <= from;
    if (first) {
        changed_ = changed_ || back;
        return;
    }
    BlockFacts& known = found->second;
    if (known.empty()) return;
    BlockFacts both = known;
    meet(both, facts);
    if (both == known) return;
    // What shrinks from round to round is not waited for.
    if (round_ >= 2)
        std::erase_if(both, [&known](const RegisterFact& fact) {
            return std::find(known.begin(), known.end(), fact) == known.end();
        });
    known = std::move(both);
    changed_ = changed_ || back;
}

void FlowFacts::walk(AddressFacts& facts) {
    facts.begin({});
    bool reachable = true;
    for (std::uint32_t pc = about_.entry; pc < about_.end; ++pc) {
        if (graph_.begins(pc)) {
            // Not from `pc` itself: what is walked next sees the change.
            if (reachable) arrive(pc, pc - 1, facts.facts());
            const auto found = blocks_.find(pc);
            reachable = found != blocks_.end();
            if (reachable) facts.begin(found->second);
        }
        if (!reachable) continue;
        const Instruction& i = program_.code[pc];
        if (const auto made = access_of(i)) facts.access(*made);
        facts.step(i, program_);
        switch (format_of(static_cast<wasm::Opcode>(i.op))) {
        case Format::compare_rr:
        case Format::compare_ri:
        case Format::branch_if:
            arrive(i.x, pc, facts.facts());
            break;
        case Format::branch:
            arrive(i.x, pc, facts.facts());
            reachable = false;
            break;
        case Format::branch_table: {
            const BlockFacts there = facts.facts();
            for (std::uint32_t way = 0; way <= i.y; ++way)
                arrive(program_.branch_targets[i.x + way].pc, pc, there);
            reachable = false;
            break;
        }
        case Format::return_reg:
        case Format::return_imm:
        case Format::trap:
            reachable = false;
            break;
        default:
            reachable = reachable && i.op != static_cast<std::uint16_t>(wasm::Opcode::ret);
            break;
        }
    }
}

} // namespace blockloom::native
