// Any bytes as a module: refused with a rule and an offset inside, or lowered to a program whose
// every target lies in its function.
#include "wasm/features.h"
#include "wasm/program.h"

#include <cstdlib>

using namespace blockloom;

namespace {

void must(bool holds) {
    if (!holds) std::abort();
}

void check(const wasm::Program& program, std::size_t size) {
    const wasm::Module& module = *program.module;
    must(program.offset.size() == program.code.size());
    must(program.functions.size() == module.functions.size());
    for (const std::uint32_t offset : program.offset) must(offset < size);
    for (const wasm::ProgramFunction& function : program.functions) {
        must(function.entry <= function.end && function.end <= program.code.size());
        must(function.parameters + function.locals <= function.cells || function.end == 0);
        for (std::uint32_t pc = function.entry; pc < function.end; ++pc) {
            const wasm::Instruction& at = program.code[pc];
            const auto inside = [&](std::uint32_t target) {
                must(target >= function.entry && target < function.end);
            };
            must(at.op < static_cast<std::uint16_t>(wasm::Opcode::count));
            switch (wasm::format_of(static_cast<wasm::Opcode>(at.op))) {
            case wasm::Format::compare_rr:
            case wasm::Format::compare_ri:
            case wasm::Format::branch_if:
            case wasm::Format::branch:
                inside(at.x);
                break;
            case wasm::Format::branch_table:
                must(std::size_t{at.x} + at.y < program.branch_targets.size());
                for (std::uint32_t way = 0; way <= at.y; ++way)
                    inside(program.branch_targets[at.x + way].pc);
                break;
            case wasm::Format::ra_rb_rc:
                must(at.a < function.cells && at.b < function.cells && at.c < function.cells);
                break;
            case wasm::Format::ra_rb:
            case wasm::Format::ra_rb_imm:
            case wasm::Format::load:
                must(at.a < function.cells && at.b < function.cells);
                break;
            case wasm::Format::store:
                must(at.b < function.cells && at.c < function.cells);
                break;
            default:
                break;
            }
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto decoded = wasm::decode(std::make_shared<const Bytes>(data, data + size));
    if (const auto* error = std::get_if<wasm::ModuleError>(&decoded)) {
        must(error->offset <= size && !error->rule.empty());
        return 0;
    }
    const auto module =
        std::make_shared<const wasm::Module>(std::move(std::get<wasm::Module>(decoded)));
    if (const auto error = wasm::validate(*module)) {
        must(error->offset <= size && !error->rule.empty());
        return 0;
    }
    (void)wasm::used_features(*module);
    const auto program = wasm::lower(module);
    if (!program) {
        must(!program.error().message.empty());
        return 0;
    }
    check(**program, size);
    if (size < 4096) must(wasm::print(**program).empty() == module->bodies.empty());
    return 0;
}
