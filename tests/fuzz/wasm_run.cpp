// Modules that validate are run with little fuel: never a crash, the books are right, and slices
// or a reset change nothing.
#include "wasm/instantiate.h"
#include "wasm/run.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace blockloom;

namespace {

constexpr std::uint64_t fuel = 2'000;

void must(bool holds) {
    if (!holds) std::abort();
}

wasm::Imports imports_of(const wasm::Module& module) {
    wasm::Imports imports;
    for (const wasm::Import& import : module.imports) {
        if (import.kind != wasm::ExternalKind::function) continue;
        auto host = std::make_shared<wasm::HostFunction>();
        host->type = module.types[import.type];
        host->call = [](wasm::HostCall& call) {
            std::fill(call.results.begin(), call.results.end(), wasm::Cell{0});
            call.fee = 3;
            return wasm::HostAnswer::done;
        };
        wasm::FunctionReference reference;
        reference.type = host->type;
        reference.host = std::move(host);
        imports.insert_or_assign({import.module, import.name}, std::move(reference));
    }
    return imports;
}

wasm::RunResult run(wasm::Instance& instance, std::uint32_t function, std::uint64_t slice) {
    const wasm::Module& module = *instance.program().module;
    const wasm::FunctionType& type = module.types[module.functions[function]];
    std::vector<wasm::Cell> arguments;
    for (const wasm::ValueType parameter : type.parameters)
        arguments.push_back(parameter == wasm::ValueType::i32 ? 5 : 0);
    wasm::Interpreter interpreter(instance);
    wasm::RunLimits limits;
    limits.fuel = fuel;
    limits.steps = slice;
    wasm::RunResult result = interpreter.invoke(function, arguments, limits);
    while (result.outcome == wasm::Outcome::paused) result = interpreter.resume(limits);
    must(result.fuel_used <= fuel && result.steps <= result.fuel_used);
    return result;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto module = wasm::load_module({data, data + size}, "input");
    if (!module) return 0;
    const auto program = wasm::lower(*module);
    if (!program) return 0;
    wasm::InstanceLimits limits;
    limits.memory_pages = 4;
    limits.call_depth = 64;
    limits.stack_cells = 4'096;
    limits.start_fuel = fuel;
    for (const wasm::TableType& table : (*module)->tables)
        if (table.limits.min > 10'000) return 0;
    auto made = wasm::instantiate(*program, imports_of(**module), limits);
    auto* instance = std::get_if<std::shared_ptr<wasm::Instance>>(&made);
    if (instance == nullptr) return 0;
    std::size_t calls = 0;
    for (const wasm::Export& item : (*module)->exports) {
        if (item.kind != wasm::ExternalKind::function || ++calls > 4) continue;
        (*instance)->reset();
        const wasm::RunResult once = run(**instance, item.index, ~std::uint64_t{0});
        (*instance)->reset();
        const wasm::RunResult sliced = run(**instance, item.index, 7);
        must(once.outcome == sliced.outcome && once.trap.kind == sliced.trap.kind);
        must(once.fuel_used == sliced.fuel_used && once.steps == sliced.steps);
        must(once.results.size() == sliced.results.size());
        const auto& type = (*module)->types[(*module)->functions[item.index]];
        for (std::size_t i = 0; i < once.results.size(); ++i)
            must(once.results[i] == sliced.results[i] ||
                 type.results[i] == wasm::ValueType::funcref);
    }
    return 0;
}
