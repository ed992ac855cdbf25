#include "native/accesses.h"

#include "wasm/opcode_map.h"

namespace blockloom::native {

using wasm::Format;
using wasm::Instruction;
using wasm::Opcode;

namespace {

std::uint32_t bytes_of(Opcode op) {
    switch (op) {
    case Opcode::i32_load8_s:
    case Opcode::i32_load8_u:
    case Opcode::i64_load8_s:
    case Opcode::store8:
    case Opcode::store8_imm:
        return 1;
    case Opcode::i32_load16_s:
    case Opcode::i32_load16_u:
    case Opcode::i64_load16_s:
    case Opcode::store16:
    case Opcode::store16_imm:
        return 2;
    case Opcode::i32_load:
    case Opcode::i64_load32_s:
    case Opcode::store32:
    case Opcode::store32_imm:
        return 4;
    default:
        return 8;
    }
}

} // namespace

std::optional<Access> access_of(const Instruction& i) {
    const auto op = static_cast<Opcode>(i.op);
    const Format format = format_of(op);
    if (format != Format::load && format != Format::store && format != Format::store_imm)
        return std::nullopt;
    return Access{i.b, bytes_of(op), i.x, format != Format::load};
}

std::optional<std::uint32_t> written_by(const Instruction& i) {
    const auto op = static_cast<Opcode>(i.op);
    switch (format_of(op)) {
    case Format::ra_rb:
    case Format::ra_rb_rc:
    case Format::ra_rb_imm:
    case Format::ra_imm:
    case Format::load:
    case Format::select:
    case Format::global_get:
        return i.a;
    case Format::bulk:
        // Where nothing is answered register a is an operand, and keeps its value.
        if (op == Opcode::memory_grow || op == Opcode::table_get || op == Opcode::table_size ||
            op == Opcode::table_grow || op == Opcode::ref_func)
            return i.a;
        return std::nullopt;
    default:
        return std::nullopt;
    }
}

std::optional<std::uint32_t> added_by(const Instruction& i) {
    const auto constant = static_cast<std::uint32_t>(i.imm64());
    if (i.op == static_cast<std::uint16_t>(Opcode::i32_add_ri)) return constant;
    if (i.op == static_cast<std::uint16_t>(Opcode::i32_sub_ri)) return 0u - constant;
    return std::nullopt;
}

bool goes_straight_on(const Instruction& i) {
    switch (format_of(static_cast<Opcode>(i.op))) {
    case Format::ra_rb:
    case Format::ra_rb_rc:
    case Format::ra_rb_imm:
    case Format::ra_imm:
    case Format::load:
    case Format::store:
    case Format::store_imm:
    case Format::select:
    case Format::global_get:
    case Format::global_set:
        return true;
    default:
        return false;
    }
}

bool computes_with_traps(const Instruction& i) {
    switch (static_cast<Opcode>(i.op)) {
    case Opcode::i32_div_s_rr:
    case Opcode::i32_div_s_ri:
    case Opcode::i32_div_u_rr:
    case Opcode::i32_div_u_ri:
    case Opcode::i32_rem_s_rr:
    case Opcode::i32_rem_s_ri:
    case Opcode::i32_rem_u_rr:
    case Opcode::i32_rem_u_ri:
    case Opcode::i64_div_s_rr:
    case Opcode::i64_div_s_ri:
    case Opcode::i64_div_u_rr:
    case Opcode::i64_div_u_ri:
    case Opcode::i64_rem_s_rr:
    case Opcode::i64_rem_s_ri:
    case Opcode::i64_rem_u_rr:
    case Opcode::i64_rem_u_ri:
    case Opcode::i32_trunc_f32_s:
    case Opcode::i32_trunc_f32_u:
    case Opcode::i32_trunc_f64_s:
    case Opcode::i32_trunc_f64_u:
    case Opcode::i64_trunc_f32_s:
    case Opcode::i64_trunc_f32_u:
    case Opcode::i64_trunc_f64_s:
    case Opcode::i64_trunc_f64_u:
        return true;
    default:
        return false;
    }
}

} // namespace blockloom::native
