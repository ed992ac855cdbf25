#include "gpuvm/comparison.h"

#include "wasm/instance_state.h"
#include "wasm/run.h"

#include <cstring>

namespace blockloom::tests {

using namespace wasm;
using gpuvm::Batch;
using gpuvm::StopKind;

namespace {

/// Alone, with imports, and now and then without end.
GeneratorOptions options_of(std::uint64_t seed) {
    GeneratorOptions options;
    options.integers = seed % 16 != 15;
    options.linked = seed % 4 == 1;
    options.endless = seed % 4 >= 2;
    return options;
}

std::string difference(const RunResult& a, const RunResult& b) {
    if (a.outcome != b.outcome)
        return "outcome (" + std::string(name_of(a.trap.kind)) + " and " + name_of(b.trap.kind) +
               ")";
    if (a.trap.kind != b.trap.kind)
        return std::string("trap ") + name_of(a.trap.kind) + " and " + name_of(b.trap.kind);
    if (a.trap.function != b.trap.function)
        return "function of the trap " + std::string(name_of(a.trap.kind)) + ": " +
               std::to_string(a.trap.function) + " and " + std::to_string(b.trap.function);
    if (a.trap.offset != b.trap.offset)
        return "offset of the trap " + std::string(name_of(a.trap.kind)) + ": " +
               std::to_string(a.trap.offset) + " and " + std::to_string(b.trap.offset);
    if (a.results != b.results) return "results";
    if (a.fuel_used != b.fuel_used)
        return "fuel " + std::to_string(a.fuel_used) + " and " + std::to_string(b.fuel_used);
    if (a.steps != b.steps) return "steps";
    return {};
}

/// Answers a host call as the engines do.
Status answer(Batch& batch, ComparedModule& module, const gpuvm::Stop& stop, bool& known) {
    const FunctionReference& callee = module.device.instance->state().functions[stop.import];
    known = callee.host != nullptr;
    if (!known) return {};
    const std::uint32_t lane = stop.invocation;
    Instance* const instance = module.device.instance.get();
    instance->reset();
    if (module.device.provider) module.device.provider->reset();
    if (const Status done = batch.load_memories({&lane, 1}, {&instance, 1}); !done) return done;
    const std::vector<Cell> arguments = batch.arguments(lane);
    std::vector<Cell> results(callee.type.results.size());
    HostCall call{*instance, arguments, results, batch.fuel_left(lane), 0, {}};
    (void)callee.host->call(call);
    if (const Status done = batch.store_memories({&lane, 1}, {&instance, 1}); !done) return done;
    gpuvm::HostReply reply;
    reply.results = results;
    reply.fee = call.fee;
    reply.error = call.error;
    batch.answer(lane, reply);
    return {};
}

} // namespace

std::vector<std::unique_ptr<ComparedModule>> modules_of(gpuvm::Machine& machine,
                                                        std::uint64_t first, std::uint64_t count) {
    std::vector<std::unique_ptr<ComparedModule>> modules;
    InstanceLimits most;
    most.start_fuel = 20'000;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        auto made = std::make_unique<ComparedModule>();
        made->generated = generate_module(seed, options_of(seed));
        // Both rules are in every batch.
        const wasm::FuelRule rule =
            seed / 8 % 2 == 0 ? wasm::FuelRule::counted : wasm::FuelRule::exact;
        made->ours = instantiate(made->generated, most, rule);
        made->device = instantiate(made->generated, most, rule);
        if (!made->ours.instance || !made->device.instance) continue;
        // A reset provider has not what its importer's segments wrote: every run begins like that.
        made->device.instance->reset();
        if (made->device.provider) made->device.provider->reset();
        const auto added = machine.add(gpuvm::image_of(*made->device.instance), {});
        if (!added) break;
        made->program = *added;
        modules.push_back(std::move(made));
    }
    return modules;
}

std::string difference(gpuvm::Machine& machine,
                       std::vector<std::unique_ptr<ComparedModule>>& modules,
                       const std::vector<ComparedCall>& calls, ComparisonCounts& counts) {
    std::vector<gpuvm::Invocation> invocations;
    for (const ComparedCall& call : calls) {
        gpuvm::Invocation invocation;
        invocation.program = modules[call.module]->program;
        invocation.function = call.function;
        invocation.arguments = call.arguments;
        invocation.fuel = call.fuel;
        invocations.push_back(invocation);
    }
    const auto batch = machine.batch();
    if (const Status begun = batch->start(invocations, {}); !begun) return begun.error().message;
    std::vector<bool> ejected(calls.size());
    for (bool running = true; running;) {
        const auto advanced = batch->advance();
        if (!advanced) return advanced.error().message;
        running = *advanced;
        const std::vector<gpuvm::Stop> stops(batch->stops().begin(), batch->stops().end());
        for (const gpuvm::Stop& stop : stops) {
            if (stop.kind == StopKind::ejected) {
                ejected[stop.invocation] = true;
                ++counts.ejections[static_cast<std::size_t>(stop.ejection)];
                if (stop.ejection == gpuvm::Ejection::fault) return "the device failed";
            }
            if (stop.kind != StopKind::host_call) continue;
            bool known = false;
            ++counts.host_calls;
            const Status done =
                answer(*batch, *modules[calls[stop.invocation].module], stop, known);
            if (!done) return done.error().message;
            if (!known) batch->drop(stop.invocation), ejected[stop.invocation] = true;
            running |= known;
        }
    }
    std::vector<gpuvm::PageRead> reads;
    for (std::uint32_t i = 0; i < calls.size(); ++i)
        if (!ejected[i])
            for (const std::uint32_t page : batch->resident(i)) reads.push_back({i, page});
    std::vector<Byte> bytes(reads.size() * gpuvm::small_page);
    if (const Status read = batch->read_pages(reads, bytes); !read) return read.error().message;
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < calls.size(); ++i) {
        const ComparedCall& call = calls[i];
        ComparedModule& module = *modules[call.module];
        if (ejected[i]) {
            ++counts.ejected;
            continue;
        }
        Instance& ours = *module.ours.instance;
        ours.reset();
        if (module.ours.provider) module.ours.provider->reset();
        RunLimits limits;
        limits.fuel = call.fuel;
        const RunResult expected = Interpreter(ours).invoke(call.function, call.arguments, limits);
        const gpuvm::Ended found = batch->ended(i);
        ++counts.calls;
        counts.trapped += expected.outcome == Outcome::trapped;
        counts.out_of_fuel += expected.trap.kind == TrapKind::out_of_fuel;
        counts.exhausted += expected.trap.kind == TrapKind::call_stack_exhausted;
        counts.steps += expected.steps;
        const std::string where = "module " + std::to_string(call.module) + " function " +
                                  std::to_string(call.function) + " lane " + std::to_string(i) +
                                  ": ";
        if (const std::string why = difference(expected, found.run); !why.empty())
            return where + why;
        const auto memory = ours.memory();
        if (memory->pages() != found.pages) return where + "memory size";
        Instance& device = *module.device.instance;
        device.reset();
        if (module.device.provider) module.device.provider->reset();
        const auto mirror = device.memory();
        if (mirror->pages() < found.pages) mirror->grow(found.pages - mirror->pages());
        for (; next < reads.size() && reads[next].invocation == i; ++next) {
            const std::uint64_t address = std::uint64_t{reads[next].page} * gpuvm::small_page;
            if (!mirror->in_bounds(address, gpuvm::small_page)) continue;
            mirror->mark_range(address, gpuvm::small_page);
            std::memcpy(mirror->data() + address, bytes.data() + next * gpuvm::small_page,
                        gpuvm::small_page);
        }
        if (std::memcmp(memory->data(), mirror->data(), memory->size()) != 0)
            return where + "memory";
        const auto globals = batch->globals(i);
        if (!globals) return globals.error().message;
        for (std::size_t g = 0; g < globals->size(); ++g)
            if (ours.state().globals[g]->type.type != ValueType::funcref &&
                (*globals)[g] != *ours.state().global_cells[g])
                return where + "global " + std::to_string(g);
    }
    counts.compiled += batch->work().compiled;
    if (batch->work().instructions == 0 && !calls.empty()) return "nothing ran on the device";
    return {};
}

} // namespace blockloom::tests
