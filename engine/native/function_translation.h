// Translates one function of the register program to LLVM IR.
#pragma once

#include "native/flow_facts.h"
#include "native/module_translation.h"

#include <llvm/ADT/DenseMap.h>
#include <vector>

namespace blockloom::native {

/// One pass over the function's instructions. A register lives in a stack slot that LLVM turns into
/// values; within a block its value is known in up to three widths. What is virtual is the target's
/// policy: here that of this machine's processor, in lanes/ that of lanes that may leave.
class FunctionTranslation {
public:
    FunctionTranslation(ModuleTranslation& module, std::uint32_t function, ControlGraph graph);
    virtual ~FunctionTranslation() = default;
    FunctionTranslation(const FunctionTranslation&) = delete;
    FunctionTranslation& operator=(const FunctionTranslation&) = delete;
    void run();

protected:
    using Value = llvm::Value;
    using Block = llvm::BasicBlock;
    using Opcode = wasm::Opcode;
    using Instruction = wasm::Instruction;
    using Predicate = llvm::CmpInst::Predicate;

    /// A value that is kept in a stack slot between blocks.
    struct Register {
        llvm::AllocaInst* home = nullptr;
        Value *wide = nullptr, *narrow = nullptr,
              *bit = nullptr; ///< its known values in this block
        bool changed = false; ///< not written to its stack slot yet
    };
    /// The value of a symbol plus `offset`, as 64 bits.
    struct Anchor {
        std::uint32_t offset = 0;
        Value* value = nullptr;
    };
    /// A register's current value plus a constant, modulo 2^32.
    struct Source {
        std::uint32_t index = 0, added = 0;
    };
    /// Registers of later instructions, in terms of current values.
    using Ahead = llvm::SmallDenseMap<std::uint32_t, std::optional<Source>, 16>;

    // function_translation.cpp: the walk, blocks, fuel, traps
    void step(const Instruction& i);
    [[nodiscard]] Block* block_at(std::uint32_t pc);
    Block* new_block();
    virtual void enter(); ///< what a function needs before its first block
    void begin(std::uint32_t pc);
    void go_to(std::uint32_t pc);
    virtual void charge(std::uint32_t cost, std::uint32_t pc);
    virtual void trap_if(Value* condition, wasm::TrapKind kind);
    void trap(wasm::TrapKind kind);
    void call_stub(llvm::Function* stub, std::vector<Value*> arguments);
    void branch_if(Value* condition, const Instruction& i);
    void branch_table(const Instruction& i);
    void control(const Instruction& i, Opcode op);
    bool compare_and_branch(const Instruction& i, Opcode op);

    // registers.cpp
    [[nodiscard]] Register& use(std::uint32_t index);
    [[nodiscard]] Value* wide(std::uint32_t index);   ///< the cell
    [[nodiscard]] Value* narrow(std::uint32_t index); ///< its low 32 bits
    [[nodiscard]] Value* truth(std::uint32_t index);  ///< whether the cell is not 0
    void set_wide(std::uint32_t index, Value* value);
    void set_narrow(std::uint32_t index, Value* value);
    void set_bit(std::uint32_t index, Value* value);
    Register& change(std::uint32_t index);
    void copy(std::uint32_t to, std::uint32_t from);
    void write_home(); ///< called before the block is left
    void forget();     ///< called when a block begins
    void remember(std::uint32_t index);
    void select(const Instruction& i);

    // numeric.cpp, floats.cpp
    bool integer(const Instruction& i, Opcode op);
    Value* divide(std::uint32_t operation, Value* x, Value* y);
    [[nodiscard]] Predicate predicate(std::uint32_t which) const;
    bool unary(const Instruction& i, Opcode op);
    virtual bool floating(const Instruction& i, Opcode op);
    bool float_binary(const Instruction& i, Opcode op);
    bool float_unary(const Instruction& i, Opcode op);
    bool conversion(const Instruction& i, Opcode op);
    void truncate(const Instruction& i, Opcode op);
    [[nodiscard]] Value* read_float(std::uint32_t index, bool is_double);
    void set_float(std::uint32_t index, Value* value); ///< its bits
    void set_canonical(std::uint32_t index, Value* value);
    [[nodiscard]] Value* least_or_most(Value* x, Value* y, bool least);

    // checks.cpp
    [[nodiscard]] virtual Value* address_of(const Instruction& i);
    bool check_ahead();
    void check(Value* address, std::int64_t bytes);
    [[nodiscard]] Value* outside(Value* address, std::int64_t bytes);
    void check_exactly(Block* first, std::uint32_t last);
    void mark_ahead(Place at, std::int64_t offset);
    void mark(Value* low, Value* high);
    [[nodiscard]] Value* from(std::uint32_t index, Place at, std::int64_t offset);
    [[nodiscard]] Value* value_of(const Source& source, std::uint32_t symbol, std::uint32_t offset);
    [[nodiscard]] std::optional<Place> place_ahead(const Ahead& ahead, std::uint32_t index);
    [[nodiscard]] static std::optional<Source> source_ahead(const Ahead& ahead,
                                                            std::uint32_t index);
    static void step_ahead(Ahead& ahead, const Instruction& i);
    [[nodiscard]] bool may_look_at(std::uint32_t pc) const;

    // memory.cpp
    bool memory(const Instruction& i, Opcode op);
    void load(const Instruction& i, llvm::Type* stored, bool is_signed, bool is_wide);
    void store(const Instruction& i, llvm::Type* stored, bool immediate);
    virtual void look_at_memory_again();
    /// What the pointer of a load or store is a multiple of.
    [[nodiscard]] virtual llvm::Align alignment_of(const Instruction& i) const;
    [[nodiscard]] Value* pointer_to(llvm::Type* type, Value* address);
    [[nodiscard]] virtual Value* global_cell(std::uint32_t index);
    [[nodiscard]] virtual Value* reference(std::uint32_t function);
    virtual void execute(const Instruction& i, bool answers);

    // calls.cpp
    virtual void call(const Instruction& i);
    virtual void call_import(const Instruction& i);
    virtual void call_indirect(const Instruction& i);
    void after_call(const Instruction& i);
    void take_results(const Instruction& i, const wasm::FunctionType& type, Value* first);
    [[nodiscard]] Value* give_cells(const Instruction& i, const wasm::FunctionType& type);
    void take_cells(const Instruction& i, const wasm::FunctionType& type, Value* cells);
    void return_results(Value* first);
    [[nodiscard]] virtual Value* more_results(); ///< where those after the first go
    llvm::CallInst* call_service(std::size_t field, std::vector<Value*> arguments);
    [[nodiscard]] Value* field(std::size_t offset, llvm::Type* type, bool fixed);
    [[nodiscard]] llvm::ConstantInt* number(std::uint64_t value) const {
        return llvm::ConstantInt::get(llvm::Type::getInt64Ty(build_.getContext()), value);
    }
    [[nodiscard]] llvm::ConstantInt* number32(std::uint32_t value) const {
        return llvm::ConstantInt::get(llvm::Type::getInt32Ty(build_.getContext()), value);
    }
    [[nodiscard]] const wasm::FunctionType& type_of_function(std::uint32_t index) const;

    ModuleTranslation& module_;
    const wasm::Program& program_;
    const wasm::ProgramFunction& about_;
    const wasm::FunctionType& type_;
    ControlGraph graph_;
    llvm::IRBuilder<> build_;
    llvm::Function* made_;
    Block *entry_, *trapped_ = nullptr;
    llvm::PHINode *trap_fuel_ = nullptr, *trap_site_ = nullptr;
    Value *context_, *room_, *memory_ = nullptr, *dirty_ = nullptr;
    llvm::AllocaInst* cells_ = nullptr; ///< arguments and results of calls through services
    std::uint64_t most_cells_ = 0;

    std::vector<Register> registers_;  ///< the program's registers, then fuel and memory size
    std::vector<std::uint32_t> known_; ///< registers with a known value in this block
    std::uint32_t fuel_, memory_size_;
    AddressFacts facts_;
    FlowFacts flow_;
    llvm::DenseMap<std::uint32_t, Anchor> anchors_; ///< by symbol
    /// Each access is checked on its own, and no facts are used or kept: the translation is undone
    /// to an earlier point, which `undo_` records.
    bool exactly_ = false;
    std::vector<std::pair<std::uint32_t, Register>> undo_;
    llvm::DenseMap<std::uint32_t, Block*> blocks_;
    std::uint32_t pc_ = 0;
    bool reachable_ = false;
};

} // namespace blockloom::native
