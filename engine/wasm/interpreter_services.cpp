// What the interpreter's loop delegates, so that it keeps its own values in registers: running out
// of fuel, host functions, other instances, bulk memory and tables.
#include "wasm/interpreter_state.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace blockloom::wasm {
namespace {

using Next = Interpreter::State::Next;

/// Steps between checks of the stop token.
constexpr std::uint64_t most_unwatched = 4'000'000;

/// The callee of an indirect call, or why there is none.
const FunctionReference* find_callee(Instance& instance, const Instruction& call, Cell element,
                                     TrapKind& why) {
    const Table& table = *instance.state().tables[call.a];
    if (element >= table.cells.size()) {
        why = TrapKind::undefined_element;
        return nullptr;
    }
    const FunctionReference* found = referenced(table.cells[element]);
    if (found == nullptr) {
        why = TrapKind::uninitialized_element;
        return nullptr;
    }
    const bool same = found->instance == &instance
                          ? found->canonical_type == call.x
                          : found->type == instance.program().module->types[call.x];
    if (!same) {
        why = TrapKind::indirect_call_type_mismatch;
        return nullptr;
    }
    return found;
}

} // namespace

std::uint64_t Interpreter::State::allot() noexcept {
    return allotted = std::min({fuel_left, slice_left, most_unwatched});
}

void Interpreter::State::use(Instance& now) noexcept {
    instance = &now;
    functions = now.program().functions.data();
    branch_targets = now.program().branch_targets.data();
    globals = now.state().global_cells.data();
}

Next Interpreter::State::refuel(const std::stop_token& stop) {
    const auto stop_with = [&](TrapKind kind) {
        note_cost(0 - std::exchange(pending_cost, 0)); // noted, but never charged
        return fail(kind);
    };
    if (fuel_left < pending_cost) return stop_with(TrapKind::out_of_fuel);
    if (stop.stop_requested()) return stop_with(TrapKind::cancelled);
    return slice_left < pending_cost ? Next::paused : Next::run;
}

bool Interpreter::State::charge_fee(std::uint64_t fee) {
    if (fee > fuel_left) {
        trap = TrapKind::out_of_fuel;
        return false;
    }
    fuel_left -= fee;
    note_cost(fee);
    return true;
}

void Interpreter::State::mark(std::uint64_t address) noexcept {
    instance->state().memory->mark(address);
}

Next Interpreter::State::enter(const FunctionReference& target, std::uint32_t window) {
    if (target.instance == nullptr) return call_host(target, window);
    const ProgramFunction& entered = target.instance->program().functions[target.function];
    const std::uint32_t first = base + window;
    if (depth >= root->limits().call_depth ||
        std::uint64_t{first} + entered.cells > root->limits().stack_cells)
        return fail(TrapKind::call_stack_exhausted);
    if (depth == frames.size()) frames.resize(2 * frames.size());
    room = std::min<std::uint32_t>(static_cast<std::uint32_t>(frames.size()),
                                   root->limits().call_depth);
    frames[depth++] = {instance, at, base, function, node, entered_at};
    use(*target.instance);
    function = target.function;
    base = first;
    std::fill_n(cells + base + entered.parameters, entered.locals, Cell{0});
    at = instance->program().code.data() + entered.entry;
    if (profile != nullptr && instance == root) enter_profile(function);
    note_cost(entered.cost);
    pending_cost = entered.cost;
    return Next::run;
}

Next Interpreter::State::call_indirect() {
    const FunctionReference* target = find_callee(*instance, *at, cells[base + at->c], trap);
    return target == nullptr ? Next::trapped : enter(*target, at->b);
}

Next Interpreter::State::call_host(const FunctionReference& target, std::uint32_t window) {
    Cell* const arguments = cells + base + window;
    host_results.assign(target.type.results.size(), 0);
    HostCall call{*instance, {arguments, target.type.parameters.size()}, host_results, fuel_left, 0,
                  {}};
    const HostAnswer answer = target.host->call(call);
    if (answer == HostAnswer::yield) return Next::yielded;
    std::copy(host_results.begin(), host_results.end(), arguments);
    if (!call.error.empty()) {
        trap_text = std::move(call.error);
        return fail(TrapKind::host);
    }
    if (!charge_fee(call.fee)) return Next::trapped;
    if (at == nullptr) return Next::returned; // the invoked function itself was the host's
    pending_cost = at->y;
    note_cost(pending_cost);
    ++at;
    return Next::run;
}

Next Interpreter::State::leave_function() {
    const CallFrame& frame = frames[--depth];
    if (profile != nullptr && instance == root) leave_profile(frame);
    function = frame.function;
    if (frame.call == nullptr) {
        at = nullptr;
        return Next::returned;
    }
    use(*frame.instance);
    base = frame.base;
    pending_cost = frame.call->y;
    note_cost(pending_cost);
    at = frame.call + 1;
    return Next::run;
}

bool Interpreter::State::execute() {
    Instance::State& own = instance->state();
    const Module& module = *instance->program().module;
    Cell* const r = cells + base;
    const Instruction& i = *at;
    Cell &a = r[i.a], &b = r[i.b];
    const Cell c = r[i.c];
    const auto stop_with = [&](TrapKind kind) {
        trap = kind;
        return false;
    };
    const auto op = static_cast<Opcode>(i.op);
    // The checks come first: an access out of bounds pays no fee.
    const std::optional<std::uint64_t> amount = bulk_amount(own, module, i, a, b, c);
    if (!amount) return stop_with(out_of_bounds_of(op));
    if (!charge_fee(bulk_fee(instance->program().fuel, op, *amount))) return false;
    switch (op) {
    case Opcode::memory_grow:
        a = own.memory->grow(static_cast<std::uint32_t>(b));
        return true;
    case Opcode::memory_copy:
        return memory_copy(*own.memory, a, b, c);
    case Opcode::memory_fill:
        return memory_fill(*own.memory, a, static_cast<Byte>(b), c);
    case Opcode::memory_init:
        return memory_init(*own.memory, own.data(module, i.x), a, b, c);
    case Opcode::data_drop:
        own.dropped_data[i.x] = true;
        own.segments_dropped = true;
        return true;
    case Opcode::elem_drop:
        own.dropped_elements[i.x] = true;
        own.segments_dropped = true;
        return true;
    case Opcode::table_get: {
        const std::vector<Cell>& table = own.tables[i.x]->cells;
        if (b >= table.size()) return stop_with(TrapKind::out_of_bounds_table);
        a = table[b];
        return true;
    }
    case Opcode::table_set: {
        std::vector<Cell>& table = own.tables[i.x]->cells;
        if (b >= table.size()) return stop_with(TrapKind::out_of_bounds_table);
        table[b] = c;
        own.tables_changed = true;
        return true;
    }
    case Opcode::table_size:
        a = own.tables[i.x]->cells.size();
        return true;
    case Opcode::table_grow:
        a = table_grow(own, i.x, b, static_cast<std::uint32_t>(c));
        return true;
    case Opcode::table_fill:
        return table_fill(own, i.x, a, b, c);
    case Opcode::table_copy:
        return table_copy(own, i.x, i.y, a, b, c);
    case Opcode::table_init:
        return table_init(own, module, i.x, i.y, a, b, c);
    default: // ref_func
        a = reference_cell(own.functions[i.x]);
        return true;
    }
}

} // namespace blockloom::wasm
