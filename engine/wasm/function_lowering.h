// Lowers one function body to register instructions (docs/register-program.md).
#pragma once

#include "wasm/code_reader.h"
#include "wasm/program.h"

#include <limits>
#include <optional>
#include <vector>

namespace blockloom::wasm {

/// One pass over the body. Constants and locals stay on the abstract operand stack until an
/// instruction needs them in a register; everything else is in the canonical register of its stack
/// height. While a function is lowered, its branches name basic blocks; `finish` fills in targets
/// and costs.
class FunctionLowering {
public:
    FunctionLowering(const Module& module, std::uint32_t function, Program& program);

    /// Appends the function's code to the program; fails if a limit of the engine is exceeded. With
    /// `fuel`, only the blocks that it lists have a cost (FuelRule::exact).
    Status run(const FunctionFuel* fuel = nullptr);

private:
    using BlockId = std::uint32_t;

    /// An entry of the abstract operand stack.
    struct Operand {
        enum class Kind : std::uint8_t { slot, local, constant } kind = Kind::slot;
        std::uint32_t local = 0;
        Cell value = 0;
    };

    struct Block {
        std::uint32_t pc = 0, cost = 0;
    };

    struct Label {
        CodeOpcode opcode = 0;
        std::uint32_t parameters = 0, results = 0;
        std::uint32_t height = 0; ///< of the stack below its parameters
        BlockId target = 0;       ///< loop: its head; else: what follows its end
        BlockId otherwise = 0;    ///< if: what follows else, or its end
        bool targeted = false;    ///< there is a branch to `target`
        bool entered = true;      ///< its beginning could be reached
        [[nodiscard]] std::uint32_t arity() const noexcept {
            return opcode == 0x03 ? parameters : results;
        }
    };

    // function_lowering.cpp: the walk, blocks, finishing
    void step();
    void finish();
    BlockId new_block();
    void begin_block(BlockId block, bool falls_in); ///< code continues in `block`
    void fall_into_new_block(std::uint64_t cost = 0);
    /// The block of a loop, or of an arm of an `if`, that the current instruction opens.
    void begin_scope(BlockId block, bool falls_in);
    [[nodiscard]] bool must_charge(BlockId block) const noexcept;
    Instruction& emit(Opcode op);
    [[nodiscard]] std::uint32_t pc() const noexcept;

    // lower_values.cpp: the operand stack and plain instructions
    [[nodiscard]] std::uint32_t height() const noexcept {
        return static_cast<std::uint32_t>(stack_.size());
    }
    [[nodiscard]] std::uint16_t slot(std::uint32_t at) const noexcept {
        return static_cast<std::uint16_t>(locals_ + at);
    }
    void push(Operand operand);
    void push_slot();
    std::uint16_t push_result(); ///< the register of the new top
    Operand drop();
    void materialise(std::uint32_t at);
    void materialise_top(std::uint32_t count);
    void settle(); ///< afterwards no entry refers to a local
    std::uint16_t register_at(std::uint32_t at);
    std::uint16_t pop_register();
    [[nodiscard]] Instruction*
    last_result(); ///< the instruction that made the top of the stack, if it is the last
    void save_local(std::uint32_t local);
    void set_local(std::uint32_t local, bool keep);
    void lower_binary(Opcode rr, bool commutative);
    void lower_unary(Opcode op);
    void lower_eqz(Opcode op);
    void lower_float_binary(Opcode op);
    void lower_load();
    void lower_store();
    void lower_select();
    void lower_bulk();
    void lower_table_access();
    bool lower_numeric();

    // lower_control.cpp
    void open(CodeOpcode opcode);
    void lower_else();
    void lower_end();
    void lower_branch(std::uint32_t depth);
    void lower_branch_if(std::uint32_t depth);
    void materialise_below_condition(std::uint32_t count);
    void lower_branch_table();
    void lower_return();
    void lower_call(std::uint32_t function);
    void lower_call_indirect();
    void leave() noexcept { reachable_ = false; }
    void move_results(std::uint32_t count, std::uint32_t to_register);
    void jump(Label& label);
    void branch_when(bool condition, BlockId target);
    [[nodiscard]] bool is_function_label(std::uint32_t depth) const noexcept {
        return depth + 1 == labels_.size();
    }
    Label& label(std::uint32_t depth) { return labels_[labels_.size() - 1 - depth]; }

    const Module& module_;
    Program& program_;
    const FunctionType& type_;
    const Body& body_;
    std::uint32_t function_;
    BinaryReader in_;
    CodeInstruction now_;

    std::uint32_t locals_ = 0; ///< parameters and declared locals
    std::vector<Operand> stack_;
    std::vector<std::uint32_t> references_; ///< one per local: how many entries refer to it
    std::uint32_t settled_ = 0;             ///< entries below it refer to no local
    std::uint32_t most_cells_ = 0;
    std::vector<Label> labels_;
    std::vector<Block> blocks_;
    BlockId current_ = 0;
    bool reachable_ = true;
    std::uint32_t skipped_ = 0;          ///< nesting inside unreachable code
    const FunctionFuel* fuel_ = nullptr; ///< null: instructions are counted
    std::uint32_t first_pc_ = 0, first_target_ = 0;
    std::uint32_t result_pc_ = std::numeric_limits<std::uint32_t>::max();
};

} // namespace blockloom::wasm
