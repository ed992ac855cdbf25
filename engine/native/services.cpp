#include "native/services.h"

#include "base/contain.h"
#include "native/code_image.h"

#include <algorithm>
#include <cstdlib>

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

/// The run ends here: its stack is abandoned, and the next run starts it again.
[[noreturn]] void trap_at(Context& context, TrapKind kind, std::uint32_t pc) {
    wasm::Trap& trap = context.run->trap;
    trap.kind = kind;
    if (pc != no_pc) { // else the caller knows where the outermost function is
        const wasm::Program& program = context.owner->code->program();
        trap.function = function_at(program, pc);
        trap.offset = program.offset[pc];
    }
    context.run->leave(wasm::Outcome::trapped);
    std::abort(); // nobody resumes it
}

/// The run ends here without a result: `broken` says what this machine could not do.
[[noreturn]] void leave_broken(Run& run) {
    run.leave(wasm::Outcome::trapped);
    std::abort(); // nobody resumes it
}

/// A fee beyond the block's cost: charged from the fuel, not from the slice.
std::uint64_t charge_fee(Context& context, std::uint64_t fee, std::uint32_t pc) {
    Run& run = *context.run;
    if (fee > run.fuel_left) trap_at(context, TrapKind::out_of_fuel, pc);
    run.fuel_left -= fee;
    return run.allot();
}

/// How a host function's call ended.
struct HostEnd {
    wasm::HostAnswer answer = wasm::HostAnswer::done;
    bool failed = false;
    std::uint64_t fee = 0;
};

HostEnd ask_host(Context& context, const FunctionReference& function, Cell* cells) {
    Run& run = *context.run;
    HostEnd end;
    const Status asked = contain("host function", [&]() -> Status {
        run.host_results.assign(function.type.results.size(), 0);
        wasm::HostCall call{context.owner->instance,
                            {cells, function.type.parameters.size()},
                            run.host_results,
                            run.fuel_left,
                            0,
                            {}};
        end.answer = function.host->call(call);
        if (end.answer == wasm::HostAnswer::yield) return {};
        std::copy(run.host_results.begin(), run.host_results.end(), cells);
        if (!call.error.empty()) {
            run.trap.text = std::move(call.error);
            end.failed = true;
        }
        end.fee = call.fee;
        return {};
    });
    if (!asked) run.broken = asked.error();
    return end;
}

std::uint64_t call_host(Context& context, const FunctionReference& function, std::uint64_t fuel,
                        std::uint32_t pc, Cell* cells) {
    Run& run = *context.run;
    run.settle(fuel);
    // What has a destructor is gone before the run may be left.
    const HostEnd end = ask_host(context, function, cells);
    if (run.broken) leave_broken(run);
    context.owner->refresh();
    if (end.answer == wasm::HostAnswer::yield) {
        run.leave(wasm::Outcome::yielded);
        (void)run.allot();
        return again;
    }
    if (end.failed) trap_at(context, TrapKind::host, pc);
    return charge_fee(context, end.fee, pc);
}

void refuel(Context* context, std::uint64_t fuel, std::uint32_t pc) {
    Run& run = *context->run;
    const std::uint32_t cost = context->owner->code->image().costs[pc];
    run.settle(fuel);
    if (run.fuel_left < cost) trap_at(*context, TrapKind::out_of_fuel, pc);
    if (run.stop.stop_requested()) trap_at(*context, TrapKind::cancelled, pc);
    if (run.slice_left < cost) {
        run.pending_cost = cost;
        run.leave(wasm::Outcome::paused);
        run.pending_cost = 0;
    }
    context->fuel = run.allot() - cost;
}

void mark(Context* context, std::uint64_t address) {
    context->owner->state.memory->mark(address);
}

void trap(Context* context, std::uint64_t fuel, std::uint32_t site) {
    context->run->settle(fuel);
    trap_at(*context, static_cast<TrapKind>(site & 0xf), site >> 4);
}

[[noreturn]] void stop_here(Context& context, std::uint64_t fuel, TrapKind kind, std::uint32_t pc) {
    context.run->settle(fuel);
    trap_at(context, kind, pc);
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
        if (callee == nullptr) stop_here(*context, fuel, why, pc);
        const std::uint64_t left =
            call_target(*context->owner, *context->run, fuel, room, pc, *callee, cells);
        if (left != again) return left;
    }
}

/// Cells before, or 0xffffffff; sets `broken` where this machine has no memory for more.
std::uint32_t grow_table(Attached& owner, Run& run, std::uint32_t table, Cell value,
                         std::uint32_t count) {
    const auto grown = contain("table.grow", [&]() -> Result<std::uint32_t> {
        return table_grow(owner.state, table, value, count);
    });
    if (grown) return *grown;
    run.broken = grown.error();
    return 0;
}

std::uint64_t execute(Context* context, std::uint64_t fuel, std::uint32_t pc, Cell a, Cell b,
                      Cell c) {
    Attached& owner = *context->owner;
    wasm::Instance::State& state = owner.state;
    const wasm::Program& program = owner.code->program();
    const wasm::Module& module = *program.module;
    const Instruction& i = program.code[pc];
    const auto op = static_cast<Opcode>(i.op);
    const auto check = [&](bool inside) {
        if (!inside) stop_here(*context, fuel, wasm::out_of_bounds_of(op), pc);
    };
    // Bounds first, then the fee, then the effect, as the interpreter does.
    const std::optional<std::uint64_t> amount = wasm::bulk_amount(state, module, i, a, b, c);
    check(amount.has_value());
    if (const std::uint64_t fee = wasm::bulk_fee(program.fuel, op, *amount); fee != 0) {
        context->run->settle(fuel);
        fuel = charge_fee(*context, fee, pc);
    }
    switch (op) {
    case Opcode::memory_grow:
        context->value = state.memory->grow(static_cast<std::uint32_t>(b));
        owner.refresh();
        return fuel;
    case Opcode::memory_copy:
        check(memory_copy(*state.memory, a, b, c));
        return fuel;
    case Opcode::memory_fill:
        check(memory_fill(*state.memory, a, static_cast<Byte>(b), c));
        return fuel;
    case Opcode::memory_init:
        check(memory_init(*state.memory, state.data(module, i.x), a, b, c));
        return fuel;
    case Opcode::data_drop:
        state.dropped_data[i.x] = true;
        state.segments_dropped = true;
        return fuel;
    case Opcode::elem_drop:
        state.dropped_elements[i.x] = true;
        state.segments_dropped = true;
        return fuel;
    case Opcode::table_get:
        check(b < state.tables[i.x]->cells.size());
        context->value = state.tables[i.x]->cells[b];
        return fuel;
    case Opcode::table_set:
        check(b < state.tables[i.x]->cells.size());
        state.tables[i.x]->cells[b] = c;
        state.tables_changed = true;
        return fuel;
    case Opcode::table_size:
        context->value = state.tables[i.x]->cells.size();
        return fuel;
    case Opcode::table_grow:
        context->value = grow_table(owner, *context->run, i.x, b, static_cast<std::uint32_t>(c));
        if (context->run->broken) leave_broken(*context->run);
        owner.refresh();
        return fuel;
    case Opcode::table_fill:
        check(table_fill(state, i.x, a, b, c));
        return fuel;
    case Opcode::table_copy:
        check(table_copy(state, i.x, i.y, a, b, c));
        return fuel;
    case Opcode::table_init:
        check(table_init(state, module, i.x, i.y, a, b, c));
        return fuel;
    default: // ref_func is no service
        return fuel;
    }
}

} // namespace

std::uint64_t stack_bytes(const CodeImage& image, std::uint64_t frames) noexcept {
    constexpr std::uint64_t for_cpp = 256 * 1024; // services and host functions
    return frames * (image.most_frame_bytes + 64) + for_cpp;
}

std::uint64_t Run::allot() noexcept {
    return allotted = std::min({fuel_left, slice_left, most_unwatched});
}

void Run::leave(wasm::Outcome why) {
    stands = why;
    coroutine->pause();
}

namespace {

/// Ready for `frames` frames of its own. Null where it is not, and `broken` says why: no object
/// that needs a destructor is left to the caller.
Attached* attached_or_broken(wasm::Instance& instance, Run& run, std::uint64_t frames) {
    const auto there = contain("called instance", [&]() -> Result<Attached*> {
        const auto found = attach(instance, nullptr, offer_services);
        // The stack was made for frames of the outermost program: others may have larger ones.
        if (found && run.coroutine->stack_left() < stack_bytes((*found)->code->image(), frames))
            return Error{ErrorCode::unavailable,
                         "the machine's stack is too small for the frames of the called instance"};
        return found;
    });
    if (there) return *there;
    run.broken = there.error();
    return nullptr;
}

} // namespace

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
        stop_here(context, fuel, TrapKind::call_stack_exhausted, pc);
    Attached* const there =
        attached_or_broken(*target.instance, run, static_cast<std::uint32_t>(inner >> 32) + 1);
    if (there == nullptr) leave_broken(run);
    Attached& callee = *there;
    const CodeImage& image = callee.code->image();
    Context& other = callee.context();
    other.run = &run;
    callee.refresh();
    const std::uint32_t type = image.program->canonical_type[function.type];
    const std::uint64_t left =
        image.enter[type](&other, fuel, inner, image.functions[target.function].code, cells);
    for (std::size_t r = 1; r < function.results; ++r) cells[r] = other.results[r];
    caller.refresh();
    return left;
}

} // namespace blockloom::native
