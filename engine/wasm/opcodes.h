// Every opcode of the register program, listed once: engines, printer and docs are generated from
// this list.
#pragma once

#include <cstdint>

namespace blockloom::wasm {

/// Which fields an instruction uses (docs/register-program.md). Registers are written ra, rb, rc.
enum class Format : std::uint8_t {
    none,
    ra_rb,        ///< ra = op(rb)
    ra_rb_rc,     ///< ra = op(rb, rc)
    ra_rb_imm,    ///< ra = op(rb, imm64)
    ra_imm,       ///< ra = imm64
    load,         ///< ra = memory[rb + x]
    store,        ///< memory[rb + x] = rc
    store_imm,    ///< memory[rb + x] = sign-extended y
    compare_rr,   ///< if op(rb, rc) goto x; y: costs (low half: block at x, high half: block after)
    compare_ri,   ///< if op(rb, sign-extended ac) goto x; y: costs
    branch_if,    ///< on rb; x, y as above
    branch,       ///< goto x; y: its cost
    branch_table, ///< on rb; branch_targets[x …], y targets and the default after them
    call,         ///< function x, window rb, y: cost of the block after
    call_indirect, ///< table ra, element rc, type x, window rb, y: cost of the block after
    return_reg,    ///< r0 = rb, return
    return_imm,    ///< r0 = imm64, return
    select,        ///< ra = r[x] != 0 ? rb : rc
    charge,        ///< x: cost of the block that begins here
    trap,          ///< x: TrapKind
    global_get,    ///< ra = globals[x]
    global_set,    ///< globals[x] = rb
    index,         ///< x (data.drop, elem.drop)
    bulk,          ///< ra, rb, rc operands; x, y indices (low 24 bits of y) ; see the doc
};

// clang-format off

#define BLOCKLOOM_WASM_INTEGER_BINARY(X) \
    X(i32_add_rr, ra_rb_rc) \
    X(i32_add_ri, ra_rb_imm) \
    X(i32_sub_rr, ra_rb_rc) \
    X(i32_sub_ri, ra_rb_imm) \
    X(i32_mul_rr, ra_rb_rc) \
    X(i32_mul_ri, ra_rb_imm) \
    X(i32_div_s_rr, ra_rb_rc) \
    X(i32_div_s_ri, ra_rb_imm) \
    X(i32_div_u_rr, ra_rb_rc) \
    X(i32_div_u_ri, ra_rb_imm) \
    X(i32_rem_s_rr, ra_rb_rc) \
    X(i32_rem_s_ri, ra_rb_imm) \
    X(i32_rem_u_rr, ra_rb_rc) \
    X(i32_rem_u_ri, ra_rb_imm) \
    X(i32_and_rr, ra_rb_rc) \
    X(i32_and_ri, ra_rb_imm) \
    X(i32_or_rr, ra_rb_rc) \
    X(i32_or_ri, ra_rb_imm) \
    X(i32_xor_rr, ra_rb_rc) \
    X(i32_xor_ri, ra_rb_imm) \
    X(i32_shl_rr, ra_rb_rc) \
    X(i32_shl_ri, ra_rb_imm) \
    X(i32_shr_s_rr, ra_rb_rc) \
    X(i32_shr_s_ri, ra_rb_imm) \
    X(i32_shr_u_rr, ra_rb_rc) \
    X(i32_shr_u_ri, ra_rb_imm) \
    X(i32_rotl_rr, ra_rb_rc) \
    X(i32_rotl_ri, ra_rb_imm) \
    X(i32_rotr_rr, ra_rb_rc) \
    X(i32_rotr_ri, ra_rb_imm) \
    X(i32_eq_rr, ra_rb_rc) \
    X(i32_eq_ri, ra_rb_imm) \
    X(i32_ne_rr, ra_rb_rc) \
    X(i32_ne_ri, ra_rb_imm) \
    X(i32_lt_s_rr, ra_rb_rc) \
    X(i32_lt_s_ri, ra_rb_imm) \
    X(i32_lt_u_rr, ra_rb_rc) \
    X(i32_lt_u_ri, ra_rb_imm) \
    X(i32_gt_s_rr, ra_rb_rc) \
    X(i32_gt_s_ri, ra_rb_imm) \
    X(i32_gt_u_rr, ra_rb_rc) \
    X(i32_gt_u_ri, ra_rb_imm) \
    X(i32_le_s_rr, ra_rb_rc) \
    X(i32_le_s_ri, ra_rb_imm) \
    X(i32_le_u_rr, ra_rb_rc) \
    X(i32_le_u_ri, ra_rb_imm) \
    X(i32_ge_s_rr, ra_rb_rc) \
    X(i32_ge_s_ri, ra_rb_imm) \
    X(i32_ge_u_rr, ra_rb_rc) \
    X(i32_ge_u_ri, ra_rb_imm) \
    X(i64_add_rr, ra_rb_rc) \
    X(i64_add_ri, ra_rb_imm) \
    X(i64_sub_rr, ra_rb_rc) \
    X(i64_sub_ri, ra_rb_imm) \
    X(i64_mul_rr, ra_rb_rc) \
    X(i64_mul_ri, ra_rb_imm) \
    X(i64_div_s_rr, ra_rb_rc) \
    X(i64_div_s_ri, ra_rb_imm) \
    X(i64_div_u_rr, ra_rb_rc) \
    X(i64_div_u_ri, ra_rb_imm) \
    X(i64_rem_s_rr, ra_rb_rc) \
    X(i64_rem_s_ri, ra_rb_imm) \
    X(i64_rem_u_rr, ra_rb_rc) \
    X(i64_rem_u_ri, ra_rb_imm) \
    X(i64_and_rr, ra_rb_rc) \
    X(i64_and_ri, ra_rb_imm) \
    X(i64_or_rr, ra_rb_rc) \
    X(i64_or_ri, ra_rb_imm) \
    X(i64_xor_rr, ra_rb_rc) \
    X(i64_xor_ri, ra_rb_imm) \
    X(i64_shl_rr, ra_rb_rc) \
    X(i64_shl_ri, ra_rb_imm) \
    X(i64_shr_s_rr, ra_rb_rc) \
    X(i64_shr_s_ri, ra_rb_imm) \
    X(i64_shr_u_rr, ra_rb_rc) \
    X(i64_shr_u_ri, ra_rb_imm) \
    X(i64_rotl_rr, ra_rb_rc) \
    X(i64_rotl_ri, ra_rb_imm) \
    X(i64_rotr_rr, ra_rb_rc) \
    X(i64_rotr_ri, ra_rb_imm) \
    X(i64_eq_rr, ra_rb_rc) \
    X(i64_eq_ri, ra_rb_imm) \
    X(i64_ne_rr, ra_rb_rc) \
    X(i64_ne_ri, ra_rb_imm) \
    X(i64_lt_s_rr, ra_rb_rc) \
    X(i64_lt_s_ri, ra_rb_imm) \
    X(i64_lt_u_rr, ra_rb_rc) \
    X(i64_lt_u_ri, ra_rb_imm) \
    X(i64_gt_s_rr, ra_rb_rc) \
    X(i64_gt_s_ri, ra_rb_imm) \
    X(i64_gt_u_rr, ra_rb_rc) \
    X(i64_gt_u_ri, ra_rb_imm) \
    X(i64_le_s_rr, ra_rb_rc) \
    X(i64_le_s_ri, ra_rb_imm) \
    X(i64_le_u_rr, ra_rb_rc) \
    X(i64_le_u_ri, ra_rb_imm) \
    X(i64_ge_s_rr, ra_rb_rc) \
    X(i64_ge_s_ri, ra_rb_imm) \
    X(i64_ge_u_rr, ra_rb_rc) \
    X(i64_ge_u_ri, ra_rb_imm)

#define BLOCKLOOM_WASM_FLOAT_BINARY(X) \
    X(f32_add, ra_rb_rc) \
    X(f32_sub, ra_rb_rc) \
    X(f32_mul, ra_rb_rc) \
    X(f32_div, ra_rb_rc) \
    X(f32_min, ra_rb_rc) \
    X(f32_max, ra_rb_rc) \
    X(f32_copysign, ra_rb_rc) \
    X(f32_eq, ra_rb_rc) \
    X(f32_ne, ra_rb_rc) \
    X(f32_lt, ra_rb_rc) \
    X(f32_gt, ra_rb_rc) \
    X(f32_le, ra_rb_rc) \
    X(f32_ge, ra_rb_rc) \
    X(f64_add, ra_rb_rc) \
    X(f64_sub, ra_rb_rc) \
    X(f64_mul, ra_rb_rc) \
    X(f64_div, ra_rb_rc) \
    X(f64_min, ra_rb_rc) \
    X(f64_max, ra_rb_rc) \
    X(f64_copysign, ra_rb_rc) \
    X(f64_eq, ra_rb_rc) \
    X(f64_ne, ra_rb_rc) \
    X(f64_lt, ra_rb_rc) \
    X(f64_gt, ra_rb_rc) \
    X(f64_le, ra_rb_rc) \
    X(f64_ge, ra_rb_rc)

#define BLOCKLOOM_WASM_UNARY(X) \
    X(i32_clz, ra_rb) \
    X(i32_ctz, ra_rb) \
    X(i32_popcnt, ra_rb) \
    X(i32_eqz, ra_rb) \
    X(i32_extend8_s, ra_rb) \
    X(i32_extend16_s, ra_rb) \
    X(i64_clz, ra_rb) \
    X(i64_ctz, ra_rb) \
    X(i64_popcnt, ra_rb) \
    X(i64_eqz, ra_rb) \
    X(i64_extend8_s, ra_rb) \
    X(i64_extend16_s, ra_rb) \
    X(i64_extend32_s, ra_rb) \
    X(i32_wrap_i64, ra_rb) \
    X(i64_extend_i32_s, ra_rb) \
    X(f32_abs, ra_rb) \
    X(f32_neg, ra_rb) \
    X(f32_ceil, ra_rb) \
    X(f32_floor, ra_rb) \
    X(f32_trunc, ra_rb) \
    X(f32_nearest, ra_rb) \
    X(f32_sqrt, ra_rb) \
    X(f64_abs, ra_rb) \
    X(f64_neg, ra_rb) \
    X(f64_ceil, ra_rb) \
    X(f64_floor, ra_rb) \
    X(f64_trunc, ra_rb) \
    X(f64_nearest, ra_rb) \
    X(f64_sqrt, ra_rb) \
    X(i32_trunc_f32_s, ra_rb) \
    X(i32_trunc_sat_f32_s, ra_rb) \
    X(f32_convert_i32_s, ra_rb) \
    X(i32_trunc_f32_u, ra_rb) \
    X(i32_trunc_sat_f32_u, ra_rb) \
    X(f32_convert_i32_u, ra_rb) \
    X(i32_trunc_f64_s, ra_rb) \
    X(i32_trunc_sat_f64_s, ra_rb) \
    X(f64_convert_i32_s, ra_rb) \
    X(i32_trunc_f64_u, ra_rb) \
    X(i32_trunc_sat_f64_u, ra_rb) \
    X(f64_convert_i32_u, ra_rb) \
    X(i64_trunc_f32_s, ra_rb) \
    X(i64_trunc_sat_f32_s, ra_rb) \
    X(f32_convert_i64_s, ra_rb) \
    X(i64_trunc_f32_u, ra_rb) \
    X(i64_trunc_sat_f32_u, ra_rb) \
    X(f32_convert_i64_u, ra_rb) \
    X(i64_trunc_f64_s, ra_rb) \
    X(i64_trunc_sat_f64_s, ra_rb) \
    X(f64_convert_i64_s, ra_rb) \
    X(i64_trunc_f64_u, ra_rb) \
    X(i64_trunc_sat_f64_u, ra_rb) \
    X(f64_convert_i64_u, ra_rb) \
    X(f32_demote_f64, ra_rb) \
    X(f64_promote_f32, ra_rb) \
    X(ref_is_null, ra_rb)

#define BLOCKLOOM_WASM_LOAD(X) \
    X(i32_load8_s, load) \
    X(i32_load8_u, load) \
    X(i32_load16_s, load) \
    X(i32_load16_u, load) \
    X(i32_load, load) \
    X(i64_load8_s, load) \
    X(i64_load16_s, load) \
    X(i64_load32_s, load) \
    X(i64_load, load)

#define BLOCKLOOM_WASM_STORE(X) \
    X(store8, store) \
    X(store8_imm, store_imm) \
    X(store16, store) \
    X(store16_imm, store_imm) \
    X(store32, store) \
    X(store32_imm, store_imm) \
    X(store64, store) \
    X(store64_imm, store_imm)

#define BLOCKLOOM_WASM_BRANCH(X) \
    X(br_i32_eq_rr, compare_rr) \
    X(br_i32_eq_ri, compare_ri) \
    X(br_i32_ne_rr, compare_rr) \
    X(br_i32_ne_ri, compare_ri) \
    X(br_i32_lt_s_rr, compare_rr) \
    X(br_i32_lt_s_ri, compare_ri) \
    X(br_i32_lt_u_rr, compare_rr) \
    X(br_i32_lt_u_ri, compare_ri) \
    X(br_i32_gt_s_rr, compare_rr) \
    X(br_i32_gt_s_ri, compare_ri) \
    X(br_i32_gt_u_rr, compare_rr) \
    X(br_i32_gt_u_ri, compare_ri) \
    X(br_i32_le_s_rr, compare_rr) \
    X(br_i32_le_s_ri, compare_ri) \
    X(br_i32_le_u_rr, compare_rr) \
    X(br_i32_le_u_ri, compare_ri) \
    X(br_i32_ge_s_rr, compare_rr) \
    X(br_i32_ge_s_ri, compare_ri) \
    X(br_i32_ge_u_rr, compare_rr) \
    X(br_i32_ge_u_ri, compare_ri) \
    X(br_i64_eq_rr, compare_rr) \
    X(br_i64_eq_ri, compare_ri) \
    X(br_i64_ne_rr, compare_rr) \
    X(br_i64_ne_ri, compare_ri) \
    X(br_i64_lt_s_rr, compare_rr) \
    X(br_i64_lt_s_ri, compare_ri) \
    X(br_i64_lt_u_rr, compare_rr) \
    X(br_i64_lt_u_ri, compare_ri) \
    X(br_i64_gt_s_rr, compare_rr) \
    X(br_i64_gt_s_ri, compare_ri) \
    X(br_i64_gt_u_rr, compare_rr) \
    X(br_i64_gt_u_ri, compare_ri) \
    X(br_i64_le_s_rr, compare_rr) \
    X(br_i64_le_s_ri, compare_ri) \
    X(br_i64_le_u_rr, compare_rr) \
    X(br_i64_le_u_ri, compare_ri) \
    X(br_i64_ge_s_rr, compare_rr) \
    X(br_i64_ge_s_ri, compare_ri) \
    X(br_i64_ge_u_rr, compare_rr) \
    X(br_i64_ge_u_ri, compare_ri) \
    X(br_if_zero, branch_if) \
    X(br_if_nonzero, branch_if) \
    X(br, branch) \
    X(br_table, branch_table)

#define BLOCKLOOM_WASM_CONTROL(X) \
    X(charge, charge) \
    X(mov, ra_rb) \
    X(constant, ra_imm) \
    X(select, select) \
    X(call, call) \
    X(call_import, call) \
    X(call_indirect, call_indirect) \
    X(ret, none) \
    X(ret_reg, return_reg) \
    X(ret_imm, return_imm) \
    X(trap, trap) \
    X(global_get, global_get) \
    X(global_set, global_set) \
    X(memory_size, ra_rb) \
    X(memory_grow, bulk) \
    X(memory_copy, bulk) \
    X(memory_fill, bulk) \
    X(memory_init, bulk) \
    X(data_drop, index) \
    X(table_get, bulk) \
    X(table_set, bulk) \
    X(table_size, bulk) \
    X(table_grow, bulk) \
    X(table_fill, bulk) \
    X(table_copy, bulk) \
    X(table_init, bulk) \
    X(elem_drop, index) \
    X(ref_func, bulk)

#define BLOCKLOOM_WASM_OPCODES(X) \
    BLOCKLOOM_WASM_CONTROL(X) \
    BLOCKLOOM_WASM_BRANCH(X) \
    BLOCKLOOM_WASM_INTEGER_BINARY(X) \
    BLOCKLOOM_WASM_UNARY(X) \
    BLOCKLOOM_WASM_LOAD(X) \
    BLOCKLOOM_WASM_STORE(X) \
    BLOCKLOOM_WASM_FLOAT_BINARY(X)
// clang-format on

/// i32 and f32 cells are zero-extended, so i64.load32_u is i32_load, f32.load is i32_load, f64.load
/// is i64_load, i64.extend_i32_u and the reinterpretations are mov.
enum class Opcode : std::uint16_t {
#define BLOCKLOOM_WASM_ENUM(name, format) name,
    BLOCKLOOM_WASM_OPCODES(BLOCKLOOM_WASM_ENUM)
#undef BLOCKLOOM_WASM_ENUM
        count
};

[[nodiscard]] const char* name_of(Opcode opcode) noexcept;
[[nodiscard]] Format format_of(Opcode opcode) noexcept;

} // namespace blockloom::wasm
