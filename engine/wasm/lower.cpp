#include "wasm/function_lowering.h"

#include <fmt/format.h>

#include <map>

namespace blockloom::wasm {
namespace {

std::vector<std::uint32_t> canonical_types(const Module& module) {
    std::vector<std::uint32_t> canonical;
    std::map<std::pair<std::vector<ValueType>, std::vector<ValueType>>, std::uint32_t> first;
    for (const FunctionType& type : module.types) {
        const auto index = static_cast<std::uint32_t>(canonical.size());
        canonical.push_back(
            first.try_emplace({type.parameters, type.results}, index).first->second);
    }
    return canonical;
}

ProgramFunction describe(const Module& module, std::uint32_t function) {
    const FunctionType& type = module.types[module.functions[function]];
    ProgramFunction result;
    result.type = module.functions[function];
    result.parameters = static_cast<std::uint32_t>(type.parameters.size());
    result.results = static_cast<std::uint32_t>(type.results.size());
    if (function >= module.imported_functions)
        for (const LocalRun& run : module.bodies[function - module.imported_functions].locals)
            result.locals += run.count;
    return result;
}

Status lower_function(const Module& module, std::uint32_t function, Program& program) {
    FunctionLowering lowering(module, function, program);
    if (program.fuel == FuelRule::counted) return lowering.run();
    const FunctionFuel fuel = exact_fuel(module, function);
    if (!fuel.doubt.empty() && program.fuel_doubt.empty())
        program.fuel_doubt = fmt::format("function {}: {}", function, fuel.doubt);
    return lowering.run(&fuel);
}

} // namespace

std::uint64_t bulk_fee(FuelRule rule, Opcode opcode, std::uint64_t amount) noexcept {
    switch (opcode) {
    case Opcode::memory_copy:
    case Opcode::memory_fill:
    case Opcode::memory_init:
        return amount / 64;
    case Opcode::memory_grow:
        return rule == FuelRule::exact ? amount * (page_size / 64) : 0;
    default: // tables: elements of 8 bytes
        return rule == FuelRule::exact ? amount / 8 : 0;
    }
}

Result<std::shared_ptr<const Program>> lower(std::shared_ptr<const Module> module, FuelRule fuel) {
    auto program = std::make_shared<Program>();
    program->fuel = fuel;
    program->canonical_type = canonical_types(*module);
    const auto functions = static_cast<std::uint32_t>(module->functions.size());
    for (std::uint32_t i = 0; i < functions; ++i)
        program->functions.push_back(describe(*module, i));
    for (std::uint32_t i = module->imported_functions; i < functions; ++i)
        if (Status lowered = lower_function(*module, i, *program); !lowered) return lowered.error();
    program->module = std::move(module);
    return std::shared_ptr<const Program>(std::move(program));
}

} // namespace blockloom::wasm
