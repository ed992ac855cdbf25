#include "wasm/function_lowering.h"

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

} // namespace

Result<std::shared_ptr<const Program>> lower(std::shared_ptr<const Module> module) {
    auto program = std::make_shared<Program>();
    program->canonical_type = canonical_types(*module);
    const auto functions = static_cast<std::uint32_t>(module->functions.size());
    for (std::uint32_t i = 0; i < functions; ++i)
        program->functions.push_back(describe(*module, i));
    for (std::uint32_t i = module->imported_functions; i < functions; ++i)
        if (Status lowered = FunctionLowering(*module, i, *program).run(); !lowered)
            return lowered.error();
    program->module = std::move(module);
    return std::shared_ptr<const Program>(std::move(program));
}

} // namespace blockloom::wasm
