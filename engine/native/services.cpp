#include "native/services.h"

#include "native/code_image.h"

#include <algorithm>

namespace blockloom::native {

using wasm::FunctionReference;
using wasm::Instruction;
using wasm::Opcode;
using wasm::TrapKind;

namespace {

/// Steps between looks at the stop token, as in the interpreter.
constexpr std::uint64_t most_unwatched = 4'000'000;

/// The function that an instruction belongs to.
std::uint32_t function_at(const wasm::Program& program, std::uint32_t pc) {
    const auto& all = program.functions;
    const auto own = all.begin() + static_cast<std::ptrdiff_t>(program.module->imported_functions);
    const auto after =
        std::upper_bound(own, all.end(), pc, [](std::uint32_t at, const wasm::ProgramFunction& f) {
            return at < f.entry;
        });
    return static_cast<std::uint32_t>(after - all.begin()) - 1;
}

std::uint64_t trap_at(Context& context, TrapKind kind, std::uint32_t pc) {
    wasm::Trap& trap = context.run->trap;
    trap.kind = kind;
    if (pc == no_pc) return stopped; // the caller knows where the outermost function is
    const wasm::Program& program = context.owner->code->program();
    trap.function = function_at(program, pc);
    trap.offset = program.offset[pc];
    return stopped;
}

/// A fee beyond the block's cost: charged from the fuel, not from the slice.
std::uint64_t charge_fee(Context& context, std::uint64_t fee, std::uint32_t pc) {
    Run& run = *context.run;
    if (fee > run.fuel_left) return trap_at(context, TrapKind::out_of_fuel, pc);
    run.fuel_left -= fee;
    return run.allot();
}

std::uint64_t call_host(Context& context, const FunctionReference& function, std::uint64_t fuel,
                        std::uint32_t pc, Cell* cells) {
    Run& run = *context.run;
    run.settle(fuel);
    run.host_results.assign(function.type.results.size(), 0);
    wasm::HostCall call{context.owner->instance,
                        {cells, function.type.parameters.size()},
                        run.host_results,
                        run.fuel_left,
                        0,
                        {}};
    const wasm::HostAnswer answer = function.host->call(call);
    context.owner->refresh();
    if (answer == wasm::HostAnswer::yield) {
        if (!run.leave(wasm::Outcome::yielded)) return trap_at(context, TrapKind::cancelled, pc);
        (void)run.allot();
        return again;
    }
    std::copy(run.host_results.begin(), run.host_results.end(), cells);
    if (!call.error.empty()) {
        run.trap.text = std::move(call.error);
        return trap_at(context, TrapKind::host, pc);
    }
    return charge_fee(context, call.fee, pc);
}

/// Until there is a slice that has room for a block. False: there will be none.
bool pause(Run& run, std::uint32_t cost) {
    run.pending_cost = cost;
    const bool goes_on = run.leave(wasm::Outcome::paused);
    run.pending_cost = 0;
    return goes_on;
}

void refuel(Context* context, std::uint64_t fuel, std::uint32_t cost, std::uint32_t pc) {
    Run& run = *context->run;
    run.settle(fuel);
    if (run.fuel_left < cost)
        context->fuel = trap_at(*context, TrapKind::out_of_fuel, pc);
    else if (run.stop.stop_requested())
        context->fuel = trap_at(*context, TrapKind::cancelled, pc);
    else if (run.slice_left < cost && !pause(run, cost))
        context->fuel = trap_at(*context, TrapKind::cancelled, pc);
    else
        context->fuel = run.allot() - cost;
}

void mark(Context* context, std::uint64_t address) {
    context->owner->state.memory->mark(address);
}

void trap(Context* context, std::uint64_t fuel, std::uint32_t site) {
    context->run->settle(fuel);
    trap_at(*context, static_cast<TrapKind>(site & 0xf), site >> 4);
}

std::uint64_t stop_here(Context& context, std::uint64_t fuel, TrapKind kind, std::uint32_t pc) {
    context.run->settle(fuel);
    return trap_at(context, kind, pc);
}

std::uint64_t call_import(Context* context, std::uint64_t fuel, std::uint64_t room,
                          std::uint32_t pc, Cell* cells) {
    const Instruction& call = context->owner->code->program().code[pc];
    for (;; fuel = context->run->allotted) {
        const std::uint64_t left = call_target(*context->owner, *context->run, fuel, room, pc,
                                               context->references[call.x], cells);
        if (left != again) return left;
    }
}

/// The callee of an indirect call, or why there is none.
const FunctionReference* find_callee(const Context& context, const Instruction& call, Cell element,
                                     TrapKind& why) {
    const Attached& owner = *context.owner;
    const std::vector<Cell>& table = owner.state.tables[call.a]->cells;
    why = TrapKind::undefined_element;
    if (element >= table.size()) return nullptr;
    const FunctionReference* found = wasm::referenced(table[element]);
    why = TrapKind::uninitialized_element;
    if (found == nullptr) return nullptr;
    why = TrapKind::indirect_call_type_mismatch;
    const bool same = found->instance == context.instance
                          ? found->canonical_type == call.x
                          : found->type == owner.code->program().module->types[call.x];
    return same ? found : nullptr;
}

std::uint64_t call_indirect(Context* context, std::uint64_t fuel, std::uint64_t room,
                            std::uint32_t pc, Cell* cells, Cell element) {
    const Instruction& call = context->owner->code->program().code[pc];
    for (;; fuel = context->run->allotted) {
        TrapKind why = TrapKind::none;
        const FunctionReference* callee = find_callee(*context, call, element, why);
        if (callee == nullptr) return stop_here(*context, fuel, why, pc);
        const std::uint64_t left =
            call_target(*context->owner, *context->run, fuel, room, pc, *callee, cells);
        if (left != again) return left;
    }
}

/// Bounds first, then the fee, then the effect, as the interpreter does.
bool memory_bulk_fits(const Attached& owner, const Instruction& i, Cell a, Cell b, Cell c) {
    const std::uint64_t size = owner.state.memory->size();
    switch (static_cast<Opcode>(i.op)) {
    case Opcode::memory_copy:
        return a + c <= size && b + c <= size;
    case Opcode::memory_fill:
        return a + c <= size;
    default:
        return a + c <= size &&
               b + c <= owner.state.data(*owner.code->program().module, i.x).size();
    }
}

std::uint64_t memory_bulk(Context& context, std::uint64_t fuel, std::uint32_t pc, Cell a, Cell b,
                          Cell c) {
    Attached& owner = *context.owner;
    const Instruction& i = owner.code->program().code[pc];
    context.run->settle(fuel);
    if (!memory_bulk_fits(owner, i, a, b, c))
        return trap_at(context, TrapKind::out_of_bounds_memory, pc);
    const std::uint64_t left = charge_fee(context, c / 64, pc);
    if (left == stopped) return stopped;
    wasm::Memory& memory = *owner.state.memory;
    bool done = false;
    switch (static_cast<Opcode>(i.op)) {
    case Opcode::memory_copy:
        done = memory_copy(memory, a, b, c);
        break;
    case Opcode::memory_fill:
        done = memory_fill(memory, a, static_cast<Byte>(b), c);
        break;
    default:
        done = memory_init(memory, owner.state.data(*owner.code->program().module, i.x), a, b, c);
        break;
    }
    return done ? left : stop_here(context, left, TrapKind::out_of_bounds_memory, pc);
}

std::uint64_t table_bulk(Context& context, std::uint64_t fuel, std::uint32_t pc, Cell a, Cell b,
                         Cell c) {
    Attached& owner = *context.owner;
    const Instruction& i = owner.code->program().code[pc];
    const wasm::Module& module = *owner.code->program().module;
    context.run->settle(fuel);
    const auto fee = table_fee(owner.state, module, i, a, b, c);
    if (!fee) return trap_at(context, TrapKind::out_of_bounds_table, pc);
    const std::uint64_t left = charge_fee(context, *fee, pc);
    if (left == stopped) return stopped;
    bool done = true;
    switch (static_cast<Opcode>(i.op)) {
    case Opcode::table_grow:
        context.value = table_grow(owner.state, i.x, b, static_cast<std::uint32_t>(c));
        owner.refresh();
        break;
    case Opcode::table_fill:
        done = table_fill(owner.state, i.x, a, b, c);
        break;
    case Opcode::table_copy:
        done = table_copy(owner.state, i.x, i.y, a, b, c);
        break;
    default:
        done = table_init(owner.state, module, i.x, i.y, a, b, c);
        break;
    }
    return done ? left : stop_here(context, left, TrapKind::out_of_bounds_table, pc);
}

std::uint64_t execute(Context* context, std::uint64_t fuel, std::uint32_t pc, Cell a, Cell b,
                      Cell c) {
    Attached& owner = *context->owner;
    wasm::Instance::State& state = owner.state;
    const Instruction& i = owner.code->program().code[pc];
    const auto outside = [&] {
        return stop_here(*context, fuel, TrapKind::out_of_bounds_table, pc);
    };
    switch (static_cast<Opcode>(i.op)) {
    case Opcode::memory_grow:
        context->value = state.memory->grow(static_cast<std::uint32_t>(b));
        break;
    case Opcode::data_drop:
        state.dropped_data[i.x] = true;
        state.segments_dropped = true;
        return fuel;
    case Opcode::elem_drop:
        state.dropped_elements[i.x] = true;
        state.segments_dropped = true;
        return fuel;
    case Opcode::table_get:
        if (b >= state.tables[i.x]->cells.size()) return outside();
        context->value = state.tables[i.x]->cells[b];
        return fuel;
    case Opcode::table_set:
        if (b >= state.tables[i.x]->cells.size()) return outside();
        state.tables[i.x]->cells[b] = c;
        state.tables_changed = true;
        return fuel;
    case Opcode::table_size:
        context->value = state.tables[i.x]->cells.size();
        return fuel;
    case Opcode::table_grow:
    case Opcode::table_fill:
    case Opcode::table_copy:
    case Opcode::table_init:
        return table_bulk(*context, fuel, pc, a, b, c);
    default:
        return memory_bulk(*context, fuel, pc, a, b, c);
    }
    owner.refresh();
    return fuel;
}

} // namespace

std::uint64_t stack_bytes(const CodeImage& image, std::uint64_t frames) noexcept {
    constexpr std::uint64_t for_cpp = 256 * 1024; // services and host functions
    return frames * (image.most_frame_bytes + 64) + for_cpp;
}

std::uint64_t Run::allot() noexcept {
    return allotted = std::min({fuel_left, slice_left, most_unwatched});
}

bool Run::leave(wasm::Outcome why) {
    stands = why;
    coroutine->pause();
    return !abandoned;
}

void offer_services(Context& context) noexcept {
    context.refuel = refuel;
    context.mark = mark;
    context.trap = trap;
    context.call_import = call_import;
    context.call_indirect = call_indirect;
    context.execute = execute;
}

std::uint64_t call_target(Attached& caller, Run& run, std::uint64_t fuel, std::uint64_t room,
                          std::uint32_t pc, const FunctionReference& target, Cell* cells) {
    Context& context = caller.context();
    if (target.instance == nullptr) return call_host(context, target, fuel, pc, cells);
    const std::uint64_t window = pc == no_pc ? 0 : caller.code->program().code[pc].b;
    const wasm::ProgramFunction& function = target.instance->program().functions[target.function];
    const std::uint64_t inner = room - one_frame - window;
    if (((inner - function.cells) & room_overdrawn) != 0)
        return stop_here(context, fuel, TrapKind::call_stack_exhausted, pc);
    const auto there = attach(*target.instance, nullptr);
    if (!there) {
        run.trap.text = there.error().message;
        return stop_here(context, fuel, TrapKind::host, pc);
    }
    Attached& callee = **there;
    // The stack was made for frames of the outermost program: others may have larger ones.
    const CodeImage& image = callee.code->image();
    if (run.coroutine->stack_left() <
        stack_bytes(image, static_cast<std::uint32_t>(inner >> 32) + 1)) {
        run.trap.text = "the machine's stack has no room for the frames of the called instance";
        return stop_here(context, fuel, TrapKind::host, pc);
    }
    Context& other = callee.context();
    other.run = &run;
    callee.refresh();
    const std::uint32_t type = image.program->canonical_type[function.type];
    const std::uint64_t left =
        image.enter[type](&other, fuel, inner, image.functions[target.function].code, cells);
    if (left == stopped) return stopped;
    for (std::size_t r = 1; r < function.results; ++r) cells[r] = other.results[r];
    caller.refresh();
    return left;
}

} // namespace blockloom::native
