// Floating-point instructions (what they mean: wasm/numeric.h). NaN results are canonical.
#include "native/function_translation.h"

namespace blockloom::native {

using llvm::ConstantFP;
using llvm::Intrinsic::ID;
using wasm::Opcode;
using wasm::TrapKind;

namespace {

constexpr std::uint32_t code(Opcode op) {
    return static_cast<std::uint32_t>(op);
}

} // namespace

llvm::Value* FunctionTranslation::read_float(std::uint32_t index, bool is_double) {
    return is_double ? build_.CreateBitCast(wide(index), module_.f64)
                     : build_.CreateBitCast(narrow(index), module_.f32);
}

void FunctionTranslation::set_float(std::uint32_t index, Value* value) {
    if (value->getType() == module_.f64)
        set_wide(index, build_.CreateBitCast(value, module_.i64));
    else
        set_narrow(index, build_.CreateBitCast(value, module_.i32));
}

void FunctionTranslation::set_canonical(std::uint32_t index, Value* value) {
    const bool is_double = value->getType() == module_.f64;
    Value* bits = build_.CreateBitCast(value, is_double ? module_.i64 : module_.i32);
    Value* quiet = is_double ? number(0x7ff8'0000'0000'0000) : number32(0x7fc0'0000);
    Value* chosen = build_.CreateSelect(build_.CreateFCmpUNO(value, value), quiet, bits);
    is_double ? set_wide(index, chosen) : set_narrow(index, chosen);
}

/// Of two numbers; of two zeros the negative is the least. A NaN gives a NaN.
llvm::Value* FunctionTranslation::least_or_most(Value* x, Value* y, bool least) {
    const bool is_double = x->getType() == module_.f64;
    llvm::Type* bits = is_double ? module_.i64 : module_.i32;
    Value *x_bits = build_.CreateBitCast(x, bits), *y_bits = build_.CreateBitCast(y, bits);
    Value* both = build_.CreateBitCast(
        least ? build_.CreateOr(x_bits, y_bits) : build_.CreateAnd(x_bits, y_bits), x->getType());
    Value* apart =
        build_.CreateSelect(least ? build_.CreateFCmpOLT(x, y) : build_.CreateFCmpOGT(x, y), x, y);
    Value* number = build_.CreateSelect(build_.CreateFCmpOEQ(x, y), both, apart);
    return build_.CreateSelect(build_.CreateFCmpUNO(x, y), ConstantFP::getNaN(x->getType()),
                               number);
}

bool FunctionTranslation::float_binary(const Instruction& i, Opcode op) {
    const auto first = code(Opcode::f32_add), second = code(Opcode::f64_add);
    if (code(op) < first || code(op) > code(Opcode::f64_ge)) return false;
    const bool is_double = code(op) >= second;
    const auto like = static_cast<Opcode>(is_double ? code(op) - second + first : code(op));
    Value *x = read_float(i.b, is_double), *y = read_float(i.c, is_double);
    switch (like) {
    case Opcode::f32_add:
        set_canonical(i.a, build_.CreateFAdd(x, y));
        return true;
    case Opcode::f32_sub:
        set_canonical(i.a, build_.CreateFSub(x, y));
        return true;
    case Opcode::f32_mul:
        set_canonical(i.a, build_.CreateFMul(x, y));
        return true;
    case Opcode::f32_div:
        set_canonical(i.a, build_.CreateFDiv(x, y));
        return true;
    case Opcode::f32_min:
        set_canonical(i.a, least_or_most(x, y, true));
        return true;
    case Opcode::f32_max:
        set_canonical(i.a, least_or_most(x, y, false));
        return true;
    case Opcode::f32_copysign: {
        // On bits: a NaN keeps its own.
        const std::uint64_t sign = is_double ? 0x8000'0000'0000'0000 : 0x8000'0000;
        const std::uint64_t rest = is_double ? ~sign : 0x7fff'ffff;
        set_wide(i.a, build_.CreateOr(build_.CreateAnd(wide(i.b), number(rest)),
                                      build_.CreateAnd(wide(i.c), number(sign))));
        return true;
    }
    case Opcode::f32_eq:
        set_bit(i.a, build_.CreateFCmpOEQ(x, y));
        return true;
    case Opcode::f32_ne:
        set_bit(i.a, build_.CreateFCmpUNE(x, y));
        return true;
    case Opcode::f32_lt:
        set_bit(i.a, build_.CreateFCmpOLT(x, y));
        return true;
    case Opcode::f32_gt:
        set_bit(i.a, build_.CreateFCmpOGT(x, y));
        return true;
    case Opcode::f32_le:
        set_bit(i.a, build_.CreateFCmpOLE(x, y));
        return true;
    default:
        set_bit(i.a, build_.CreateFCmpOGE(x, y));
        return true;
    }
}

bool FunctionTranslation::float_unary(const Instruction& i, Opcode op) {
    const auto first = code(Opcode::f32_abs), second = code(Opcode::f64_abs);
    if (code(op) < first || code(op) > code(Opcode::f64_sqrt)) return false;
    const bool is_double = code(op) >= second;
    const auto like = static_cast<Opcode>(is_double ? code(op) - second + first : code(op));
    const std::uint64_t sign = is_double ? 0x8000'0000'0000'0000 : 0x8000'0000;
    const auto round = [&](ID what) {
        set_canonical(i.a, build_.CreateUnaryIntrinsic(what, read_float(i.b, is_double)));
    };
    switch (like) {
    case Opcode::f32_abs:
        set_wide(i.a, build_.CreateAnd(wide(i.b), number(is_double ? ~sign : 0x7fff'ffff)));
        break;
    case Opcode::f32_neg:
        set_wide(i.a, build_.CreateXor(wide(i.b), number(sign)));
        break;
    case Opcode::f32_ceil:
        round(llvm::Intrinsic::ceil);
        break;
    case Opcode::f32_floor:
        round(llvm::Intrinsic::floor);
        break;
    case Opcode::f32_trunc:
        round(llvm::Intrinsic::trunc);
        break;
    case Opcode::f32_nearest:
        round(llvm::Intrinsic::nearbyint);
        break;
    default:
        round(llvm::Intrinsic::sqrt);
        break;
    }
    return true;
}

/// The bounds are those of wasm::truncates, on the value itself: its integer part fits where it
/// lies strictly between them, or, for the signed lower bound that has no float below it that
/// would fit, at it.
void FunctionTranslation::truncate(const Instruction& i, Opcode op) {
    const bool from_double = op == Opcode::i32_trunc_f64_s || op == Opcode::i32_trunc_f64_u ||
                             op == Opcode::i64_trunc_f64_s || op == Opcode::i64_trunc_f64_u;
    const bool to_wide = code(op) >= code(Opcode::i64_trunc_f32_s);
    const bool is_signed = op == Opcode::i32_trunc_f32_s || op == Opcode::i32_trunc_f64_s ||
                           op == Opcode::i64_trunc_f32_s || op == Opcode::i64_trunc_f64_s;
    Value* value = read_float(i.b, from_double);
    llvm::Type* type = value->getType();
    trap_if(build_.CreateFCmpUNO(value, value), TrapKind::invalid_conversion);
    const double above = is_signed ? (to_wide ? 0x1p63 : 0x1p31) : (to_wide ? 0x1p64 : 0x1p32);
    Value* low;
    if (!is_signed)
        low = build_.CreateFCmpOLE(value, ConstantFP::get(type, -1.0));
    else if (from_double && !to_wide)
        low = build_.CreateFCmpOLE(value, ConstantFP::get(type, -0x1p31 - 1));
    else
        low = build_.CreateFCmpOLT(value, ConstantFP::get(type, -above));
    trap_if(build_.CreateOr(low, build_.CreateFCmpOGE(value, ConstantFP::get(type, above))),
            TrapKind::integer_overflow);
    llvm::Type* to = to_wide ? module_.i64 : module_.i32;
    Value* whole = is_signed ? build_.CreateFPToSI(value, to) : build_.CreateFPToUI(value, to);
    to_wide ? set_wide(i.a, whole) : set_narrow(i.a, whole);
}

bool FunctionTranslation::conversion(const Instruction& i, Opcode op) {
    const auto saturate = [&](bool from_double, bool to_wide, bool is_signed) {
        Value* value = read_float(i.b, from_double);
        llvm::Type* to = to_wide ? module_.i64 : module_.i32;
        Value* whole = build_.CreateIntrinsic(is_signed ? llvm::Intrinsic::fptosi_sat
                                                        : llvm::Intrinsic::fptoui_sat,
                                              {to, value->getType()}, {value});
        to_wide ? set_wide(i.a, whole) : set_narrow(i.a, whole);
        return true;
    };
    const auto convert = [&](bool from_wide, bool to_double, bool is_signed) {
        Value* from = from_wide ? wide(i.b) : narrow(i.b);
        llvm::Type* to = to_double ? module_.f64 : module_.f32;
        set_float(i.a, is_signed ? build_.CreateSIToFP(from, to) : build_.CreateUIToFP(from, to));
        return true;
    };
    switch (op) {
    case Opcode::i32_trunc_f32_s:
    case Opcode::i32_trunc_f32_u:
    case Opcode::i32_trunc_f64_s:
    case Opcode::i32_trunc_f64_u:
    case Opcode::i64_trunc_f32_s:
    case Opcode::i64_trunc_f32_u:
    case Opcode::i64_trunc_f64_s:
    case Opcode::i64_trunc_f64_u:
        truncate(i, op);
        return true;
    case Opcode::i32_trunc_sat_f32_s:
        return saturate(false, false, true);
    case Opcode::i32_trunc_sat_f32_u:
        return saturate(false, false, false);
    case Opcode::i32_trunc_sat_f64_s:
        return saturate(true, false, true);
    case Opcode::i32_trunc_sat_f64_u:
        return saturate(true, false, false);
    case Opcode::i64_trunc_sat_f32_s:
        return saturate(false, true, true);
    case Opcode::i64_trunc_sat_f32_u:
        return saturate(false, true, false);
    case Opcode::i64_trunc_sat_f64_s:
        return saturate(true, true, true);
    case Opcode::i64_trunc_sat_f64_u:
        return saturate(true, true, false);
    case Opcode::f32_convert_i32_s:
        return convert(false, false, true);
    case Opcode::f32_convert_i32_u:
        return convert(false, false, false);
    case Opcode::f32_convert_i64_s:
        return convert(true, false, true);
    case Opcode::f32_convert_i64_u:
        return convert(true, false, false);
    case Opcode::f64_convert_i32_s:
        return convert(false, true, true);
    case Opcode::f64_convert_i32_u:
        return convert(false, true, false);
    case Opcode::f64_convert_i64_s:
        return convert(true, true, true);
    case Opcode::f64_convert_i64_u:
        return convert(true, true, false);
    case Opcode::f32_demote_f64:
        set_canonical(i.a, build_.CreateFPTrunc(read_float(i.b, true), module_.f32));
        return true;
    case Opcode::f64_promote_f32:
        set_canonical(i.a, build_.CreateFPExt(read_float(i.b, false), module_.f64));
        return true;
    default:
        return false;
    }
}

bool FunctionTranslation::floating(const Instruction& i, Opcode op) {
    return float_binary(i, op) || float_unary(i, op) || conversion(i, op);
}

} // namespace blockloom::native
