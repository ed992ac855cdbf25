#include "gpuvm/encode.h"

#include "gpuvm/codes.h"
#include "gpuvm/ejection.h"

namespace blockloom::gpuvm {
namespace {

using wasm::Instruction;
using wasm::Opcode;

constexpr std::uint32_t variant(std::uint32_t number) {
    return number << GPUVM_VARIANT_SHIFT;
}

/// Operation and flags with the fields as they are.
DeviceWord word(std::uint32_t operation, const Instruction& i) {
    return {operation | std::uint32_t{i.b} << 16, i.a | std::uint32_t{i.c} << 16, i.x, i.y};
}

DeviceWord ejection(Ejection why) {
    return {GPUVM_OP_EJECT, 0, static_cast<std::uint32_t>(why), 0};
}

/// eq, ne, lt_s, lt_u, gt_s, gt_u, le_s, le_u, ge_s, ge_u.
constexpr std::uint32_t comparisons[] = {
    GPUVM_EQUAL,
    GPUVM_LESS | GPUVM_GREATER,
    GPUVM_LESS | GPUVM_SIGNED,
    GPUVM_LESS,
    GPUVM_GREATER | GPUVM_SIGNED,
    GPUVM_GREATER,
    GPUVM_LESS | GPUVM_EQUAL | GPUVM_SIGNED,
    GPUVM_LESS | GPUVM_EQUAL,
    GPUVM_GREATER | GPUVM_EQUAL | GPUVM_SIGNED,
    GPUVM_GREATER | GPUVM_EQUAL,
};

/// add, sub, mul, div_s, div_u, rem_s, rem_u, and, or, xor, shl, shr_s, shr_u, rotl, rotr.
struct Arithmetic {
    std::uint32_t narrow, wide;
};
constexpr std::uint32_t wide_operation(std::uint32_t operation) {
    return GPUVM_OP_ARITHMETIC64 | variant(operation);
}
constexpr Arithmetic division(std::uint32_t kind) {
    return {GPUVM_OP_DIVIDE | variant(kind), GPUVM_OP_DIVIDE | variant(kind | 4)};
}
constexpr Arithmetic arithmetic[] = {
    {GPUVM_OP_ADD32, wide_operation(GPUVM_ADD)},
    {GPUVM_OP_SUB32, wide_operation(GPUVM_SUB)},
    {GPUVM_OP_MUL32, wide_operation(GPUVM_MUL)},
    division(1),
    division(0),
    division(3),
    division(2),
    {GPUVM_OP_AND32, wide_operation(GPUVM_AND)},
    {GPUVM_OP_OR32, wide_operation(GPUVM_OR)},
    {GPUVM_OP_XOR32, wide_operation(GPUVM_XOR)},
    {GPUVM_OP_SHL32, wide_operation(GPUVM_SHL)},
    {GPUVM_OP_SHRS32, wide_operation(GPUVM_SHRS)},
    {GPUVM_OP_SHRU32, wide_operation(GPUVM_SHRU)},
    {GPUVM_OP_ROTL32, wide_operation(GPUVM_ROTL)},
    {GPUVM_OP_ROTR32, wide_operation(GPUVM_ROTR)},
};

/// From i32_add_rr on: 15 operations and 10 comparisons, each with a register and a constant, for
/// 32 and then for 64 bits.
DeviceWord binary(const Instruction& i) {
    const std::uint32_t number = i.op - static_cast<std::uint32_t>(Opcode::i32_add_rr);
    const std::uint32_t which = number / 2 % 25;
    const bool wide = number >= 50;
    std::uint32_t operation = 0;
    if (which < 15)
        operation = wide ? arithmetic[which].wide : arithmetic[which].narrow;
    else
        operation = (wide ? GPUVM_OP_COMPARE64 : GPUVM_OP_COMPARE32) | comparisons[which - 15];
    DeviceWord result = word(operation | (number % 2 != 0 ? GPUVM_IMMEDIATE : 0), i);
    if (operation == GPUVM_OP_ROTR32 && number % 2 != 0) {
        result[0] = (result[0] & ~0xffu) | GPUVM_OP_ROTL32;
        result[2] = (32 - (i.x & 31)) & 31;
    }
    return result;
}

/// From br_i32_eq_rr on: 10 comparisons, likewise.
DeviceWord compare_and_branch(const Instruction& i) {
    const std::uint32_t number = i.op - static_cast<std::uint32_t>(Opcode::br_i32_eq_rr);
    DeviceWord result =
        word((number >= 20 ? GPUVM_OP_BRANCH64 : GPUVM_OP_BRANCH32) | comparisons[number / 2 % 10] |
                 (number % 2 != 0 ? GPUVM_IMMEDIATE : 0),
             i);
    if (number % 2 != 0) result[1] = static_cast<std::uint32_t>(i.ac);
    return result;
}

/// The contents of the callee's header are stored in the call itself if they fit.
DeviceWord call(const Instruction& i, const wasm::Program& program, const Places& places,
                std::span<const std::uint32_t> moved) {
    const wasm::ProgramFunction& callee = program.functions[i.x];
    DeviceWord result = word(GPUVM_OP_CALL | GPUVM_IMMEDIATE, i);
    if (callee.cells > 0xffff || callee.cost > 0xffff || callee.locals > 0xff ||
        callee.parameters > 0xffff || i.y > 0xffff) {
        result[0] |= GPUVM_FAR;
        result[2] = places.headers + i.x;
        return result;
    }
    result[1] = callee.cells | callee.cost << 16;
    result[2] = (places.code + moved[callee.entry]) | callee.locals << 24;
    result[3] = i.y | callee.parameters << 16;
    return result;
}

DeviceWord call_import(const Instruction& i, const wasm::Program& program, const Places& places) {
    const wasm::ProgramFunction& callee = program.functions[i.x];
    if (callee.parameters > GPUVM_EXCHANGE_CELLS || callee.results > GPUVM_EXCHANGE_CELLS)
        return ejection(Ejection::signature);
    DeviceWord result = word(GPUVM_OP_CALL_IMPORT | GPUVM_IMMEDIATE, i);
    result[2] = places.rules + i.x * GPUVM_RULE_WORDS;
    return result;
}

/// log2 of the bytes, and 4 or 8 where the sign is extended to 32 or 64 bits.
std::uint32_t load_variant(Opcode op) {
    switch (op) {
    case Opcode::i32_load8_s:
        return 0 | 4;
    case Opcode::i32_load8_u:
        return 0;
    case Opcode::i32_load16_s:
        return 1 | 4;
    case Opcode::i32_load16_u:
        return 1;
    case Opcode::i32_load:
        return 2;
    case Opcode::i64_load8_s:
        return 0 | 8;
    case Opcode::i64_load16_s:
        return 1 | 8;
    case Opcode::i64_load32_s:
        return 2 | 8;
    default:
        return 3;
    }
}

std::uint32_t unary_variant(Opcode op) {
    switch (op) {
    case Opcode::i32_clz:
        return GPUVM_CLZ32;
    case Opcode::i32_ctz:
        return GPUVM_CTZ32;
    case Opcode::i32_popcnt:
        return GPUVM_POPCNT32;
    case Opcode::i32_extend8_s:
        return GPUVM_EXTEND8_32;
    case Opcode::i32_extend16_s:
        return GPUVM_EXTEND16_32;
    case Opcode::i64_clz:
        return GPUVM_CLZ64;
    case Opcode::i64_ctz:
        return GPUVM_CTZ64;
    case Opcode::i64_popcnt:
        return GPUVM_POPCNT64;
    case Opcode::i64_extend8_s:
        return GPUVM_EXTEND8_64;
    case Opcode::i64_extend16_s:
        return GPUVM_EXTEND16_64;
    case Opcode::i64_extend32_s:
    case Opcode::i64_extend_i32_s:
        return GPUVM_EXTEND32_64;
    case Opcode::i32_wrap_i64:
        return GPUVM_WRAP;
    default:
        return GPUVM_EQZ;
    }
}

DeviceWord control(const Instruction& i, const wasm::Program& program, const Places& places,
                   std::span<const std::uint32_t> moved, std::uint32_t place, std::uint32_t flags) {
    DeviceWord result{};
    switch (static_cast<Opcode>(i.op)) {
    case Opcode::charge:
        // A branch to the next instruction.
        return {GPUVM_OP_BRANCH | GPUVM_IMMEDIATE, 0, place + 1, i.x};
    case Opcode::mov:
        return word(GPUVM_OP_MOV | GPUVM_IMMEDIATE, i);
    case Opcode::constant:
        return word(GPUVM_OP_CONSTANT | GPUVM_IMMEDIATE, i);
    case Opcode::select:
        return word(GPUVM_OP_SELECT, i);
    case Opcode::br_if_zero:
    case Opcode::br_if_nonzero:
        return word(GPUVM_OP_BRANCH_ZERO | GPUVM_IMMEDIATE | flags |
                        variant(static_cast<Opcode>(i.op) == Opcode::br_if_nonzero ? 1 : 0),
                    i);
    case Opcode::br:
        return word(GPUVM_OP_BRANCH | GPUVM_IMMEDIATE, i);
    case Opcode::br_table:
        result = word(GPUVM_OP_BRANCH_TABLE | GPUVM_IMMEDIATE, i);
        result[2] = places.branch_targets + 2 * i.x;
        return result;
    case Opcode::call:
        return call(i, program, places, moved);
    case Opcode::call_import:
        return call_import(i, program, places);
    case Opcode::call_indirect:
        return word(GPUVM_OP_CALL_INDIRECT, i);
    case Opcode::ret:
        return word(GPUVM_OP_RETURN | GPUVM_IMMEDIATE, i);
    case Opcode::ret_reg:
        return word(GPUVM_OP_RETURN | GPUVM_IMMEDIATE | variant(1) | flags, i);
    case Opcode::ret_imm:
        return word(GPUVM_OP_RETURN | variant(2) | GPUVM_IMMEDIATE, i);
    case Opcode::trap:
        return word(GPUVM_OP_TRAP | GPUVM_IMMEDIATE, i);
    case Opcode::global_get:
        return word(GPUVM_OP_GLOBAL_GET | GPUVM_IMMEDIATE, i);
    case Opcode::global_set:
        return word(GPUVM_OP_GLOBAL_SET | GPUVM_IMMEDIATE, i);
    case Opcode::memory_size:
        return word(GPUVM_OP_MEMORY_SIZE | GPUVM_IMMEDIATE, i);
    case Opcode::memory_grow:
        result = word(GPUVM_OP_MEMORY_GROW | GPUVM_IMMEDIATE, i);
        result[2] = static_cast<std::uint32_t>(
            wasm::bulk_fee(program.fuel, Opcode::memory_grow, 1)); // a page
        return result;
    case Opcode::memory_copy:
        return word(GPUVM_OP_BULK | variant(GPUVM_COPY), i);
    case Opcode::memory_fill:
        return word(GPUVM_OP_BULK | variant(GPUVM_FILL), i);
    case Opcode::memory_init:
        return word(GPUVM_OP_BULK | variant(GPUVM_INIT), i);
    case Opcode::data_drop:
        return word(GPUVM_OP_DATA_DROP | GPUVM_IMMEDIATE, i);
    case Opcode::table_get:
        return word(GPUVM_OP_TABLE | variant(0), i);
    case Opcode::table_size:
        return word(GPUVM_OP_TABLE | variant(1), i);
    case Opcode::ref_func:
        return word(GPUVM_OP_TABLE | variant(2), i);
    default:
        return ejection(Ejection::tables);
    }
}

} // namespace

DeviceWord encode(const Line& line, const wasm::Program& program, const Places& places,
                  std::span<const std::uint32_t> moved, std::uint32_t place) {
    Instruction i = line.instruction;
    const auto op = static_cast<Opcode>(i.op);
    const auto between = [op](Opcode first, Opcode last) { return first <= op && op <= last; };
    if (between(Opcode::i32_add_rr, Opcode::i64_ge_u_ri)) return binary(i);
    const wasm::Format format = wasm::format_of(op);
    if (format == wasm::Format::compare_rr || format == wasm::Format::compare_ri ||
        format == wasm::Format::branch_if || format == wasm::Format::branch)
        i.x = places.code + moved[i.x];
    if (between(Opcode::br_i32_eq_rr, Opcode::br_i64_ge_u_ri)) return compare_and_branch(i);
    if (between(Opcode::i32_load8_s, Opcode::i64_load)) {
        i.y = line.mask;
        return word(GPUVM_OP_LOAD | variant(load_variant(op)) | line.flags, i);
    }
    if (between(Opcode::store8, Opcode::store64_imm)) {
        const std::uint32_t number = i.op - static_cast<std::uint32_t>(Opcode::store8);
        return word(GPUVM_OP_STORE | variant(number / 2) | line.flags |
                        (number % 2 != 0 ? GPUVM_IMMEDIATE : 0),
                    i);
    }
    if (between(Opcode::f32_abs, Opcode::f64_promote_f32) ||
        between(Opcode::f32_add, Opcode::f64_ge))
        return ejection(Ejection::floats);
    if (between(Opcode::i32_clz, Opcode::ref_is_null))
        return word(GPUVM_OP_UNARY | GPUVM_IMMEDIATE | variant(unary_variant(op)), i);
    return control(i, program, places, moved, place, line.flags);
}

} // namespace blockloom::gpuvm
