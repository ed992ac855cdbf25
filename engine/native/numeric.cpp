// Integer instructions (what they mean: wasm/interpreter_ops.h).
#include "native/function_translation.h"

namespace blockloom::native {

using wasm::Opcode;
using wasm::TrapKind;

namespace {

/// The order of BLOCKLOOM_WASM_INTEGER_BINARY, without the operands' kinds.
enum Operation : std::uint32_t {
    add,
    sub,
    mul,
    div_s,
    div_u,
    rem_s,
    rem_u,
    bit_and,
    bit_or,
    bit_xor,
    shl,
    shr_s,
    shr_u,
    rotl,
    rotr,
    first_comparison,
};

constexpr std::uint32_t opcode_number(Opcode op) {
    return static_cast<std::uint32_t>(op);
}

} // namespace

llvm::CmpInst::Predicate FunctionTranslation::predicate(std::uint32_t which) const {
    using P = llvm::CmpInst;
    constexpr Predicate order[] = {P::ICMP_EQ,  P::ICMP_NE,  P::ICMP_SLT, P::ICMP_ULT, P::ICMP_SGT,
                                   P::ICMP_UGT, P::ICMP_SLE, P::ICMP_ULE, P::ICMP_SGE, P::ICMP_UGE};
    return order[which];
}

bool FunctionTranslation::integer(const Instruction& i, Opcode op) {
    if (opcode_number(op) < opcode_number(Opcode::i32_add_rr) ||
        opcode_number(op) > opcode_number(Opcode::i64_ge_u_ri))
        return false;
    const bool is_wide = opcode_number(op) >= opcode_number(Opcode::i64_add_rr);
    const std::uint32_t which =
        opcode_number(op) - opcode_number(is_wide ? Opcode::i64_add_rr : Opcode::i32_add_rr);
    const bool immediate = (which & 1) != 0;
    Value *x, *y;
    if (is_wide) {
        x = wide(i.b);
        y = immediate ? number(i.imm64()) : wide(i.c);
    } else {
        x = narrow(i.b);
        y = immediate ? number32(static_cast<std::uint32_t>(i.imm64())) : narrow(i.c);
    }
    const std::uint32_t operation = which / 2;
    if (operation >= first_comparison) {
        set_bit(i.a, build_.CreateICmp(predicate(operation - first_comparison), x, y));
        return true;
    }
    const auto shift = [&] {
        return build_.CreateAnd(y, llvm::ConstantInt::get(y->getType(), is_wide ? 63 : 31));
    };
    Value* result = nullptr;
    switch (operation) {
    case add:
        result = build_.CreateAdd(x, y);
        break;
    case sub:
        result = build_.CreateSub(x, y);
        break;
    case mul:
        result = build_.CreateMul(x, y);
        break;
    case bit_and:
        result = build_.CreateAnd(x, y);
        break;
    case bit_or:
        result = build_.CreateOr(x, y);
        break;
    case bit_xor:
        result = build_.CreateXor(x, y);
        break;
    case shl:
        result = build_.CreateShl(x, shift());
        break;
    case shr_s:
        result = build_.CreateAShr(x, shift());
        break;
    case shr_u:
        result = build_.CreateLShr(x, shift());
        break;
    case rotl:
        result = build_.CreateIntrinsic(llvm::Intrinsic::fshl, {x->getType()}, {x, x, y});
        break;
    case rotr:
        result = build_.CreateIntrinsic(llvm::Intrinsic::fshr, {x->getType()}, {x, x, y});
        break;
    default:
        result = divide(operation, x, y);
        break;
    }
    is_wide ? set_wide(i.a, result) : set_narrow(i.a, result);
    return true;
}

llvm::Value* FunctionTranslation::divide(std::uint32_t operation, Value* x, Value* y) {
    llvm::Type* type = x->getType();
    Value *zero = llvm::ConstantInt::get(type, 0), *one = llvm::ConstantInt::get(type, 1);
    Value* all_ones = llvm::Constant::getAllOnesValue(type);
    trap_if(build_.CreateICmpEQ(y, zero), TrapKind::integer_divide_by_zero);
    switch (operation) {
    case div_u:
        return build_.CreateUDiv(x, y);
    case rem_u:
        return build_.CreateURem(x, y);
    case div_s: {
        Value* least = llvm::ConstantInt::get(
            type, llvm::APInt::getSignedMinValue(type->getIntegerBitWidth()));
        trap_if(build_.CreateAnd(build_.CreateICmpEQ(y, all_ones), build_.CreateICmpEQ(x, least)),
                TrapKind::integer_overflow);
        return build_.CreateSDiv(x, y);
    }
    default: {
        // The least number has no remainder by -1 that the machine could compute: by 1 it is 0 too.
        Value* divisor = build_.CreateSelect(build_.CreateICmpEQ(y, all_ones), one, y);
        return build_.CreateSRem(x, divisor);
    }
    }
}

bool FunctionTranslation::unary(const Instruction& i, Opcode op) {
    const auto count = [&](llvm::Intrinsic::ID what, bool is_wide) {
        Value* from = is_wide ? wide(i.b) : narrow(i.b);
        Value* counted = what == llvm::Intrinsic::ctpop
                             ? build_.CreateUnaryIntrinsic(what, from)
                             : build_.CreateBinaryIntrinsic(what, from, build_.getFalse());
        is_wide ? set_wide(i.a, counted) : set_narrow(i.a, counted);
    };
    const auto extend = [&](llvm::Type* from, bool is_wide) {
        Value* cut = build_.CreateTrunc(is_wide ? wide(i.b) : narrow(i.b), from);
        is_wide ? set_wide(i.a, build_.CreateSExt(cut, module_.i64))
                : set_narrow(i.a, build_.CreateSExt(cut, module_.i32));
    };
    switch (op) {
    case Opcode::i32_clz:
        count(llvm::Intrinsic::ctlz, false);
        return true;
    case Opcode::i32_ctz:
        count(llvm::Intrinsic::cttz, false);
        return true;
    case Opcode::i32_popcnt:
        count(llvm::Intrinsic::ctpop, false);
        return true;
    case Opcode::i64_clz:
        count(llvm::Intrinsic::ctlz, true);
        return true;
    case Opcode::i64_ctz:
        count(llvm::Intrinsic::cttz, true);
        return true;
    case Opcode::i64_popcnt:
        count(llvm::Intrinsic::ctpop, true);
        return true;
    case Opcode::i32_eqz:
    case Opcode::i64_eqz:
    case Opcode::ref_is_null:
        set_bit(i.a, build_.CreateNot(truth(i.b)));
        return true;
    case Opcode::i32_extend8_s:
        extend(module_.i8, false);
        return true;
    case Opcode::i32_extend16_s:
        extend(module_.i16, false);
        return true;
    case Opcode::i64_extend8_s:
        extend(module_.i8, true);
        return true;
    case Opcode::i64_extend16_s:
        extend(module_.i16, true);
        return true;
    case Opcode::i64_extend32_s:
    case Opcode::i64_extend_i32_s:
        set_wide(i.a, build_.CreateSExt(narrow(i.b), module_.i64));
        return true;
    case Opcode::i32_wrap_i64:
        set_narrow(i.a, narrow(i.b));
        return true;
    default:
        return false;
    }
}

} // namespace blockloom::native
