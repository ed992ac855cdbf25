#include "gpuvm/runner.h"

#include "wasm/instance.h"
#include "wasm/instance_state.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace blockloom::gpuvm {
namespace {

using wasm::Cell;
using wasm::Instance;

/// References between the instance's cells and the device's numbers.
class References {
public:
    explicit References(Instance& instance) : instance_(&instance) {}

    /// Nothing: a function of another instance.
    [[nodiscard]] bool to_device(wasm::ValueType type, Cell& cell) const {
        if (type != wasm::ValueType::funcref || cell == 0) return true;
        const wasm::FunctionReference* found = wasm::referenced(cell);
        if (found->instance != instance_) return false;
        cell = found->function + Cell{1};
        return true;
    }
    void to_host(wasm::ValueType type, Cell& cell) const {
        if (type != wasm::ValueType::funcref || cell == 0) return;
        cell = wasm::reference_cell(instance_->state().functions[cell - 1]);
    }

private:
    Instance* instance_;
};

void put_page(wasm::Memory& memory, std::uint32_t page, const Byte* bytes) {
    const std::uint64_t address = std::uint64_t{page} * small_page;
    if (!memory.in_bounds(address, small_page)) return;
    memory.mark_range(address, small_page);
    if (bytes != nullptr)
        std::memcpy(memory.data() + address, bytes, small_page);
    else
        std::memset(memory.data() + address, 0, small_page);
}

/// The instance's memory as the image has it, where host calls or nothing changed it.
void restore(Instance& instance, const InstanceImage& image, std::span<const std::uint32_t> pages) {
    const auto memory = instance.memory();
    if (!memory) return;
    for (const std::uint32_t page : pages) {
        const auto found =
            std::lower_bound(image.page_numbers.begin(), image.page_numbers.end(), page);
        const bool there = found != image.page_numbers.end() && *found == page;
        put_page(*memory, page,
                 there
                     ? image.page_bytes.data() +
                           static_cast<std::size_t>(found - image.page_numbers.begin()) * small_page
                     : nullptr);
    }
}

Status bring_back(Batch& batch, Instance& instance) {
    Instance::State& state = instance.state();
    if (state.memory) {
        const std::uint32_t pages = batch.ended(0).pages;
        if (state.memory->pages() < pages) state.memory->grow(pages - state.memory->pages());
        std::vector<PageRead> reads;
        for (const std::uint32_t page : batch.resident(0)) reads.push_back({0, page});
        std::vector<Byte> bytes(reads.size() * small_page);
        if (const Status read = batch.read_pages(reads, bytes); !read) return read;
        for (std::size_t i = 0; i < reads.size(); ++i)
            put_page(*state.memory, reads[i].page, bytes.data() + i * small_page);
    }
    auto globals = batch.globals(0);
    if (!globals) return globals.error();
    const References references(instance);
    for (std::size_t i = 0; i < globals->size(); ++i) {
        if (!state.globals[i]->type.is_mutable) continue;
        references.to_host(state.globals[i]->type.type, (*globals)[i]);
        state.globals[i]->value = (*globals)[i];
    }
    const std::uint32_t dropped = batch.dropped_segments(0);
    for (std::size_t i = 0; i < std::min<std::size_t>(state.dropped_data.size(), 32); ++i) {
        if ((dropped >> i & 1) == 0 || state.dropped_data[i]) continue;
        state.dropped_data[i] = true;
        state.segments_dropped = true;
    }
    return {};
}

/// Answers the lane's host call; false: it goes to another instance.
Result<bool> call_host(Batch& batch, Instance& instance, std::uint32_t import,
                       std::vector<std::uint32_t>& touched) {
    const wasm::FunctionReference& callee = instance.state().functions[import];
    if (callee.instance != nullptr) return false;
    constexpr std::uint32_t lane = 0;
    Instance* const self = &instance;
    const References references(instance);
    std::vector<Cell> arguments = batch.arguments(lane), results(callee.type.results.size());
    for (std::size_t i = 0; i < arguments.size(); ++i)
        references.to_host(callee.type.parameters[i], arguments[i]);
    if (const Status loaded = batch.load_memories({&lane, 1}, {&self, 1}); !loaded)
        return loaded.error();
    const auto pages = batch.resident(lane);
    touched.insert(touched.end(), pages.begin(), pages.end());
    wasm::HostCall call{instance, arguments, results, batch.fuel_left(lane), 0, {}};
    (void)callee.host->call(call);
    if (const Status stored = batch.store_memories({&lane, 1}, {&self, 1}); !stored)
        return stored.error();
    for (std::size_t i = 0; i < results.size(); ++i)
        if (!references.to_device(callee.type.results[i], results[i])) return false;
    HostReply reply;
    reply.results = results;
    reply.fee = call.fee;
    reply.error = call.error;
    batch.answer(lane, reply);
    return true;
}

} // namespace

Options Runner::single_calls() {
    Options options;
    options.registers = 131'072;
    options.frames = 1024;
    options.memory_pages = wasm::most_pages;
    options.tapes = 1'000;
    options.wait_for_code = true;
    return options;
}

Result<wasm::RunResult> Runner::run(Instance& instance, std::uint32_t function,
                                    std::span<const Cell> arguments,
                                    const wasm::RunLimits& limits) {
    const auto eject = [&](Ejection why) {
        ++ejections_[static_cast<std::size_t>(why)];
        return Error{ErrorCode::unavailable,
                     fmt::format("ejected ({}): {}", name_of(why), text_of(why))};
    };
    const wasm::FunctionReference& called = instance.state().functions[function];
    if (called.instance != &instance) return eject(Ejection::foreign);
    const References references(instance);
    std::vector<Cell> given(arguments.begin(), arguments.end());
    for (std::size_t i = 0; i < given.size(); ++i)
        if (!references.to_device(called.type.parameters[i], given[i]))
            return eject(Ejection::foreign);
    machine_->clear();
    const InstanceImage image = image_of(instance);
    const auto program = machine_->add(image, {});
    if (!program) return program.error();
    Invocation invocation;
    invocation.program = *program;
    invocation.function = function;
    invocation.arguments = given;
    invocation.fuel = limits.fuel;
    const auto batch = machine_->batch();
    if (const Status begun = batch->start({&invocation, 1}, {}); !begun) return begun.error();
    std::vector<std::uint32_t> touched;
    for (;;) {
        const auto advanced = batch->advance(limits.stop);
        if (!advanced && advanced.error().code == ErrorCode::cancelled) {
            wasm::RunResult cancelled;
            cancelled.outcome = wasm::Outcome::trapped;
            cancelled.trap.kind = wasm::TrapKind::cancelled;
            return cancelled;
        }
        if (!advanced) return advanced.error();
        if (batch->stops().empty()) {
            wasm::RunResult so_far = batch->so_far(0);
            if (so_far.steps < limits.steps) continue;
            so_far.outcome = wasm::Outcome::paused;
            return so_far;
        }
        const Stop stop = batch->stops().front();
        if (stop.kind == StopKind::host_call) {
            const auto went_on = call_host(*batch, instance, stop.import, touched);
            if (!went_on) return went_on.error();
            if (*went_on) continue;
            restore(instance, image, touched);
            return eject(Ejection::foreign);
        }
        if (stop.kind == StopKind::ejected) {
            restore(instance, image, touched);
            return eject(stop.ejection);
        }
        break;
    }
    instructions_ += batch->work().instructions;
    ++runs_;
    const Ended ended = batch->ended(0);
    on_processor_ = ended.on_host;
    wasm::RunResult result = ended.run;
    for (std::size_t i = 0; i < result.results.size(); ++i)
        references.to_host(called.type.results[i], result.results[i]);
    if (const Status back = bring_back(*batch, instance); !back) return back.error();
    return result;
}

} // namespace blockloom::gpuvm
