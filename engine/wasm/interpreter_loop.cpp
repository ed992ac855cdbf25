// The interpreter's loop: threaded dispatch over the register program. What each instruction does
// stands in docs/register-program.md; the macros only keep 230 cases readable.
#include "wasm/interpreter_state.h"
#include "wasm/numeric.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace blockloom::wasm {
namespace {

using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;
using Next = Interpreter::State::Next;

template <typename To, typename From> Cell sign_extended(From value) {
    return static_cast<std::make_unsigned_t<To>>(static_cast<To>(value));
}

struct MemoryView {
    Byte *data = nullptr, *dirty = nullptr;
    u64 size = 0;
};
MemoryView view_of(const Interpreter::State& state) {
    const auto& memory = state.instance->state().memory;
    return memory ? MemoryView{memory->data(), memory->dirty(), memory->size()} : MemoryView{};
}

/// The callee of an indirect call where it is of the same instance, which is the usual case; all
/// others are State::call_indirect's.
std::optional<u32> own_callee(const Interpreter::State& state, const Instruction& call,
                              Cell element) {
    const std::vector<Cell>& table = state.instance->state().tables[call.a]->cells;
    if (element >= table.size()) return std::nullopt;
    const FunctionReference* found = referenced(table[element]);
    if (found == nullptr || found->instance != state.instance || found->canonical_type != call.x)
        return std::nullopt;
    return found->function;
}

#include "wasm/interpreter_ops.h"

/// Keeps its own values in registers of the machine: whatever would need many of them, or
/// destructors, is left to State's services, between SETTLE and TAKE_UP.
template <bool profiling> Next loop(Interpreter::State& state, const RunLimits& limits) {
    static const void* const labels[] = {BLOCKLOOM_WASM_OPCODES(LABEL)};
    using f32_type = float;
    using f64_type = double;

    const Instruction* code = nullptr;
    const Instruction* ip = nullptr;
    Cell* r = nullptr;
    Byte* memory = nullptr;
    Byte* dirty = nullptr;
    u64 memory_size = 0, remaining = 0;
    TrapKind trap = TrapKind::none;
    Next next = Next::run;
    u32 callee = 0;

    if (state.at == nullptr) {
        next = state.enter(state.instance->state().functions[state.function], 0);
        if (next != Next::run) return next;
    }
go_on:
    TAKE_UP;
    if (state.pending_cost > remaining) goto short_of;
    remaining -= std::exchange(state.pending_cost, 0);
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
    R(a) = *state.globals[ip->x];
    NEXT;
op_global_set:
    *state.globals[ip->x] = R(b);
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
    const BranchTarget& to = state.branch_targets[ip->x + way];
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
op_memory_copy:
op_memory_fill:
op_memory_init:
op_data_drop:
op_elem_drop:
op_table_get:
op_table_set:
op_table_size:
op_table_grow:
op_table_fill:
op_table_copy:
op_table_init:
op_ref_func:
    SETTLE;
    if (!state.execute()) return Next::trapped;
    TAKE_UP;
    NEXT;

op_call_indirect:
    if (const std::optional<u32> found = own_callee(state, *ip, R(c)); found && !profiling)
        [[likely]] {
        callee = *found;
        goto enter_callee;
    }
    SETTLE;
    next = state.call_indirect();
    goto after_service;
op_call:
    callee = ip->x;
enter_callee : {
    const ProgramFunction& function = state.functions[callee];
    Cell* const window = r + ip->b;
    if (profiling || state.depth >= state.room || window + function.cells > state.cells_end)
        [[unlikely]] {
        SETTLE;
        next = state.enter(state.instance->state().functions[callee], ip->b);
        goto after_service;
    }
    CallFrame& frame = state.frames[state.depth++];
    frame.instance = state.instance;
    frame.call = ip;
    frame.base = static_cast<u32>(r - state.cells);
    frame.function = std::exchange(state.function, callee);
    r = window;
    for (Cell *cell = r + function.parameters, *end = cell + function.locals; cell != end; ++cell)
        *cell = 0;
    ip = code + function.entry;
    CHARGE(function.cost);
    GO;
}
op_call_import:
    SETTLE;
    next = state.enter(state.instance->state().functions[ip->x], ip->b);
    goto after_service;
op_ret_imm:
    r[0] = ip->imm64();
    goto op_ret;
op_ret_reg:
    r[0] = R(b);
op_ret : {
    const CallFrame& frame = state.frames[state.depth - 1];
    if (profiling || frame.call == nullptr || frame.instance != state.instance) [[unlikely]] {
        SETTLE;
        next = state.leave_function();
        goto after_service;
    }
    --state.depth;
    state.function = frame.function;
    r = state.cells + frame.base;
    ip = frame.call;
    const u64 cost_after = ip->y;
    ++ip;
    CHARGE(cost_after);
    GO;
}

short_of:
    SETTLE;
    next = state.refuel(limits.stop);
after_service:
    if (next != Next::run) return next;
    goto go_on;

trapped:
    SETTLE;
    return state.fail(trap);
}

Outcome outcome_of(Next end) {
    switch (end) {
    case Next::returned:
        return Outcome::returned;
    case Next::yielded:
        return Outcome::yielded;
    case Next::paused:
        return Outcome::paused;
    default:
        return Outcome::trapped;
    }
}

} // namespace

LoopResult run_loop(Interpreter::State& state, const RunLimits& limits) {
    state.use(*state.instance);
    const Next end =
        state.profile != nullptr ? loop<true>(state, limits) : loop<false>(state, limits);
    LoopResult result;
    result.outcome = outcome_of(end);
    if (result.outcome == Outcome::trapped) {
        const Program& program = state.instance->program();
        result.trap.kind = state.trap;
        result.trap.function = state.function;
        result.trap.text = std::exchange(state.trap_text, {});
        if (state.at != nullptr)
            result.trap.offset =
                program.offset[static_cast<std::size_t>(state.at - program.code.data())];
    }
    return result;
}

} // namespace blockloom::wasm
