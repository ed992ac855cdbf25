#include "native/lanes/ran_blocks.h"

#include "native/control_graph.h"

#include <fmt/format.h>

namespace blockloom::native {

using wasm::Format;

namespace {

/// Whether what follows pays on its own, without a branch to it: FunctionTranslation::charge.
bool ends_block(Format format) {
    switch (format) {
    case Format::compare_rr:
    case Format::compare_ri:
    case Format::branch_if:
    case Format::call:
    case Format::call_indirect:
    case Format::charge:
        return true;
    default:
        return false;
    }
}

} // namespace

std::vector<bool> RanBlocks::so_far() const {
    std::vector<bool> ran(bytes_.size());
    for (std::size_t pc = 0; pc < ran.size(); ++pc)
        ran[pc] = bytes_[pc].load(std::memory_order_relaxed) != 0;
    return ran;
}

Result<std::vector<bool>> live_instructions(const wasm::Program& program,
                                            const std::vector<bool>& ran) {
    if (ran.size() != program.code.size())
        return Error{ErrorCode::unavailable,
                     fmt::format("lane code: expected a profile of {} instructions, found {}",
                                 program.code.size(), ran.size())};
    std::vector<bool> live(ran.size());
    for (std::uint32_t f = program.module->imported_functions; f < program.functions.size(); ++f) {
        const auto graph = ControlGraph::of(program, f);
        if (!graph) return graph.error();
        const wasm::ProgramFunction& about = program.functions[f];
        bool runs = ran[about.entry];
        for (std::uint32_t pc = about.entry; pc < about.end; ++pc) {
            if (graph->begins(pc)) runs = ran[pc];
            live[pc] = runs;
            if (pc + 1 < about.end &&
                ends_block(format_of(static_cast<wasm::Opcode>(program.code[pc].op))))
                runs = ran[pc + 1];
        }
    }
    return live;
}

} // namespace blockloom::native
