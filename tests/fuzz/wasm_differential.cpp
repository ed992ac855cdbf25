// Bytes as the choices of the module generator: every input is a valid module, which the
// interpreter must run as the plain machine does, with little fuel and in slices.
#include "wasm/linked_instance.h"
#include "wasm/plain/plain_machine.h"
#include "wasm/run.h"

#include <cstdlib>
#include <cstring>

using namespace blockloom;

namespace {

constexpr std::uint64_t fuel = 3'000;

void must(bool holds) {
    if (!holds) std::abort();
}

void compare(const wasm::RunResult& ours, const plain::PlainResult& theirs) {
    must(ours.trap.kind == theirs.trap);
    must(ours.fuel_used == theirs.fuel_used && ours.steps == theirs.steps);
    must(ours.results == theirs.results);
    if (theirs.trap == wasm::TrapKind::none) return;
    must(ours.trap.function == theirs.function);
    must(theirs.until != 0 || ours.trap.offset == theirs.offset);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const tests::GeneratorOptions options{false, (data[0] & 1) != 0, (data[0] & 2) != 0};
    const auto slice = std::uint64_t{1} + data[1];
    const tests::GeneratedModule generated =
        tests::generate_module_from({data + 2, size - 2}, options);
    wasm::InstanceLimits limits;
    limits.stack_cells = 20'000;
    limits.call_depth = 64;
    limits.memory_pages = 3;
    const tests::LinkedInstance ours = tests::instantiate(generated, limits);
    must(ours.instance != nullptr);
    plain::PlainLimits plain_limits;
    plain_limits.fuel = fuel;
    plain_limits.frames = limits.call_depth;
    plain_limits.memory_pages = limits.memory_pages;
    plain::Machine theirs(ours.instance->program().module, nullptr, plain_limits);
    for (std::uint32_t f = 0; f < generated.functions.size(); ++f) {
        std::vector<wasm::Cell> arguments;
        for (const wasm::ValueType type : generated.functions[f].parameters)
            arguments.push_back(tests::interesting_cell(type, arguments.size() * 77 + size));
        wasm::RunLimits run_limits;
        run_limits.fuel = fuel;
        run_limits.steps = slice;
        wasm::Interpreter interpreter(*ours.instance);
        wasm::RunResult run = interpreter.invoke(f, arguments, run_limits);
        while (run.outcome == wasm::Outcome::paused) run = interpreter.resume(run_limits);
        compare(run, theirs.invoke(f, arguments, fuel));
        const auto memory = ours.instance->memory();
        must(memory->size() == theirs.memory().size() &&
             std::memcmp(memory->data(), theirs.memory().data(), memory->size()) == 0);
    }
    return 0;
}
