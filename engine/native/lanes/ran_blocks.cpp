#include "native/lanes/ran_blocks.h"

#include "native/control_graph.h"

#include <algorithm>
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

void RanCode::add(const RanCode& more) {
    if (empty()) {
        *this = more;
        return;
    }
    for (std::size_t i = 0; i < std::min(blocks.size(), more.blocks.size()); ++i)
        if (more.blocks[i]) blocks[i] = true;
    for (std::size_t i = 0; i < std::min(pages.size(), more.pages.size()); ++i)
        pages[i] |= more.pages[i];
    pages_copied |= more.pages_copied;
    for (std::size_t i = 0; i < std::min(rounds.size(), more.rounds.size()); ++i)
        rounds[i] = std::max(rounds[i], more.rounds[i]);
}

RanCode RanBlocks::so_far() const {
    RanCode ran;
    for (const auto& block : blocks_)
        ran.blocks.push_back(block.load(std::memory_order_relaxed) != 0);
    for (const auto& pages : pages_) ran.pages.push_back(pages.load(std::memory_order_relaxed));
    ran.pages_copied = pages_copied_.load(std::memory_order_relaxed);
    for (const auto& rounds : rounds_) ran.rounds.push_back(rounds.load(std::memory_order_relaxed));
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
