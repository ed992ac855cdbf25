// Memory, tables and what fills them.
#include "wasm/generator/function_generator.h"

namespace blockloom::tests {

using wasm::ValueType;

namespace {

/// Mostly within a page or two, sometimes beyond all memory.
std::uint64_t bulk_size(Shape& shape) {
    if (shape.chance(85)) return shape.below(300);
    return shape.chance(80) ? shape.below(9'000) : 250'000;
}

} // namespace

void FunctionGenerator::address(int depth) {
    expression(ValueType::i32, depth);
    if (shape_.chance(92)) // else it may trap
        constant_i32(shape_.chance(50) ? 0xfff0 : shape_.chance(30) ? 0x1fff : 0x3f), op(0x71);
}

void FunctionGenerator::memory_access(unsigned opcode) {
    op(opcode, 0);
    append_unsigned(code_, shape_.chance(90) ? shape_.below(9) : shape_.random() & 0xffff'ffff);
}

void FunctionGenerator::store(int depth) {
    constexpr unsigned stores[] = {0x36, 0x37, 0x38, 0x39};
    const ValueType type = shape_.any_type();
    address(depth - 1), expression(type, depth - 1);
    if (type == ValueType::i32 && shape_.chance(50))
        return memory_access(0x3a + shape_.below_unsigned(2));
    if (type == ValueType::i64 && shape_.chance(50))
        return memory_access(0x3c + shape_.below_unsigned(3));
    for (std::size_t i = 0; i < 4; ++i)
        if (number_types[i] == type) memory_access(stores[i]);
}

void FunctionGenerator::grow_memory() {
    constant_i32(shape_.chance(90) ? shape_.below(2) : shape_.chance(50) ? 70'000 : 0xffff'ffff);
    op(0x40, 0), op(0x21, local_of(ValueType::i32));
    op(0x3f, 0), op(0x21, local_of(ValueType::i32));
}

void FunctionGenerator::bulk_memory(int depth) {
    const auto segment = 1 + shape_.below(passive_data);
    if (shape_.chance(8)) return bulk_op(9), append_unsigned(code_, segment); // data.drop
    address(depth);
    switch (shape_.below(3)) {
    case 0: // init, often inside the segment
        constant_i32(shape_.below(passive_data_size / 2));
        constant_i32(shape_.chance(90) ? shape_.below(passive_data_size / 2) : 200);
        bulk_op(8), append_unsigned(code_, segment);
        return op(0);
    case 1:
        address(depth);
        break;
    default:
        expression(ValueType::i32, depth);
        constant_i32(bulk_size(shape_));
        bulk_op(11);
        return op(0);
    }
    constant_i32(bulk_size(shape_));
    bulk_op(10), op(0), op(0);
}

void FunctionGenerator::reference() {
    if (shape_.chance(20)) return op(0xd0, 0x70);
    op(0xd2, shape_.own(shape_.wild ? shape_.below(function_count)
                                    : 1 + shape_.below(function_count - 1)));
}

void FunctionGenerator::table_index() {
    if (shape_.chance(80)) return constant_i32(shape_.below(first_table_size + 2));
    expression(ValueType::i32, 1);
}

void FunctionGenerator::table_statement() {
    const std::size_t table = shape_.below(shape_.tables), other = shape_.below(shape_.tables);
    const auto small = [&] { constant_i32(shape_.below(5)); };
    // A few, or as many as the larger table may hold.
    const auto count = [&](bool large) {
        if (!large && shape_.chance(85)) return small();
        constant_i32(shape_.below(second_table_size));
    };
    switch (shape_.options.integers && shape_.chance(95) ? 5 : shape_.below(6)) {
    case 0:
        table_index(), reference();
        return op(0x26, table);
    case 1: // copy
        small(), small(), count(table == 1 && other == 1);
        bulk_op(14), append_unsigned(code_, table);
        return append_unsigned(code_, other);
    case 2: // init; the drop leaves nothing for later ones
        if (shape_.chance(15)) return bulk_op(13), append_unsigned(code_, passive_elements);
        table_index(), small(), small();
        bulk_op(12), append_unsigned(code_, passive_elements);
        return append_unsigned(code_, table);
    case 3: // fill
        small(), reference(), count(table == 1);
        bulk_op(17);
        return append_unsigned(code_, table);
    case 4: // grow
        reference(), constant_i32(shape_.chance(60)   ? shape_.below(3)
                                  : shape_.chance(50) ? shape_.below(100)
                                                      : 0xffff'ffff);
        bulk_op(15), append_unsigned(code_, table);
        return op(0x21, local_of(ValueType::i32));
    default:
        table_value();
        return op(0x21, local_of(ValueType::i32));
    }
}

/// Something a table tells, as i32.
void FunctionGenerator::table_value() {
    const std::size_t table = shape_.below(shape_.tables);
    if (shape_.chance(40)) return bulk_op(16), append_unsigned(code_, table);
    if (shape_.chance(70))
        table_index(), op(0x25, table);
    else
        reference();
    op(0xd1);
}

} // namespace blockloom::tests
