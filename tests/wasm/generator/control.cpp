// Blocks, branches and calls.
#include "wasm/generator/function_generator.h"

#include <algorithm>

namespace blockloom::tests {

using wasm::FunctionType;
using wasm::ValueType;

void FunctionGenerator::call(int depth) {
    if (!shape_.imported.empty() && shape_.chance(35)) {
        const std::size_t callee = shape_.below(shape_.imported.size());
        const FunctionType type = shape_.imported[callee];
        for (const ValueType parameter : type.parameters) expression(parameter, depth - 1);
        op(0x10, callee);
        return drop_into_locals(type.results);
    }
    if (shape_.chance(30)) return call_indirect(depth);
    // Only later functions: no endless recursion.
    const std::size_t first = shape_.wild || function_ >= function_count ? 0 : function_ + 1;
    if (first >= function_count) return;
    const std::size_t callee = first + shape_.below(function_count - first);
    const FunctionType type = shape_.types[callee];
    for (const ValueType parameter : type.parameters) expression(parameter, depth - 1);
    op(0x10, shape_.own(callee));
    drop_into_locals(type.results);
}

void FunctionGenerator::call_indirect(int depth) {
    if (function_ > 0 && !shape_.wild) return; // tables hold the others
    const std::size_t callee = 1 + shape_.below(function_count - 1);
    const FunctionType type = shape_.types[callee];
    for (const ValueType parameter : type.parameters) expression(parameter, depth - 1);
    if (shape_.chance(75))
        constant_i32(callee - 1); // where the first segment puts it
    else
        table_index();
    op(0x11, shape_.type_index(type));
    append_unsigned(code_, shape_.tables > 1 && shape_.chance(15) ? 1 : 0);
    drop_into_locals(type.results);
}

/// Calls itself with a parameter that counts down.
void FunctionGenerator::recurse() {
    const auto found = std::find(type_.parameters.begin(), type_.parameters.end(), ValueType::i32);
    if (function_ >= function_count || found == type_.parameters.end()) return;
    const auto counter = static_cast<std::uint32_t>(found - type_.parameters.begin());
    op(0x20, counter), constant_i32(shape_.chance(20) ? 1023 : 15), op(0x71), op(0x22, counter);
    op(0x04, 0x40);
    labels_.push_back({});
    for (std::uint32_t i = 0; i < type_.parameters.size(); ++i) {
        op(0x20, i);
        if (i == counter) constant_i32(1), op(0x6b);
    }
    op(0x10, shape_.own(function_));
    drop_into_locals(type_.results);
    if (shape_.chance(50)) { // straight back: no work at each depth
        for (const ValueType type : type_.results) expression(type, 1);
        op(0x0f);
    }
    labels_.pop_back();
    op(0x0b);
}

/// With parameters and results.
void FunctionGenerator::block(int depth) {
    const Types in = shape_.any_types(3), out = shape_.any_types(3);
    for (const ValueType each : in) expression(each, depth - 1);
    const bool choice = shape_.chance(40);
    if (choice) expression(ValueType::i32, 2);
    op(choice ? 0x04 : 0x02);
    block_type({in, out});
    labels_.push_back(out);
    for (int half = 0; half < (choice ? 2 : 1); ++half) {
        if (half == 1) op(0x05);
        drop_into_locals(in);
        if (shape_.chance(50)) statements(depth - 1);
        for (const ValueType each : out) expression(each, depth - 1);
    }
    labels_.pop_back();
    op(0x0b);
    drop_into_locals(out);
}

void FunctionGenerator::endless_loop(int depth) {
    op(0x03, 0x40);
    labels_.push_back({});
    statements(depth - 1);
    expression(ValueType::i32, 2), op(0x0d, 0);
    labels_.pop_back();
    op(0x0b);
}

void FunctionGenerator::loop(int depth) {
    if (shape_.wild && shape_.chance(50)) return endless_loop(depth);
    const std::uint32_t counter = add_local(ValueType::i32);
    constant_i32(1 + shape_.below(4));
    op(0x21, counter);
    const Types carried = shape_.any_types(2);
    for (const ValueType type : carried) expression(type, 1);
    op(0x03);
    block_type({carried, carried});
    // A branch to the loop would not count down: only the one at the end goes there.
    labels_.push_back({});
    barred_.push_back(labels_.size() - 1);
    drop_into_locals(carried);
    statements(depth - 1);
    for (const ValueType type : carried) expression(type, 2);
    op(0x20, counter), constant_i32(1), op(0x6b), op(0x22, counter);
    op(0x0d, 0);
    barred_.pop_back();
    labels_.pop_back();
    op(0x0b);
    drop_into_locals(carried);
}

void FunctionGenerator::branch(int depth) {
    const std::size_t to = shape_.below(labels_.size());
    if (std::find(barred_.begin(), barred_.end(), to) != barred_.end()) return;
    const Types types = labels_[to];
    if (shape_.chance(60)) {
        for (const ValueType type : types) expression(type, depth - 1);
        expression(ValueType::i32, 2);
        op(0x0d, labels_.size() - 1 - to);
        return drop_into_locals(types);
    }
    expression(ValueType::i32, 2);
    op(0x04, 0x40);
    labels_.push_back({});
    for (const ValueType type : types) expression(type, depth - 1);
    if (shape_.chance(15)) {
        for (const ValueType type : type_.results) expression(type, 1);
        op(0x0f);
    } else if (shape_.chance(5)) {
        op(0x00);
    } else {
        op(0x0c, labels_.size() - 1 - to);
    }
    if (shape_.chance(30)) statements(1); // never reached
    if (shape_.chance(25)) op(0x05), statements(1);
    labels_.pop_back();
    op(0x0b);
}

void FunctionGenerator::branch_table(int depth) {
    const Types carried = shape_.any_types(2);
    const std::size_t blocks = 1 + shape_.below(4);
    for (std::size_t i = 0; i < blocks; ++i) {
        op(0x02);
        block_type({{}, carried});
        labels_.push_back(carried);
    }
    for (const ValueType type : carried) expression(type, depth - 1);
    expression(ValueType::i32, 2);
    if (shape_.chance(70)) constant_i32(7), op(0x71);
    const std::size_t ways = shape_.below(6);
    op(0x0e, ways);
    for (std::size_t i = 0; i <= ways; ++i) append_unsigned(code_, shape_.below(blocks));
    for (std::size_t i = 0; i < blocks; ++i) {
        labels_.pop_back();
        op(0x0b);
        drop_into_locals(carried);
        if (i + 1 < blocks) {
            statement(depth - 1);
            for (const ValueType type : carried) expression(type, 1);
        }
    }
}

} // namespace blockloom::tests
