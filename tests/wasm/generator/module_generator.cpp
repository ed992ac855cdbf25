#include "wasm/module_generator.h"

#include "wasm/generator/function_generator.h"
#include "wasm/generator/module_writer.h"
#include "wasm/host_functions.h"

#include <utility>

namespace blockloom::tests {
namespace {

using wasm::FunctionType;

void choose_imports(ModulePlan& plan, std::uint64_t seed) {
    Shape& shape = plan.shape;
    for (const HostSignature& host : host_signatures()) shape.imported.push_back(host.type);
    if (!shape.chance(60)) return;
    GeneratorOptions alone = shape.options;
    alone.linked = false;
    plan.provider = std::make_shared<const GeneratedModule>(
        generate_module(seed * 0x9e3779b97f4a7c15 + 1, alone));
    for (std::size_t i = 1 + shape.below(2); i < function_count; i += 1 + shape.below(2)) {
        plan.provided.push_back("f" + std::to_string(i));
        shape.imported.push_back(plan.provider->functions[i]);
    }
    plan.imports_memory = shape.chance(60);
    plan.imports_table = shape.chance(60);
    shape.first_own_global = globals_of_a_module + 1;
}

GeneratedModule generate(Choices choices, std::uint64_t seed, const GeneratorOptions& options) {
    ModulePlan plan;
    plan.shape.options = options;
    plan.shape.random = std::move(choices);
    Shape& shape = plan.shape;
    for (std::uint32_t i = 0; i < function_count; ++i)
        shape.types.push_back({shape.any_types(4), shape.any_types(3)});
    GeneratedModule result;
    result.functions = shape.types;
    if (options.linked) choose_imports(plan, seed);
    shape.wild = options.endless && shape.chance(50);
    shape.tables = shape.chance(40) ? 2 : 1;
    plan.has_start = options.linked && shape.chance(15);
    plan.misplaced = options.linked && shape.chance(2);
    for (std::uint32_t i = 0; i < function_count; ++i) {
        const FunctionType type = shape.types[i];
        plan.bodies.push_back(FunctionGenerator(shape, i, type).body(4));
    }
    if (plan.has_start) plan.bodies.push_back(FunctionGenerator(shape, function_count, {}).body(2));
    result.imported_functions = shape.imported.size();
    result.globals = shape.first_own_global + globals_of_a_module + 1;
    result.has_start = plan.has_start;
    result.provider = plan.provider;
    result.bytes = write_module(plan);
    return result;
}

} // namespace

GeneratedModule generate_module(std::uint64_t seed, const GeneratorOptions& options) {
    return generate(Choices(seed), seed, options);
}

GeneratedModule generate_module_from(ByteView choices, const GeneratorOptions& options) {
    std::uint64_t seed = 0;
    for (const Byte byte : choices) seed = seed * 31 + byte;
    return generate(Choices(seed, choices), seed, options);
}

} // namespace blockloom::tests
