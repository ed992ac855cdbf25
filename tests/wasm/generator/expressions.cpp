// Instructions that compute.
#include "wasm/generator/function_generator.h"

namespace blockloom::tests {

using wasm::ValueType;

std::uint32_t FunctionGenerator::global_of(ValueType type) {
    std::uint32_t place = 0;
    while (number_types[place] != type) ++place;
    // Imported ones, if any, stand in the same order before.
    if (shape_.first_own_global > 0 && shape_.chance(40)) return place;
    return shape_.first_own_global + place;
}

void FunctionGenerator::comparison(int depth) {
    const ValueType of = shape_.any_type();
    expression(of, depth), expression(of, depth);
    switch (of) {
    case ValueType::i32:
        return op(0x46 + shape_.below_unsigned(10));
    case ValueType::i64:
        return op(0x51 + shape_.below_unsigned(10));
    case ValueType::f32:
        return op(0x5b + shape_.below_unsigned(6));
    default:
        return op(0x61 + shape_.below_unsigned(6));
    }
}

void FunctionGenerator::integer(ValueType type, int depth) {
    const bool wide = type == ValueType::i64;
    std::size_t kind = shape_.below(11);
    if (shape_.options.integers && kind == 3) kind = 7; // nothing from floats
    switch (kind) {
    case 0:
        if (!wide) return comparison(depth);
        expression(ValueType::i32, depth);
        return op(shape_.chance(50) ? 0xac : 0xad);
    case 1: // unary
        expression(type, depth);
        if (shape_.chance(50)) return op((wide ? 0x79 : 0x67) + shape_.below_unsigned(3));
        return op(wide ? 0xc2 + shape_.below_unsigned(3) : 0xc0 + shape_.below_unsigned(2));
    case 2: // load
        address(depth);
        if (wide) return memory_access(shape_.chance(50) ? 0x29 : 0x30 + shape_.below_unsigned(6));
        return memory_access(shape_.chance(50) ? 0x28 : 0x2c + shape_.below_unsigned(4));
    case 3: { // from a float
        const bool from64 = shape_.chance(50);
        expression(from64 ? ValueType::f64 : ValueType::f32, depth);
        if (shape_.chance(20)) // may trap
            return op((wide ? 0xae : 0xa8) + (from64 ? 2 : 0) + shape_.below_unsigned(2));
        if (from64 == wide && shape_.chance(30)) return op(wide ? 0xbd : 0xbc);
        return bulk_op((wide ? 4 : 0) + (from64 ? 2 : 0) + shape_.below_unsigned(2));
    }
    case 4: // from the other width, or a test of it
        expression(ValueType::i64, depth);
        if (!wide) return op(shape_.chance(50) ? 0xa7 : 0x50);
        op(0x50);
        return op(0xad);
    case 5:
        expression(type, depth);
        if (!wide) return op(0x45);
        op(0x50);
        return op(0xac);
    case 6:
        if (!wide && shape_.chance(40)) return table_value();
        [[fallthrough]];
    default: // binary; division seldom, for it may trap
        expression(type, depth), expression(type, depth);
        for (;;) {
            const unsigned which = shape_.below_unsigned(15);
            if (which >= 3 && which <= 6 && shape_.chance(70)) continue;
            return op((wide ? 0x7c : 0x6a) + which);
        }
    }
}

void FunctionGenerator::floating(ValueType type, int depth) {
    const bool wide = type == ValueType::f64;
    switch (shape_.below(7)) {
    case 0: {
        expression(type, depth);
        const unsigned which = shape_.below_unsigned(7);
        op((wide ? 0x99 : 0x8b) + which);
        if (which >= 2) canonical(type);
        return;
    }
    case 1:
        address(depth);
        return memory_access(wide ? 0x2b : 0x2a), canonical(type);
    case 2: {
        const bool from64 = shape_.chance(50);
        expression(from64 ? ValueType::i64 : ValueType::i32, depth);
        return op((wide ? 0xb7 : 0xb2) + (from64 ? 2 : 0) + shape_.below_unsigned(2));
    }
    case 3:
        expression(wide ? ValueType::f32 : ValueType::f64, depth);
        return op(wide ? 0xbb : 0xb6), canonical(type);
    case 4:
        expression(wide ? ValueType::i64 : ValueType::i32, depth);
        return op(wide ? 0xbf : 0xbe), canonical(type);
    default:
        expression(type, depth), expression(type, depth);
        return op((wide ? 0xa0 : 0x92) + shape_.below_unsigned(7)), canonical(type);
    }
}

void FunctionGenerator::expression(ValueType type, int depth) {
    if (depth <= 0 || shape_.chance(15)) {
        if (shape_.chance(40)) return constant(type);
        return op(0x20, local_of(type));
    }
    --depth;
    switch (shape_.below(12)) {
    case 0:
        expression(type, depth);
        return op(0x22, local_of(type));
    case 1:
        return op(0x23, global_of(type));
    case 2:
        expression(type, depth), expression(type, depth), expression(ValueType::i32, depth);
        if (shape_.chance(70)) return op(0x1b);
        op(0x1c, 1);
        return op(static_cast<unsigned>(type));
    case 3: // a block with a result
        op(0x02, static_cast<Byte>(type));
        labels_.push_back({type});
        statements(depth - 1);
        if (shape_.chance(50))
            expression(type, depth), expression(ValueType::i32, depth), op(0x0d, 0), op(0x1a);
        expression(type, depth);
        labels_.pop_back();
        return op(0x0b);
    case 4:
        expression(ValueType::i32, depth);
        op(0x04, static_cast<Byte>(type));
        labels_.push_back({type});
        if (shape_.chance(30)) statements(depth - 1);
        expression(type, depth);
        op(0x05);
        expression(type, depth);
        labels_.pop_back();
        return op(0x0b);
    case 5:
        if (shape_.chance(30)) call(depth);
        return op(0x20, local_of(type));
    default:
        if (type == ValueType::i32 || type == ValueType::i64) return integer(type, depth);
        return floating(type, depth);
    }
}

} // namespace blockloom::tests
