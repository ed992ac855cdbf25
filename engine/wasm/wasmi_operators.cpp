// Values, memory, tables and globals of the translation.
#include "wasm/numeric.h"
#include "wasm/wasmi_fold.h"
#include "wasm/wasmi_translation.h"

namespace blockloom::wasm::wasmi {
namespace {

bool is_nan(const Value& constant) {
    if (constant.type == ValueType::f32) return std::isnan(float_of<float>(constant.bits));
    return constant.type == ValueType::f64 && std::isnan(float_of<double>(constant.bits));
}

/// Positive or negative infinity of the constant's type.
bool is_infinity(const Value& constant, bool negative) {
    const double value = constant.type == ValueType::f32
                             ? static_cast<double>(float_of<float>(constant.bits))
                             : float_of<double>(constant.bits);
    return std::isinf(value) && std::signbit(value) == negative;
}

bool is_integer_comparison(CodeOpcode opcode) {
    return (opcode >= 0x46 && opcode <= 0x4f) || (opcode >= 0x51 && opcode <= 0x5a);
}

bool is_float(ValueType type) {
    return type == ValueType::f32 || type == ValueType::f64;
}

/// An opcode's place among the instructions of its type: add 0, sub 1, mul 2, div_s 3, div_u 4,
/// rem_s 5, rem_u 6, and 7, or 8, xor 9, shl 10, shr_s 11, shr_u 12, rotl 13, rotr 14; for
/// comparisons eq 0, ne 1, lt_s 2, lt_u 3, gt_s 4, gt_u 5, le_s 6, le_u 7, ge_s 8, ge_u 9; for
/// floats add 0, sub 1, mul 2, div 3, min 4, max 5, copysign 6 and eq 0, ne 1, lt 2, gt 3, le 4,
/// ge 5.
unsigned place_of(CodeOpcode opcode) {
    for (const unsigned first : {0xa0u, 0x92u, 0x7cu, 0x6au, 0x61u, 0x5bu, 0x51u, 0x46u})
        if (opcode >= first) return opcode - first;
    return 0;
}

enum Place : unsigned {
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
    rotr
};

bool is_unsigned(unsigned place) {
    return place == div_u || place == rem_u;
}

} // namespace

void Translation::push_constant(ValueType type, Cell bits) {
    const Value constant = Value::constant(type, bits);
    if (is_nan(constant)) doubt("a constant that is not a number");
    stack_.push(constant);
}

Code::Kind Translation::kind_of(CodeOpcode opcode) const noexcept {
    if (opcode >= 0x71 && opcode <= 0x73) return Code::Kind::bitwise;
    if (is_integer_comparison(opcode)) return Code::Kind::comparison;
    if (opcode >= 0x5b && opcode <= 0x66)
        return place_of(opcode) < 2 ? Code::Kind::comparison : Code::Kind::float_ordering;
    return Code::Kind::plain;
}

bool Translation::numeric() {
    switch (now_.opcode) {
    case 0x45:
    case 0x50:
    case 0xd1:
        eqz();
        return true;
    case 0xad: // i64.extend_i32_u and the reinterpretations: nothing is written
    case 0xbc:
    case 0xbd:
    case 0xbe:
    case 0xbf: {
        if (!stack_.top().is_constant) return true;
        const Cell bits = stack_.pop().bits;
        push_constant(signature_of(now_.opcode).result, bits);
        return true;
    }
    default:
        break;
    }
    const Signature& signature = signature_of(now_.opcode);
    if (!signature.known) return false;
    if (signature.access != 0 && signature.has_result)
        load();
    else if (signature.access != 0)
        store(signature);
    else if (signature.operands == 1)
        unary(signature);
    else
        binary(signature);
    return true;
}

void Translation::unary(const Signature& signature) {
    const Value operand = stack_.pop();
    if (!operand.is_constant) return emit_result(Code::Kind::plain, {&operand, 1});
    const Folded folded = fold(now_.opcode, operand.bits);
    if (!folded.cell) return trap();
    push_constant(signature.result, *folded.cell);
}

/// Comparisons with zero: i32.eqz may be taken in by the instruction before it.
void Translation::eqz() {
    if (now_.opcode == 0x45 && code_.take_in_eqz(stack_, stack_.top())) return;
    const Value operand = stack_.pop();
    if (operand.is_constant) return push_constant(ValueType::i32, operand.bits == 0 ? 1 : 0);
    emit_result(Code::Kind::comparison, {&operand, 1});
}

/// Whether the constant stands inside the instruction. Shifts never come here with a constant on
/// the right.
bool Translation::constant_fits(const Value& constant, bool on_the_left) const {
    if (is_float(constant.type)) return false;
    const unsigned place = place_of(now_.opcode);
    if (is_integer_comparison(now_.opcode)) {
        const bool is_signed = place < 2 || place % 2 == 0;
        return is_signed ? fits_i16(constant) : fits_u16(constant);
    }
    if (is_unsigned(place)) return fits_u16(constant);
    if (place == sub && !on_the_left) { // added as its negative
        Value negative = constant;
        negative.bits = constant.type == ValueType::i32
                            ? static_cast<std::uint32_t>(0 - constant.bits)
                            : 0 - constant.bits;
        return fits_i16(negative);
    }
    return fits_i16(constant);
}

bool Translation::comparison_shortcut(const Value& left, const Value& right) {
    const unsigned place = place_of(now_.opcode);
    const bool or_equal = place == 0 || place >= 6; // true where both are the same
    const auto known = [&](bool value) {
        push_constant(ValueType::i32, value ? 1 : 0);
        return true;
    };
    if (!left.is_constant && !right.is_constant) return left.reg == right.reg && known(or_equal);
    if (place < 2) return false;
    // Nothing is below the least or above the greatest.
    const Value& constant = left.is_constant ? left : right;
    const bool is_i32 = constant.type == ValueType::i32;
    const bool is_signed = place % 2 == 0;
    const Cell all = is_i32 ? 0xffff'ffff : ~Cell{0};
    const Cell top_bit = is_i32 ? Cell{1} << 31 : Cell{1} << 63;
    const Cell least = is_signed ? top_bit : 0, greatest = is_signed ? top_bit - 1 : all;
    const bool less = place == 2 || place == 3 || place == 6 || place == 7;
    const bool strict = place < 6;
    // x < least and greatest < x never hold, x <= greatest and least <= x always; turned round
    // alike.
    const bool wants_least = strict == (less == right.is_constant);
    if (constant.bits != (wants_least ? least : greatest)) return false;
    return known(!strict);
}

bool Translation::integer_shortcut(const Value& left, const Value& right) {
    if (is_integer_comparison(now_.opcode)) return comparison_shortcut(left, right);
    const unsigned place = place_of(now_.opcode);
    const Signature& signature = signature_of(now_.opcode);
    const bool is_i32 = signature.operand == ValueType::i32;
    const Cell all = is_i32 ? 0xffff'ffff : ~Cell{0};
    const auto same = [&](const Value& value) {
        stack_.push(value);
        return true;
    };
    const auto known = [&](Cell bits) {
        push_constant(signature.result, bits);
        return true;
    };
    if (!left.is_constant && !right.is_constant) {
        if (left.reg != right.reg) return false;
        if (place == bit_and || place == bit_or) return same(left);
        return (place == sub || place == bit_xor) && known(0);
    }
    const Value& constant = left.is_constant ? left : right;
    const Value& other = left.is_constant ? right : left;
    const Cell bits = constant.bits;
    switch (place) {
    case add:
    case bit_xor:
        return bits == 0 && same(other);
    case sub:
        return right.is_constant && bits == 0 && same(other);
    case mul:
        return bits == 0 ? known(0) : bits == 1 && same(other);
    case bit_and:
        return bits == 0 ? known(0) : bits == all && same(other);
    case bit_or:
        return bits == all ? known(all) : bits == 0 && same(other);
    case div_s:
    case div_u:
    case rem_s:
    case rem_u:
        if (!right.is_constant) return false;
        if (bits == 0) {
            trap();
            return true;
        }
        if (place == div_s || place == div_u) return bits == 1 && same(other);
        return (bits == 1 || (place == rem_s && bits == all)) && known(0);
    default: // shifts and rotations
        if (right.is_constant) {
            if (bits % (is_i32 ? 32 : 64) == 0) return same(other);
            emit_result(Code::Kind::plain, {&other, 1});
            return true;
        }
        if (bits == 0) return known(0);
        return bits == all && place != shl && place != shr_u && known(all);
    }
}

bool Translation::float_shortcut(const Value& left, const Value& right) {
    const unsigned place = place_of(now_.opcode);
    const bool compares = now_.opcode <= 0x66;
    const auto known = [&](bool value) {
        push_constant(ValueType::i32, value ? 1 : 0);
        return true;
    };
    if (!left.is_constant && !right.is_constant) {
        if (left.reg != right.reg) return false;
        if (compares) return (place == 2 || place == 3) && known(false); // lt, gt
        if (place != 6) return false;
        stack_.push(left);
        return true;
    }
    const Value& constant = left.is_constant ? left : right;
    const Value& other = left.is_constant ? right : left;
    if (compares) {
        if (is_nan(constant)) return known(place == 1);
        if (place != 2 && place != 3) return false;
        // x < -inf, +inf < x, x > +inf and -inf > x never hold.
        const bool negative = (place == 2) == right.is_constant;
        return is_infinity(constant, negative) && known(false);
    }
    if (place == 6) { // copysign
        if (!right.is_constant) return false;
        const Register result = stack_.push_dynamic();
        code_.emit({Code::Kind::plain, result, {&other, 1}}); // free of charge
        return true;
    }
    if ((place == 4 && is_infinity(constant, false)) ||
        (place == 5 && is_infinity(constant, true))) {
        stack_.push(other); // min with +inf, max with -inf
        return true;
    }
    if (!is_nan(constant)) return false;
    stack_.push(constant);
    return true;
}

void Translation::binary(const Signature& signature) {
    const Value right = stack_.pop(), left = stack_.pop();
    if (left.is_constant && right.is_constant) {
        const Folded folded = fold(now_.opcode, left.bits, right.bits);
        if (!folded.cell) return trap();
        return push_constant(signature.result, *folded.cell);
    }
    const bool floats = is_float(signature.operand);
    if (floats ? float_shortcut(left, right) : integer_shortcut(left, right)) return;
    const Value operands[] = {left, right};
    const Register result = stack_.push_dynamic();
    code_.charge(scope());
    for (const Value& operand : operands) {
        if (!operand.is_constant || constant_fits(operand, &operand == operands)) continue;
        Cell bits = operand.bits;
        if (!floats && !is_integer_comparison(now_.opcode) && place_of(now_.opcode) == sub &&
            &operand != operands)
            bits = operand.type == ValueType::i32 ? static_cast<std::uint32_t>(0 - bits) : 0 - bits;
        (void)stack_.constant_register(bits);
    }
    code_.emit({kind_of(now_.opcode), result, operands});
}

void Translation::load() {
    const Value address = stack_.pop();
    if (address.is_constant) {
        if ((address.bits + now_.value) >> 32 != 0) return trap();
        return emit_result(Code::Kind::plain, {});
    }
    emit_result(Code::Kind::plain, {&address, 1}, now_.value <= 0xffff ? 1 : 2);
}

void Translation::store(const Signature& signature) {
    const Value value = stack_.pop(), address = stack_.pop();
    if (address.is_constant && (address.bits + now_.value) >> 32 != 0) return trap();
    if (value.is_constant) {
        // Integers of 16 bits, after they were cut to the size that is stored, stand inside.
        Value cut = value;
        if (signature.access == 4 && value.type == ValueType::i64)
            cut = Value::constant(ValueType::i32, static_cast<std::uint32_t>(value.bits));
        const bool inside = !is_float(value.type) && (signature.access <= 2 || fits_i16(cut));
        if (!inside) (void)stack_.register_of(value);
    }
    const Value inputs[] = {address, value};
    emit_plain(inputs, address.is_constant || now_.value <= 0xffff ? 1 : 2);
}

void Translation::select() {
    const Value condition = stack_.pop(), right = stack_.pop(), left = stack_.pop();
    if (condition.is_constant) {
        const Value& chosen = static_cast<std::uint32_t>(condition.bits) != 0 ? left : right;
        const Space space = chosen.is_constant ? Space::constant : stack_.space(chosen.reg);
        if (space != Space::dynamic && space != Space::preserved) return stack_.push(chosen);
        const Register result = stack_.push_dynamic();
        return code_.copy(stack_, result, chosen, scope());
    }
    if (left == right) return stack_.push(left);
    for (const Value* value : {&left, &right})
        if (value->is_constant && !fits_32(*value)) (void)stack_.register_of(*value);
    const Value inputs[] = {condition, left, right};
    emit_result(Code::Kind::plain, inputs, 2);
}

void Translation::set_local(std::uint32_t local, bool keep) {
    const Value before = stack_.top();
    stack_.collect_preserved();
    const Value value = stack_.pop();
    const auto to = static_cast<Register>(local);
    if (value.is_constant || value.reg != to) {
        const std::optional<Register> preserved = stack_.preserve(local);
        code_.set_local(stack_, to, value, preserved, scope());
    }
    if (!keep) return;
    if (before.is_constant)
        stack_.push(before);
    else
        stack_.push_local(local);
}

void Translation::get_global() {
    if (now_.index >= module_.imported_globals) {
        const Global& global = module_.globals[now_.index - module_.imported_globals];
        const ConstantExpression& start = global.start;
        if (!global.type.is_mutable && start.kind == ConstantExpression::Kind::value)
            return push_constant(global.type.type, start.value);
        if (!global.type.is_mutable && start.kind == ConstantExpression::Kind::ref_null)
            return push_constant(global.type.type, 0);
    }
    emit_result(Code::Kind::plain, {});
}

void Translation::set_global() {
    const Value value = stack_.pop();
    if (value.is_constant && !fits_i16(value)) (void)stack_.register_of(value);
    emit_plain({&value, 1});
}

/// An index or a length of a memory or a table: 16 bits stand inside.
void Translation::index_operand(const Value& value) {
    if (value.is_constant && !fits_u16(value)) (void)stack_.register_of(value);
}

void Translation::bulk() {
    switch (now_.opcode) {
    case 0x3f: // memory.size
        return emit_result(Code::Kind::plain, {});
    case 0x40: { // memory.grow: by 0 pages it is memory.size
        const Value pages = stack_.pop();
        return emit_result(Code::Kind::plain, {&pages, 1},
                           pages.is_constant && pages.bits == 0 ? 1 : 2);
    }
    case 0xd2: // ref.func
        return emit_result(Code::Kind::plain, {});
    case 0xfc09: // data.drop, elem.drop
    case 0xfc0d:
        return emit_plain({});
    case 0xfc08:   // memory.init
    case 0xfc0a:   // memory.copy
    case 0xfc0b:   // memory.fill
    case 0xfc0c:   // table.init
    case 0xfc0e: { // table.copy
        stack_.pop(3, values_);
        index_operand(values_[0]);
        if (now_.opcode != 0xfc0b) index_operand(values_[1]); // a byte always stands inside
        index_operand(values_[2]);
        return emit_plain(values_, now_.opcode == 0xfc0b ? 2 : 3);
    }
    default:
        return table_access();
    }
}

void Translation::table_access() {
    const auto in_register = [&](const Value& value) { (void)stack_.register_of(value); };
    switch (now_.opcode) {
    case 0x25: { // table.get
        const Value index = stack_.pop();
        return emit_result(Code::Kind::plain, {&index, 1}, 2);
    }
    case 0x26: // table.set
        stack_.pop(2, values_);
        in_register(values_[1]);
        return emit_plain(values_, 2);
    case 0xfc0f: { // table.grow: by 0 elements it is table.size
        doubt("table.grow: its charge on failure is unknown");
        stack_.pop(2, values_);
        const bool none = values_[1].is_constant && values_[1].bits == 0;
        if (!none) {
            index_operand(values_[1]);
            in_register(values_[0]);
        }
        const std::vector<Value> inputs = values_;
        return emit_result(Code::Kind::plain, inputs, none ? 1 : 2);
    }
    case 0xfc10: // table.size
        return emit_result(Code::Kind::plain, {});
    default: // table.fill
        stack_.pop(3, values_);
        index_operand(values_[0]);
        index_operand(values_[2]);
        in_register(values_[1]);
        return emit_plain(values_, 2);
    }
}

} // namespace blockloom::wasm::wasmi
