// Walks a body as wasmi's translator does, and records what its metering depends on (docs/fuel.md).
#pragma once

#include "wasm/code_reader.h"
#include "wasm/wasmi_code.h"

#include <string>

namespace blockloom::wasm::wasmi {

class Translation {
public:
    Translation(const Module& module, std::uint32_t function);

    [[nodiscard]] FunctionFuel run();

private:
    enum class FrameKind : std::uint8_t { block, loop, if_else, unreachable };
    /// A block's label and what wasmi remembers of it.
    struct Frame {
        FrameKind kind = FrameKind::block;
        std::uint32_t parameters = 0, results = 0;
        std::uint32_t height = 0; ///< of the stack below its parameters
        Scope scope = 0;
        Label label = 0;               ///< a loop's head, else what follows the end
        Register branch_registers = 0; ///< the first register that receives a branch's values
        bool branched_to = false;
        // if_else
        bool first_possible = true, second_possible = true; ///< false: the condition is constant
        bool has_else = false;
        std::optional<bool> first_falls_out; ///< known from `else` on
        Label otherwise = 0;                 ///< if both are possible
        std::vector<Value> parameters_kept;  ///< for `else`, if both are possible

        [[nodiscard]] std::uint32_t branch_values() const noexcept {
            return kind == FrameKind::loop ? parameters : results;
        }
    };

    // wasmi_translation.cpp
    void step();
    void doubt(const char* why);
    [[nodiscard]] Scope scope() const noexcept { return frames_.back().scope; }
    void emit_result(Code::Kind kind, std::span<const Value> inputs, std::uint32_t words = 1);
    void emit_plain(std::span<const Value> inputs, std::uint32_t words = 1);
    void trap();

    // wasmi_operators.cpp
    [[nodiscard]] bool numeric();
    void push_constant(ValueType type, Cell bits);
    void unary(const Signature& signature);
    void binary(const Signature& signature);
    [[nodiscard]] bool integer_shortcut(const Value& left, const Value& right);
    [[nodiscard]] bool float_shortcut(const Value& left, const Value& right);
    [[nodiscard]] bool comparison_shortcut(const Value& left, const Value& right);
    [[nodiscard]] bool constant_fits(const Value& constant, bool on_the_left) const;
    [[nodiscard]] Code::Kind kind_of(CodeOpcode opcode) const noexcept;
    void eqz();
    void load();
    void store(const Signature& signature);
    void select();
    void bulk();
    void table_access();
    void index_operand(const Value& value);
    void set_local(std::uint32_t local, bool keep);
    void get_global();
    void set_global();

    // wasmi_control.cpp
    void preserve_locals();
    void open(FrameKind kind);
    void open_if(Frame& frame);
    void lower_else();
    void lower_end();
    void end_if(Frame& frame);
    void end_if_both(Frame& frame);
    void end_if_without_else(Frame& frame);
    void copy_branch_values(const Frame& to);
    void push_branch_registers(const Frame& frame);
    void return_from(Scope scope);
    void branch(std::uint32_t depth);
    void branch_if(std::uint32_t depth);
    void branch_table();
    void call(const FunctionType& type, bool indirect);
    [[nodiscard]] bool is_root(std::uint32_t depth) const noexcept {
        return depth + 1 == frames_.size();
    }
    Frame& frame(std::uint32_t depth) { return frames_[frames_.size() - 1 - depth]; }

    const Module& module_;
    const FunctionType& type_;
    const Body& body_;
    BinaryReader in_;
    CodeInstruction now_;
    Stack stack_;
    Code code_;
    std::vector<Frame> frames_;
    std::vector<Value> values_; ///< popped or inspected
    bool reachable_ = true;
    std::string doubt_;
};

} // namespace blockloom::wasm::wasmi
