#include "wasm/module_generator.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <random>

namespace blockloom::tests {
namespace {

using wasm::FunctionType;
using wasm::ValueType;
using Types = std::vector<ValueType>;

constexpr ValueType number_types[] = {ValueType::i32, ValueType::i64, ValueType::f32,
                                      ValueType::f64};
constexpr std::uint32_t function_count = 5, global_count = 4, table_size = 8;

void append_unsigned(Bytes& to, std::uint64_t value) {
    do {
        const Byte low = value & 0x7f;
        value >>= 7;
        to.push_back(value != 0 ? low | 0x80 : low);
    } while (value != 0);
}

void append_signed(Bytes& to, std::int64_t value) {
    while (value < -64 || value > 63) {
        to.push_back(static_cast<Byte>((value & 0x7f) | 0x80));
        value >>= 7;
    }
    to.push_back(static_cast<Byte>(value & 0x7f));
}

void append_bytes(Bytes& to, const Bytes& what) {
    to.insert(to.end(), what.begin(), what.end());
}

void append_section(Bytes& to, Byte id, const Bytes& content) {
    to.push_back(id);
    append_unsigned(to, content.size());
    append_bytes(to, content);
}

void append_types(Bytes& to, const Types& types) {
    append_unsigned(to, types.size());
    for (const ValueType type : types) to.push_back(static_cast<Byte>(type));
}

void append_constant(Bytes& to, ValueType type, wasm::Cell cell) {
    switch (type) {
    case ValueType::i32:
        to.push_back(0x41);
        append_signed(to, static_cast<std::int32_t>(cell));
        break;
    case ValueType::i64:
        to.push_back(0x42);
        append_signed(to, static_cast<std::int64_t>(cell));
        break;
    case ValueType::f32:
        to.push_back(0x43);
        append_le(to, static_cast<std::uint32_t>(cell));
        break;
    default:
        to.push_back(0x44);
        append_le(to, cell);
        break;
    }
}

/// What all functions of a module share.
struct Shape {
    std::vector<FunctionType> types; ///< functions' own first, then blocks'
    std::mt19937_64 random;

    std::size_t below(std::size_t n) { return static_cast<std::size_t>(random() % n); }
    bool chance(unsigned percent) { return below(100) < percent; }
    ValueType any_type() { return number_types[below(4)]; }
    Types any_types(std::size_t most) {
        Types result(below(most + 1));
        for (ValueType& type : result) type = any_type();
        return result;
    }
    std::uint32_t type_index(const FunctionType& type) {
        for (std::size_t i = 0; i < types.size(); ++i)
            if (types[i] == type) return static_cast<std::uint32_t>(i);
        types.push_back(type);
        return static_cast<std::uint32_t>(types.size() - 1);
    }
};

class FunctionGenerator {
public:
    FunctionGenerator(Shape& shape, std::uint32_t index)
        : shape_(shape), index_(index), type_(shape.types[index]) {
        locals_ = type_.parameters;
        for (const ValueType type : number_types)
            for (int i = 0; i < 2; ++i) locals_.push_back(type);
        writable_ = static_cast<std::uint32_t>(locals_.size());
        scratch32_ = add_local(ValueType::f32);
        scratch64_ = add_local(ValueType::f64);
    }

    Bytes body() {
        labels_.push_back(type_.results);
        statements(4);
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

private:
    void op(unsigned byte) { code_.push_back(static_cast<Byte>(byte)); }
    void op(unsigned byte, std::uint64_t index) {
        op(byte);
        append_unsigned(code_, index);
    }
    std::uint32_t add_local(ValueType type) {
        locals_.push_back(type);
        return static_cast<std::uint32_t>(locals_.size() - 1);
    }
    std::uint32_t local_of(ValueType type) {
        for (std::size_t at = shape_.below(writable_);; at = (at + 1) % writable_)
            if (locals_[at] == type) return static_cast<std::uint32_t>(at);
    }
    void constant(ValueType type) {
        append_constant(code_, type, interesting_cell(type, shape_.random()));
    }
    void address(int depth) {
        expression(ValueType::i32, depth);
        if (shape_.chance(92)) { // else it may trap
            append_constant(code_, ValueType::i32, shape_.chance(50) ? 0xfff0 : 0x3f);
            op(0x71);
        }
    }
    void memory_access(unsigned opcode) {
        op(opcode, 0);
        append_unsigned(code_, shape_.chance(90) ? shape_.below(9) : shape_.random() & 0xffff'ffff);
    }
    /// A NaN becomes the canonical one: engines may differ in its bits.
    void canonical(ValueType type) {
        const bool single = type == ValueType::f32;
        const std::uint32_t scratch = single ? scratch32_ : scratch64_;
        op(0x22, scratch);
        append_constant(code_, type, single ? 0x7fc0'0000 : 0x7ff8'0000'0000'0000);
        op(0x20, scratch), op(0x20, scratch), op(single ? 0x5b : 0x61), op(0x1b);
    }

    void expression(ValueType type, int depth);
    void integer(ValueType type, int depth);
    void floating(ValueType type, int depth);
    void call(int depth);
    void block_type(const FunctionType& type);
    void drop_into_locals(const Types& types);
    void statements(int depth);
    void statement(int depth);
    void loop(int depth);
    void branch(int depth);
    void branch_table(int depth);
    void bulk(int depth);

    Shape& shape_;
    std::uint32_t index_;
    FunctionType type_;
    Types locals_;
    std::uint32_t writable_ = 0, scratch32_ = 0, scratch64_ = 0;
    std::vector<Types> labels_;       ///< what a branch to each carries, outermost first
    std::vector<std::size_t> barred_; ///< loops among them
    Bytes code_;
};

void FunctionGenerator::integer(ValueType type, int depth) {
    const bool wide = type == ValueType::i64;
    switch (shape_.below(10)) {
    case 0: // a comparison
        if (!wide) {
            const ValueType of = shape_.any_type();
            expression(of, depth), expression(of, depth);
            switch (of) {
            case ValueType::i32:
                return op(0x46 + static_cast<unsigned>(shape_.below(10)));
            case ValueType::i64:
                return op(0x51 + static_cast<unsigned>(shape_.below(10)));
            case ValueType::f32:
                return op(0x5b + static_cast<unsigned>(shape_.below(6)));
            default:
                return op(0x61 + static_cast<unsigned>(shape_.below(6)));
            }
        }
        expression(ValueType::i32, depth);
        return op(shape_.chance(50) ? 0xac : 0xad);
    case 1: // unary
        expression(type, depth);
        if (shape_.chance(50))
            return op((wide ? 0x79 : 0x67) + static_cast<unsigned>(shape_.below(3)));
        return wide ? op(0xc2 + static_cast<unsigned>(shape_.below(3)))
                    : op(0xc0 + static_cast<unsigned>(shape_.below(2)));
    case 2: // load
        address(depth);
        return wide ? memory_access(
                          shape_.chance(50) ? 0x29 : 0x30 + static_cast<unsigned>(shape_.below(6)))
                    : memory_access(
                          shape_.chance(50) ? 0x28 : 0x2c + static_cast<unsigned>(shape_.below(4)));
    case 3: { // from a float
        const bool from64 = shape_.chance(50);
        expression(from64 ? ValueType::f64 : ValueType::f32, depth);
        if (shape_.chance(20)) // may trap
            return op((wide ? 0xae : 0xa8) + (from64 ? 2 : 0) +
                      static_cast<unsigned>(shape_.below(2)));
        if (from64 == wide && shape_.chance(30)) return op(wide ? 0xbd : 0xbc);
        op(0xfc);
        return op((wide ? 4 : 0) + (from64 ? 2 : 0) + static_cast<unsigned>(shape_.below(2)));
    }
    case 4: // from the other width, or a test of it
        if (wide) {
            expression(ValueType::i64, depth), op(0x50);
            return op(0xad);
        }
        expression(ValueType::i64, depth);
        return op(shape_.chance(50) ? 0xa7 : 0x50);
    case 5:
        expression(type, depth);
        if (!wide) return op(0x45);
        op(0x50);
        return op(0xac);
    default: // binary; division seldom, for it may trap
        expression(type, depth), expression(type, depth);
        for (;;) {
            const auto which = static_cast<unsigned>(shape_.below(15));
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
        const auto which = static_cast<unsigned>(shape_.below(7));
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
        return op((wide ? 0xb7 : 0xb2) + (from64 ? 2 : 0) + static_cast<unsigned>(shape_.below(2)));
    }
    case 3:
        expression(wide ? ValueType::f32 : ValueType::f64, depth);
        return op(wide ? 0xbb : 0xb6), canonical(type);
    case 4:
        expression(wide ? ValueType::i64 : ValueType::i32, depth);
        return op(wide ? 0xbf : 0xbe), canonical(type);
    default:
        expression(type, depth), expression(type, depth);
        return op((wide ? 0xa0 : 0x92) + static_cast<unsigned>(shape_.below(7))), canonical(type);
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
    case 1: // globals: one a type
        return op(0x23, static_cast<std::size_t>(
                            std::find(std::begin(number_types), std::end(number_types), type) -
                            std::begin(number_types)));
    case 2:
        expression(type, depth), expression(type, depth), expression(ValueType::i32, depth);
        return op(0x1b);
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

void FunctionGenerator::drop_into_locals(const Types& types) {
    for (std::size_t i = types.size(); i > 0; --i) {
        if (shape_.chance(60))
            op(0x21, local_of(types[i - 1]));
        else
            op(0x1a);
    }
}

void FunctionGenerator::call(int depth) {
    if (index_ + 1 >= function_count) return;
    const auto callee =
        static_cast<std::uint32_t>(index_ + 1 + shape_.below(function_count - index_ - 1));
    const FunctionType type = shape_.types[callee];
    for (const ValueType parameter : type.parameters) expression(parameter, depth - 1);
    if (index_ == 0 && shape_.chance(50)) { // the table holds later functions only
        if (shape_.chance(80))
            append_constant(code_, ValueType::i32, callee);
        else
            expression(ValueType::i32, 1);
        op(0x11, shape_.type_index(type)), op(0);
    } else {
        op(0x10, callee);
    }
    drop_into_locals(type.results);
}

void FunctionGenerator::block_type(const FunctionType& type) {
    append_signed(code_, shape_.type_index(type));
}

void FunctionGenerator::loop(int depth) {
    const std::uint32_t counter = add_local(ValueType::i32);
    append_constant(code_, ValueType::i32, 1 + shape_.below(4));
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
    op(0x20, counter), append_constant(code_, ValueType::i32, 1), op(0x6b), op(0x22, counter);
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
    if (shape_.chance(70)) append_constant(code_, ValueType::i32, 7), op(0x71);
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

void FunctionGenerator::bulk(int depth) {
    address(depth), address(depth);
    append_constant(code_, ValueType::i32, shape_.chance(90) ? shape_.below(300) : 70'000);
    op(0xfc);
    if (shape_.chance(50))
        op(0x0a), op(0), op(0);
    else
        op(0x0b), op(0);
}

void FunctionGenerator::statement(int depth) {
    const ValueType type = shape_.any_type();
    switch (shape_.below(12)) {
    case 0:
        return loop(depth);
    case 1:
    case 2:
        return branch(depth);
    case 3:
        return branch_table(depth);
    case 4:
        if (shape_.chance(40)) return bulk(depth - 1);
        return call(depth);
    case 5: { // a block with parameters and results
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
        return drop_into_locals(out);
    }
    case 6:
    case 7: {
        constexpr unsigned stores[] = {0x36, 0x37, 0x38, 0x39};
        address(depth - 1), expression(type, depth - 1);
        if (type == ValueType::i32 && shape_.chance(50))
            return memory_access(0x3a + static_cast<unsigned>(shape_.below(2)));
        if (type == ValueType::i64 && shape_.chance(50))
            return memory_access(0x3c + static_cast<unsigned>(shape_.below(3)));
        for (std::size_t i = 0; i < 4; ++i)
            if (number_types[i] == type) memory_access(stores[i]);
        return;
    }
    case 8: {
        const std::size_t global = shape_.below(global_count);
        expression(number_types[global], depth - 1);
        return op(0x24, global);
    }
    case 9:
        if (shape_.chance(80)) return op(0x01);
        append_constant(code_, ValueType::i32, shape_.below(2));
        op(0x40, 0), op(0x1a), op(0x3f, 0);
        return op(0x21, local_of(ValueType::i32));
    default:
        expression(type, depth);
        return op(0x21, local_of(type));
    }
}

void FunctionGenerator::statements(int depth) {
    if (depth <= 0 || code_.size() > 3000) return;
    for (std::size_t i = 1 + shape_.below(4); i > 0; --i) statement(depth);
}

} // namespace

wasm::Cell interesting_cell(ValueType type, std::uint64_t random) {
    constexpr std::uint64_t integers[] = {0,
                                          1,
                                          2,
                                          7,
                                          31,
                                          32,
                                          63,
                                          64,
                                          0x7f,
                                          0x80,
                                          0xff,
                                          0x7fff,
                                          0x8000,
                                          0xffff,
                                          0x7fffffff,
                                          0x80000000,
                                          0xffffffff,
                                          0x7fffffffffffffff,
                                          0x8000000000000000,
                                          ~0ull,
                                          ~1ull};
    constexpr double floats[] = {0.0,          -0.0,          1.0,    -1.0,   0.5,   1.5,
                                 2.5,          -2.5,          1e10,   -1e10,  1e300, 4294967295.0,
                                 2147483648.0, -2147483649.0, 9.3e18, 1.9e19, 1e-310};
    const std::uint64_t which = random >> 8;
    const bool chosen = (random & 0xff) < 200;
    switch (type) {
    case ValueType::i32:
        return (chosen ? integers[which % std::size(integers)] : which) & 0xffff'ffff;
    case ValueType::i64:
        return chosen ? integers[which % std::size(integers)] : random * 0x9e3779b97f4a7c15;
    case ValueType::f32: {
        const auto value = static_cast<float>(chosen ? floats[which % std::size(floats)]
                                                     : static_cast<double>(which % 100'000) / 7);
        return std::bit_cast<std::uint32_t>(value);
    }
    default:
        return std::bit_cast<std::uint64_t>(chosen ? floats[which % std::size(floats)]
                                                   : static_cast<double>(which) / 1e9);
    }
}

GeneratedModule generate_module(std::uint64_t seed) {
    Shape shape{{}, std::mt19937_64(seed)};
    GeneratedModule result;
    for (std::uint32_t i = 0; i < function_count; ++i)
        shape.types.push_back({shape.any_types(4), shape.any_types(3)});
    result.functions = shape.types;
    result.globals = global_count;
    std::vector<Bytes> bodies;
    for (std::uint32_t i = 0; i < function_count; ++i)
        bodies.push_back(FunctionGenerator(shape, i).body());

    Bytes types, functions, table{1, 0x70, 0, table_size}, memory{1, 1, 1, 3}, globals, exports,
        elements{1, 0, 0x41, 1, 0x0b}, code, data;
    append_unsigned(types, shape.types.size());
    for (const FunctionType& type : shape.types) {
        types.push_back(0x60);
        append_types(types, type.parameters);
        append_types(types, type.results);
    }
    append_unsigned(functions, function_count);
    append_unsigned(globals, global_count);
    append_unsigned(exports, function_count);
    append_unsigned(elements, function_count - 1);
    append_unsigned(code, function_count);
    for (const ValueType type : number_types) {
        globals.insert(globals.end(), {static_cast<Byte>(type), Byte{1}});
        append_constant(globals, type, interesting_cell(type, shape.random()));
        globals.push_back(0x0b);
    }
    for (std::uint32_t i = 0; i < function_count; ++i) {
        append_unsigned(functions, i);
        exports.insert(exports.end(), {Byte{2}, Byte{'f'}, static_cast<Byte>('0' + i), Byte{0}});
        append_unsigned(exports, i);
        if (i > 0) append_unsigned(elements, i);
        append_unsigned(code, bodies[i].size());
        append_bytes(code, bodies[i]);
    }
    append_unsigned(data, 1);
    data.insert(data.end(), {Byte{0}, Byte{0x41}, Byte{0}, Byte{0x0b}});
    append_unsigned(data, 64);
    for (int i = 0; i < 64; ++i) data.push_back(static_cast<Byte>(shape.random()));

    result.bytes = {0, 'a', 's', 'm', 1, 0, 0, 0};
    append_section(result.bytes, 1, types);
    append_section(result.bytes, 3, functions);
    append_section(result.bytes, 4, table);
    append_section(result.bytes, 5, memory);
    append_section(result.bytes, 6, globals);
    append_section(result.bytes, 7, exports);
    append_section(result.bytes, 9, elements);
    append_section(result.bytes, 10, code);
    append_section(result.bytes, 11, data);
    return result;
}

} // namespace blockloom::tests
