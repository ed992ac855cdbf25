// The register program as text: one line an instruction, `pc  opcode  operands  ; cost`.
#include "wasm/program.h"

#include <fmt/format.h>

namespace blockloom::wasm {
namespace {

std::string operands(const Program& program, const Instruction& i) {
    const auto target = [](std::uint32_t pc, std::uint32_t cost) {
        return fmt::format("-> {} (cost {})", pc, cost);
    };
    switch (format_of(static_cast<Opcode>(i.op))) {
    case Format::none:
        return {};
    case Format::ra_rb:
        return fmt::format("r{}, r{}", i.a, i.b);
    case Format::ra_rb_rc:
        return fmt::format("r{}, r{}, r{}", i.a, i.b, i.c);
    case Format::ra_rb_imm:
        return fmt::format("r{}, r{}, {:#x}", i.a, i.b, i.imm64());
    case Format::ra_imm:
        return fmt::format("r{}, {:#x}", i.a, i.imm64());
    case Format::load:
        return fmt::format("r{}, [r{} + {}]", i.a, i.b, i.x);
    case Format::store:
        return fmt::format("[r{} + {}], r{}", i.b, i.x, i.c);
    case Format::store_imm:
        return fmt::format("[r{} + {}], {:#x}", i.b, i.x, i.y);
    case Format::compare_rr:
        return fmt::format("r{}, r{} {}, else (cost {})", i.b, i.c, target(i.x, i.y & 0xffff),
                           i.y >> 16);
    case Format::compare_ri:
        return fmt::format("r{}, {} {}, else (cost {})", i.b, i.ac, target(i.x, i.y & 0xffff),
                           i.y >> 16);
    case Format::branch_if:
        return fmt::format("r{} {}, else (cost {})", i.b, target(i.x, i.y & 0xffff), i.y >> 16);
    case Format::branch:
        return target(i.x, i.y);
    case Format::branch_table: {
        std::string text = fmt::format("r{}", i.b);
        for (std::uint32_t k = 0; k <= i.y; ++k) {
            const BranchTarget& way = program.branch_targets[i.x + k];
            text += fmt::format("{} {}", k == 0 ? "" : ",", target(way.pc, way.cost));
        }
        return text;
    }
    case Format::call:
        return fmt::format("f{}, window r{}, then (cost {})", i.x, i.b, i.y);
    case Format::call_indirect:
        return fmt::format("t{}[r{}], type {}, window r{}, then (cost {})", i.a, i.c, i.x, i.b,
                           i.y);
    case Format::return_reg:
        return fmt::format("r{}", i.b);
    case Format::return_imm:
        return fmt::format("{:#x}", i.imm64());
    case Format::select:
        return fmt::format("r{}, r{} ? r{} : r{}", i.a, i.x, i.b, i.c);
    case Format::charge:
        return fmt::format("{}", i.x);
    case Format::trap:
        return fmt::format("{}", i.x);
    case Format::global_get:
        return fmt::format("r{}, g{}", i.a, i.x);
    case Format::global_set:
        return fmt::format("g{}, r{}", i.x, i.b);
    case Format::index:
        return fmt::format("{}", i.x);
    case Format::bulk:
        return fmt::format("r{}, r{}, r{}, {}, {}", i.a, i.b, i.c, i.x, i.y);
    }
    return {};
}

} // namespace

std::string print(const Program& program, std::uint32_t function) {
    const ProgramFunction& about = program.functions[function];
    const auto& names = program.module->function_names;
    std::string text = fmt::format(
        "f{}{}{}: {}, {} cells, cost {}\n", function,
        names.empty() || names[function].empty() ? "" : " ", names.empty() ? "" : names[function],
        to_text(program.module->types[about.type]), about.cells, about.cost);
    for (std::uint32_t pc = about.entry; pc < about.end; ++pc) {
        const Instruction& instruction = program.code[pc];
        text += fmt::format("{:6}  {:<18} {}\n", pc, name_of(static_cast<Opcode>(instruction.op)),
                            operands(program, instruction));
    }
    return text;
}

std::string print(const Program& program) {
    std::string text;
    const auto functions = static_cast<std::uint32_t>(program.functions.size());
    for (std::uint32_t i = program.module->imported_functions; i < functions; ++i)
        text += print(program, i);
    return text;
}

} // namespace blockloom::wasm
