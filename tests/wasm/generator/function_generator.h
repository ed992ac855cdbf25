// Writes one random function body.
#pragma once

#include "wasm/generator/module_bytes.h"
#include "wasm/generator/shape.h"

namespace blockloom::tests {

class FunctionGenerator {
public:
    /// `function` counts own functions; those from `function_count` on call any of the others.
    FunctionGenerator(Shape& shape, std::uint32_t function, const wasm::FunctionType& type);

    /// Locals, instructions and `end`; `depth` bounds the nesting of statements.
    [[nodiscard]] Bytes body(int depth);

private:
    // function_generator.cpp: pieces
    void op(unsigned byte) { code_.push_back(static_cast<Byte>(byte)); }
    void op(unsigned byte, std::uint64_t index) {
        op(byte);
        append_unsigned(code_, index);
    }
    void bulk_op(unsigned number) { op(0xfc, number); }
    std::uint32_t add_local(wasm::ValueType type);
    std::uint32_t local_of(wasm::ValueType type);
    void constant(wasm::ValueType type);
    void constant_i32(std::uint64_t value) { append_constant(code_, wasm::ValueType::i32, value); }
    void canonical(wasm::ValueType type);
    void block_type(const wasm::FunctionType& type);
    void drop_into_locals(const Types& types);
    void statements(int depth);
    void statement(int depth);

    // expressions.cpp
    void expression(wasm::ValueType type, int depth);
    void integer(wasm::ValueType type, int depth);
    void comparison(int depth);
    void floating(wasm::ValueType type, int depth);
    std::uint32_t global_of(wasm::ValueType type);

    // control.cpp
    void call(int depth);
    void call_indirect(int depth);
    void recurse();
    void block(int depth);
    void loop(int depth);
    void endless_loop(int depth);
    void branch(int depth);
    void branch_table(int depth);

    // state.cpp: memory, globals and tables
    void address(int depth);
    void memory_access(unsigned opcode);
    void store(int depth);
    void grow_memory();
    void bulk_memory(int depth);
    void reference();
    void table_index();
    void table_statement();
    void table_value();

    Shape& shape_;
    std::uint32_t function_;
    wasm::FunctionType type_;
    Types locals_;
    std::uint32_t writable_ = 0, scratch32_ = 0, scratch64_ = 0;
    std::vector<Types> labels_;       ///< what a branch to each carries, outermost first
    std::vector<std::size_t> barred_; ///< loops among them
    Bytes code_;
};

} // namespace blockloom::tests
