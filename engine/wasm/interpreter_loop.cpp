// The interpreter's loop: threaded dispatch over the register program. What each instruction does
// stands in docs/register-program.md; the macros only keep 230 cases readable.
#include "wasm/interpreter_state.h"
#include "wasm/numeric.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

namespace blockloom::wasm {
namespace {

using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;

/// Steps between looks at the stop token.
constexpr u64 most_unwatched = 4'000'000;

template <typename To, typename From> Cell sign_extended(From value) {
    return static_cast<std::make_unsigned_t<To>>(static_cast<To>(value));
}

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

/// How a host function's call ended.
struct HostEnd {
    HostAnswer answer = HostAnswer::done;
    bool failed = false;
    u64 fee = 0;
};

/// Outside the loop: what has a destructor must not stand in a scope that the dispatch leaves.
HostEnd call_host_function(Instance& caller, const FunctionReference& function, Cell* window,
                           u64 fuel_left, std::string& error) {
    std::vector<Cell> results(function.type.results.size());
    HostCall call{caller, {window, function.type.parameters.size()}, results, fuel_left, 0, {}};
    HostEnd end;
    end.answer = function.host->call(call);
    end.failed = !call.error.empty();
    end.fee = call.fee;
    error = std::move(call.error);
    if (end.answer == HostAnswer::done) std::copy(results.begin(), results.end(), window);
    return end;
}

#include "wasm/interpreter_ops.h"

template <bool profiling> LoopResult loop(Interpreter::State& state, const RunLimits& limits) {
    static const void* const labels[] = {BLOCKLOOM_WASM_OPCODES(LABEL)};
    using f32_type = float;
    using f64_type = double;

    Instance* instance = state.instance;
    const Instruction* code = instance->program().code.data();
    const ProgramFunction* functions = instance->program().functions.data();
    const Instruction* ip = state.at;
    Cell* const cells = state.stack->data();
    Cell* r = cells + state.base;
    Byte* memory = nullptr;
    Byte* dirty = nullptr;
    u64 memory_size = 0;
    TrapKind trap = TrapKind::none;
    std::string trap_text;
    u64 remaining = 0, allotted = 0;
    u32 callee = 0, window = 0;
    const FunctionReference* target = nullptr;

    const auto look_at_memory = [&] {
        if (const auto& there = instance->state().memory) {
            memory = there->data();
            dirty = there->dirty();
            memory_size = there->size();
        } else {
            memory = dirty = nullptr;
            memory_size = 0;
        }
    };
    // `remaining` counts down from what fuel and slice allow together; settle() books what is gone.
    const auto settle = [&] {
        const u64 used = allotted - remaining;
        state.fuel_left -= used;
        state.slice_left -= used;
        state.steps += used;
        allotted = remaining = 0;
    };
    const auto allot = [&] {
        allotted = remaining = std::min({state.fuel_left, state.slice_left, most_unwatched});
    };
    const auto note_cost = [&](u64 cost) {
        if constexpr (profiling) {
            state.nodes[state.node].fuel += cost;
            if (instance == state.root) (*state.profile)[state.function].self_fuel += cost;
        }
    };
    const auto leave = [&](Outcome outcome) {
        settle();
        state.instance = instance;
        state.at = ip;
        state.base = static_cast<u32>(r - cells);
        LoopResult result;
        result.outcome = outcome;
        if (outcome == Outcome::trapped) {
            result.trap.kind = trap;
            result.trap.function = state.function;
            result.trap.text = std::move(trap_text);
            if (ip != nullptr)
                result.trap.offset =
                    instance->program().offset[static_cast<std::size_t>(ip - code)];
        }
        return result;
    };

    look_at_memory();
    allot();
    if (ip == nullptr) {
        window = 0;
        target = &instance->state().functions[state.function];
        goto enter;
    }
    if (state.pending_cost > 0) {
        const u64 cost = std::exchange(state.pending_cost, 0);
        if (cost > remaining) {
            state.pending_cost = cost;
            goto short_of;
        }
        remaining -= cost;
    }
    GO;

    COMPARES(i32, i32, u32)
    COMPARES(i64, i64, u64)
    ARITHMETIC(i32, i32, u32, 32)
    ARITHMETIC(i64, i64, u64, 64)
    UNARY(i32_clz, static_cast<u64>(std::countl_zero(static_cast<u32>(v))))
    UNARY(i32_ctz, static_cast<u64>(std::countr_zero(static_cast<u32>(v))))
    UNARY(i32_popcnt, static_cast<u64>(std::popcount(static_cast<u32>(v))))
    UNARY(i32_eqz, v == 0)
    UNARY(i32_extend8_s, sign_extended<i32>(static_cast<std::int8_t>(v)))
    UNARY(i32_extend16_s, sign_extended<i32>(static_cast<std::int16_t>(v)))
    UNARY(i64_clz, static_cast<u64>(std::countl_zero(v)))
    UNARY(i64_ctz, static_cast<u64>(std::countr_zero(v)))
    UNARY(i64_popcnt, static_cast<u64>(std::popcount(v)))
    UNARY(i64_eqz, v == 0)
    UNARY(i64_extend8_s, sign_extended<i64>(static_cast<std::int8_t>(v)))
    UNARY(i64_extend16_s, sign_extended<i64>(static_cast<std::int16_t>(v)))
    UNARY(i64_extend32_s, sign_extended<i64>(static_cast<i32>(v)))
    UNARY(i32_wrap_i64, static_cast<u32>(v))
    UNARY(i64_extend_i32_s, sign_extended<i64>(static_cast<i32>(v)))
    UNARY(ref_is_null, v == 0)

    LOAD(i32_load8_s, std::int8_t, sign_extended<i32>(value))
    LOAD(i32_load8_u, std::uint8_t, value)
    LOAD(i32_load16_s, std::int16_t, sign_extended<i32>(value))
    LOAD(i32_load16_u, std::uint16_t, value)
    LOAD(i32_load, u32, value)
    LOAD(i64_load8_s, std::int8_t, sign_extended<i64>(value))
    LOAD(i64_load16_s, std::int16_t, sign_extended<i64>(value))
    LOAD(i64_load32_s, i32, sign_extended<i64>(value))
    LOAD(i64_load, u64, value)
    STORE(store8, std::uint8_t)
    STORE(store16, std::uint16_t)
    STORE(store32, u32)
    STORE(store64, u64)

    FLOATS(f32, float)
    FLOATS(f64, double)
    UNARY(f32_abs, v & 0x7fff'ffff)
    UNARY(f32_neg, v ^ 0x8000'0000)
    UNARY(f64_abs, v & 0x7fff'ffff'ffff'ffff)
    UNARY(f64_neg, v ^ 0x8000'0000'0000'0000)
op_f32_copysign:
    R(a) = (R(b) & 0x7fff'ffff) | (R(c) & 0x8000'0000);
    NEXT;
op_f64_copysign:
    R(a) = (R(b) & 0x7fff'ffff'ffff'ffff) | (R(c) & 0x8000'0000'0000'0000);
    NEXT;
    TRUNCATE(i32_trunc, i32, f32, s)
    TRUNCATE(i32_trunc, u32, f32, u)
    TRUNCATE(i32_trunc, i32, f64, s)
    TRUNCATE(i32_trunc, u32, f64, u)
    TRUNCATE(i64_trunc, i64, f32, s)
    TRUNCATE(i64_trunc, u64, f32, u)
    TRUNCATE(i64_trunc, i64, f64, s)
    TRUNCATE(i64_trunc, u64, f64, u)
    UNARY(i32_trunc_sat_f32_s, static_cast<u32>(saturate<i32>(float_of<float>(v))))
    UNARY(i32_trunc_sat_f32_u, saturate<u32>(float_of<float>(v)))
    UNARY(i32_trunc_sat_f64_s, static_cast<u32>(saturate<i32>(float_of<double>(v))))
    UNARY(i32_trunc_sat_f64_u, saturate<u32>(float_of<double>(v)))
    UNARY(i64_trunc_sat_f32_s, static_cast<u64>(saturate<i64>(float_of<float>(v))))
    UNARY(i64_trunc_sat_f32_u, saturate<u64>(float_of<float>(v)))
    UNARY(i64_trunc_sat_f64_s, static_cast<u64>(saturate<i64>(float_of<double>(v))))
    UNARY(i64_trunc_sat_f64_u, saturate<u64>(float_of<double>(v)))
    UNARY(f32_convert_i32_s, cell_of(static_cast<float>(static_cast<i32>(v))))
    UNARY(f32_convert_i32_u, cell_of(static_cast<float>(static_cast<u32>(v))))
    UNARY(f32_convert_i64_s, cell_of(static_cast<float>(static_cast<i64>(v))))
    UNARY(f32_convert_i64_u, cell_of(static_cast<float>(v)))
    UNARY(f64_convert_i32_s, cell_of(static_cast<double>(static_cast<i32>(v))))
    UNARY(f64_convert_i32_u, cell_of(static_cast<double>(static_cast<u32>(v))))
    UNARY(f64_convert_i64_s, cell_of(static_cast<double>(static_cast<i64>(v))))
    UNARY(f64_convert_i64_u, cell_of(static_cast<double>(v)))
    UNARY(f32_demote_f64, canonical(static_cast<float>(float_of<double>(v))))
    UNARY(f64_promote_f32, canonical(static_cast<double>(float_of<float>(v))))

op_mov:
    R(a) = R(b);
    NEXT;
op_constant:
    R(a) = ip->imm64();
    NEXT;
op_select:
    R(a) = r[ip->x] != 0 ? R(b) : R(c);
    NEXT;
op_global_get:
    R(a) = *instance->state().global_cells[ip->x];
    NEXT;
op_global_set:
    *instance->state().global_cells[ip->x] = R(b);
    NEXT;
op_ref_func:
    R(a) = reference_cell(instance->state().functions[ip->x]);
    NEXT;

op_charge : {
    const u64 cost_here = ip->x;
    ++ip;
    CHARGE(cost_here);
    GO;
}
op_br : {
    const u64 cost_there = ip->y;
    ip = code + ip->x;
    CHARGE(cost_there);
    GO;
}
op_br_if_zero:
    BRANCH(R(b) == 0)
op_br_if_nonzero:
    BRANCH(R(b) != 0)
op_br_table : {
    const u64 way = std::min<u64>(R(b), ip->y);
    const BranchTarget& to = instance->program().branch_targets[ip->x + way];
    ip = code + to.pc;
    CHARGE(to.cost);
    GO;
}
op_trap:
    trap = static_cast<TrapKind>(ip->x);
    goto trapped;

op_memory_size:
    R(a) = memory_size / page_size;
    NEXT;
op_memory_grow:
    R(a) = instance->state().memory->grow(static_cast<u32>(R(b)));
    look_at_memory();
    NEXT;
op_memory_copy:
    if (R(a) + R(c) > memory_size || R(b) + R(c) > memory_size) TRAP(out_of_bounds_memory);
    FEE(R(c) / 64);
    BULK(memory_copy(*instance->state().memory, R(a), R(b), R(c)), out_of_bounds_memory)
op_memory_fill:
    if (R(a) + R(c) > memory_size) TRAP(out_of_bounds_memory);
    FEE(R(c) / 64);
    BULK(memory_fill(*instance->state().memory, R(a), static_cast<Byte>(R(b)), R(c)),
         out_of_bounds_memory)
op_memory_init : {
    const ByteView segment = instance->state().data(*instance->program().module, ip->x);
    if (R(a) + R(c) > memory_size || R(b) + R(c) > segment.size()) TRAP(out_of_bounds_memory);
    FEE(R(c) / 64);
    BULK(memory_init(*instance->state().memory, segment, R(a), R(b), R(c)), out_of_bounds_memory)
}
op_data_drop:
    instance->state().dropped_data[ip->x] = true;
    instance->state().segments_dropped = true;
    NEXT;
op_elem_drop:
    instance->state().dropped_elements[ip->x] = true;
    instance->state().segments_dropped = true;
    NEXT;
op_table_get : {
    const std::vector<Cell>& table = instance->state().tables[ip->x]->cells;
    if (R(b) >= table.size()) TRAP(out_of_bounds_table);
    R(a) = table[R(b)];
    NEXT;
}
op_table_set : {
    std::vector<Cell>& table = instance->state().tables[ip->x]->cells;
    if (R(b) >= table.size()) TRAP(out_of_bounds_table);
    table[R(b)] = R(c);
    instance->state().tables_changed = true;
    NEXT;
}
op_table_size:
    R(a) = instance->state().tables[ip->x]->cells.size();
    NEXT;
op_table_grow:
    R(a) = table_grow(instance->state(), ip->x, R(b), static_cast<u32>(R(c)));
    NEXT;
op_table_fill:
    BULK(table_fill(instance->state(), ip->x, R(a), R(b), R(c)), out_of_bounds_table)
op_table_copy:
    BULK(table_copy(instance->state(), ip->x, ip->y, R(a), R(b), R(c)), out_of_bounds_table)
op_table_init:
    BULK(table_init(instance->state(), *instance->program().module, ip->x, ip->y, R(a), R(b), R(c)),
         out_of_bounds_table)

op_call:
    callee = ip->x;
    window = ip->b;
    goto enter_here;
op_call_import:
    target = &instance->state().functions[ip->x];
    window = ip->b;
    goto call_target;
op_call_indirect:
    target = find_callee(*instance, *ip, R(c), trap);
    if (target == nullptr) goto trapped;
    window = ip->b;
call_target:
    if (target->instance == nullptr) goto call_host;
    if (target->instance != instance) goto enter;
    callee = target->function;

enter_here : { // a function of the same instance
    const ProgramFunction& function = functions[callee];
    const std::size_t base = static_cast<std::size_t>(r - cells) + window;
    if (state.frames.size() >= state.root->limits().call_depth ||
        base + function.cells > state.root->limits().stack_cells)
        TRAP(call_stack_exhausted);
    state.frames.push_back(
        {instance, ip, static_cast<u32>(r - cells), state.function, state.node, state.entered_at});
    state.function = callee;
    r = cells + base;
    std::fill_n(r + function.parameters, function.locals, Cell{0});
    ip = code + function.entry;
    if constexpr (profiling) {
        settle();
        allot();
        if (instance == state.root) state.enter_profile(callee);
    }
    CHARGE(function.cost);
    GO;
}

enter : { // the outermost function, or one of another instance
    if (target->instance == nullptr) goto call_host;
    const std::size_t base = static_cast<std::size_t>(r - cells) + window;
    const ProgramFunction& function = target->instance->program().functions[target->function];
    if (state.frames.size() >= state.root->limits().call_depth ||
        base + function.cells > state.root->limits().stack_cells)
        TRAP(call_stack_exhausted);
    state.frames.push_back(
        {instance, ip, static_cast<u32>(r - cells), state.function, state.node, state.entered_at});
    instance = target->instance;
    code = instance->program().code.data();
    functions = instance->program().functions.data();
    look_at_memory();
    state.function = target->function;
    r = cells + base;
    std::fill_n(r + function.parameters, function.locals, Cell{0});
    ip = code + function.entry;
    if constexpr (profiling) {
        settle();
        allot();
        if (instance == state.root) state.enter_profile(target->function);
    }
    CHARGE(function.cost);
    GO;
}

call_host : {
    settle();
    const HostEnd ended =
        call_host_function(*instance, *target, r + window, state.fuel_left, trap_text);
    look_at_memory();
    allot();
    if (ended.answer == HostAnswer::yield) return leave(Outcome::yielded);
    if (ended.failed) TRAP(host);
    FEE(ended.fee);
    if (ip == nullptr)
        return leave(Outcome::returned); // the invoked function itself was the host's
    const u64 cost_after = ip->y;
    ++ip;
    CHARGE(cost_after);
    GO;
}

op_ret_imm:
    r[0] = ip->imm64();
    goto op_ret;
op_ret_reg:
    r[0] = R(b);
op_ret : {
    const CallFrame frame = state.frames.back();
    state.frames.pop_back();
    if constexpr (profiling) {
        settle();
        allot();
        if (instance == state.root) state.leave_profile(frame);
    }
    state.function = frame.function;
    if (frame.call == nullptr) {
        ip = nullptr;
        return leave(Outcome::returned);
    }
    if (frame.instance != instance) [[unlikely]] {
        instance = frame.instance;
        code = instance->program().code.data();
        functions = instance->program().functions.data();
        look_at_memory();
    }
    r = cells + frame.base;
    ip = frame.call;
    const u64 cost_after = ip->y;
    ++ip;
    CHARGE(cost_after);
    GO;
}

short_of:
    settle();
    if (state.fuel_left < state.pending_cost) {
        note_cost(0 - std::exchange(state.pending_cost, 0)); // noted, but never charged
        TRAP(out_of_fuel);
    }
    if (limits.stop.stop_requested()) {
        note_cost(0 - std::exchange(state.pending_cost, 0));
        TRAP(cancelled);
    }
    if (state.slice_left < state.pending_cost) return leave(Outcome::paused);
    allot();
    remaining -= std::exchange(state.pending_cost, 0);
    GO;

trapped:
    return leave(Outcome::trapped);
}

} // namespace

LoopResult run_loop(Interpreter::State& state, const RunLimits& limits) {
    return state.profile != nullptr ? loop<true>(state, limits) : loop<false>(state, limits);
}

} // namespace blockloom::wasm
