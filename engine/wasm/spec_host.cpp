// The host module `spectest` that test scripts import from (the specification's interpreter defines
// it).
#include "wasm/spec_host.h"

#include "wasm/numeric.h"

namespace blockloom::wasm {
namespace {

FunctionReference quiet_function(const std::string& name, std::vector<ValueType> parameters) {
    auto host = std::make_shared<HostFunction>();
    host->name = "spectest." + name;
    host->type.parameters = std::move(parameters);
    host->call = [](HostCall&) { return HostAnswer::done; }; // its output is discarded
    FunctionReference reference;
    reference.type = host->type;
    reference.host = std::move(host);
    return reference;
}

std::shared_ptr<GlobalCell> constant_global(ValueType type, Cell value) {
    auto global = std::make_shared<GlobalCell>();
    global->type.type = type;
    global->value = value;
    return global;
}

} // namespace

Result<Imports> spectest_module() {
    using enum ValueType;
    Imports result;
    const auto add = [&](const std::string& name, External what) {
        result.insert_or_assign({"spectest", name}, std::move(what));
    };
    const std::pair<const char*, std::vector<ValueType>> functions[] = {
        {"print", {}},
        {"print_i32", {i32}},
        {"print_i64", {i64}},
        {"print_f32", {f32}},
        {"print_f64", {f64}},
        {"print_i32_f32", {i32, f32}},
        {"print_f64_f64", {f64, f64}}};
    for (const auto& [name, parameters] : functions) add(name, quiet_function(name, parameters));
    add("global_i32", constant_global(i32, 666));
    add("global_i64", constant_global(i64, 666));
    add("global_f32", constant_global(f32, cell_of(666.6f)));
    add("global_f64", constant_global(f64, cell_of(666.6)));
    auto table = std::make_shared<Table>();
    table->limits = {10, 20, true};
    table->cells.resize(10);
    add("table", std::move(table));
    auto memory = Memory::reserve(1, 2);
    if (!memory) return memory.error();
    auto shared = std::make_shared<Memory>(*std::move(memory));
    shared->declare_max(2);
    add("memory", std::move(shared));
    return result;
}

} // namespace blockloom::wasm
