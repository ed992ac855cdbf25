#include "wasm/generator/function_generator.h"

namespace blockloom::tests {

using wasm::FunctionType;
using wasm::ValueType;

FunctionGenerator::FunctionGenerator(Shape& shape, std::uint32_t function, const FunctionType& type)
    : shape_(shape), function_(function), type_(type) {
    locals_ = type_.parameters;
    for (const ValueType each : number_types)
        for (int i = 0; i < 2; ++i) locals_.push_back(each);
    writable_ = static_cast<std::uint32_t>(locals_.size());
    scratch32_ = add_local(ValueType::f32);
    scratch64_ = add_local(ValueType::f64);
}

Bytes FunctionGenerator::body(int depth) {
    labels_.push_back(type_.results);
    if (shape_.chance(12)) recurse();
    statements(depth);
    for (const ValueType type : type_.results) expression(type, 3);
    op(0x0b);
    Bytes result;
    append_unsigned(result, locals_.size() - type_.parameters.size());
    for (std::size_t i = type_.parameters.size(); i < locals_.size(); ++i) {
        append_unsigned(result, 1);
        result.push_back(static_cast<Byte>(locals_[i]));
    }
    append_bytes(result, code_);
    return result;
}

std::uint32_t FunctionGenerator::add_local(ValueType type) {
    locals_.push_back(type);
    return static_cast<std::uint32_t>(locals_.size() - 1);
}

std::uint32_t FunctionGenerator::local_of(ValueType type) {
    for (std::size_t at = shape_.below(writable_);; at = (at + 1) % writable_)
        if (locals_[at] == type) return static_cast<std::uint32_t>(at);
}

void FunctionGenerator::constant(ValueType type) {
    append_constant(code_, type, interesting_cell(type, shape_.random()));
}

/// A NaN becomes the canonical one: engines may differ in its bits.
void FunctionGenerator::canonical(ValueType type) {
    if (shape_.options.nan_bits) return;
    const bool single = type == ValueType::f32;
    const std::uint32_t scratch = single ? scratch32_ : scratch64_;
    op(0x22, scratch);
    append_constant(code_, type, single ? 0x7fc0'0000 : 0x7ff8'0000'0000'0000);
    op(0x20, scratch), op(0x20, scratch), op(single ? 0x5b : 0x61), op(0x1b);
}

void FunctionGenerator::block_type(const FunctionType& type) {
    append_signed(code_, shape_.type_index(type));
}

void FunctionGenerator::drop_into_locals(const Types& types) {
    for (std::size_t i = types.size(); i > 0; --i) {
        if (shape_.chance(60))
            op(0x21, local_of(types[i - 1]));
        else
            op(0x1a);
    }
}

void FunctionGenerator::statement(int depth) {
    switch (shape_.below(14)) {
    case 0:
        return loop(depth);
    case 1:
    case 2:
        return branch(depth);
    case 3:
        return branch_table(depth);
    case 4:
        return call(depth);
    case 5:
        return block(depth);
    case 6:
    case 7:
        return store(depth);
    case 8: {
        const ValueType type = shape_.any_type();
        expression(type, depth - 1);
        return op(0x24, global_of(type));
    }
    case 9:
        return shape_.chance(70) ? op(0x01) : grow_memory();
    case 10:
        return shape_.chance(50) ? bulk_memory(depth - 1) : table_statement();
    default: {
        const ValueType type = shape_.any_type();
        expression(type, depth);
        return op(0x21, local_of(type));
    }
    }
}

void FunctionGenerator::statements(int depth) {
    if (depth <= 0 || code_.size() > 3000) return;
    for (std::size_t i = 1 + shape_.below(4); i > 0; --i) statement(depth);
}

} // namespace blockloom::tests
