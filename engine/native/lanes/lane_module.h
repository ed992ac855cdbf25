// A module of lane code, and the functions of it.
#pragma once

#include "native/function_translation.h"
#include "native/lanes/access_checks.h"
#include "native/lanes/plan.h"

#include <array>
#include <span>
#include <utility>
#include <vector>

namespace blockloom::native {

enum class LaneTarget : std::uint8_t { host, nvptx };

/// Functions take the lane's frame, the fuel left and, in place of `room`, how many rounds of the
/// circle of calls that they are in are left (LanePlan::rounds). Compilers for GPUs take no circles
/// of calls: there each number of rounds left has functions of its own.
class LaneModule final : public ModuleTranslation {
public:
    LaneModule(const LanePlan& plan, llvm::LLVMContext& context, LaneTarget target);

    /// The function with the rounds left of the one that is being translated.
    [[nodiscard]] llvm::Function* function(std::uint32_t index) override {
        return function(index, rounds_);
    }
    [[nodiscard]] llvm::Function* function(std::uint32_t index, std::uint32_t rounds);
    /// For each of these functions "lane_N": `fuel left = lane_N(frame, fuel, cells)`, with
    /// arguments and results in `cells`; and whatever they may call.
    Status translate(std::span<const std::uint32_t> entries);
    /// Of the function that is being translated, on a GPU.
    [[nodiscard]] std::uint32_t rounds_left() const noexcept { return rounds_; }

    [[nodiscard]] const LanePlan& plan() const noexcept { return plan_; }
    [[nodiscard]] LaneTarget target() const noexcept { return target_; }
    [[nodiscard]] static std::string entry_name(std::uint32_t function);
    /// Ends a block: the lane leaves with an `Exit`.
    void leave(llvm::IRBuilder<>& build, llvm::Value* frame, llvm::Value* exit);
    /// A pointer to `type`, `at` bytes from the beginning of the frame.
    [[nodiscard]] llvm::Value* in_frame(llvm::IRBuilder<>& build, llvm::Value* frame,
                                        std::uint64_t at, llvm::Type* type) const;
    /// What answers an import: `fuel left = lane_import(frame, fuel, function, cells, pc)`. On the
    /// host its address is in the frame.
    [[nodiscard]] llvm::FunctionCallee import(llvm::IRBuilder<>& build, llvm::Value* frame);

    llvm::PointerType* frame; ///< to bytes, in the address space of frames

private:
    void make_entry(std::uint32_t function);

    const LanePlan& plan_;
    LaneTarget target_;
    std::uint32_t rounds_ = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> wanted_; ///< functions and their rounds
};

class LaneTranslation final : public FunctionTranslation {
public:
    LaneTranslation(LaneModule& module, std::uint32_t function, ControlGraph graph);

private:
    void enter() override;
    void charge(std::uint32_t cost, std::uint32_t pc) override;
    void trap_if(Value* condition, wasm::TrapKind kind) override;
    bool floating(const Instruction& i, Opcode op) override;
    Value* address_of(const Instruction& i) override;
    llvm::Align alignment_of(const Instruction& i) const override;
    void execute(const Instruction& i, bool answers) override;
    void look_at_memory_again() override;
    void grow(const Instruction& i);
    /// memory.copy and memory.fill.
    void move_bytes(const Instruction& i, Opcode op);
    /// Where the bytes are in the frame; leaves if no window has all of them.
    [[nodiscard]] Value* place_of(Value* address, Value* bytes);
    /// Fuel that is no step.
    void charge_fee(Value* fee);
    [[nodiscard]] Value* size_in_frame();
    Value* global_cell(std::uint32_t index) override;
    Value* reference(std::uint32_t function) override;
    Value* more_results() override;
    void call(const Instruction& i) override;
    void call_import(const Instruction& i) override;
    void call_indirect(const Instruction& i) override;

    void leave_if(Value* condition, Exit exit);
    /// Ends the block; what follows it is not translated.
    void leave_here(Exit exit);
    /// Where lanes leave so.
    [[nodiscard]] Block* way_out(Exit exit);
    struct Pointer {
        std::uint32_t offset = 0; ///< `value` is the place in the frame of a symbol plus this
        Value* value = nullptr;
    };
    /// Both relative to the register.
    [[nodiscard]] Pointer test(std::uint32_t index, const NearBytes& bytes);
    [[nodiscard]] Pointer pointer_to_known(std::uint32_t index, const NearBytes& bytes);
    [[nodiscard]] Value* in_frame_at(Value* place);
    [[nodiscard]] static bool may_be_in(const Window& window, std::size_t number,
                                        const NearBytes& bytes);
    /// In a record of what runs (RanBlocks): where the item is, and sets a bit there.
    [[nodiscard]] Value* recorded(const void* of, std::uint32_t item, llvm::Type* type);
    void record(Value* at, Value* bit);
    /// The bit of an address (RanCode::bit_of).
    [[nodiscard]] Value* page_bit(Value* address);
    void check_fuel();
    /// The instruction's results are never used: the lane has left.
    void forget_results(const Instruction& i, const wasm::FunctionType& type);
    /// Leaves if the call closes a circle and no round is left. Null: it always leaves.
    [[nodiscard]] llvm::CallInst* call_own(const Instruction& i, std::uint32_t callee);

    LaneModule& lanes_;
    std::uint32_t function_;
    std::vector<bool> loop_heads_; ///< by instruction of the function: a branch leads back to it
    AccessChecks checks_;
    llvm::MDNode* likely_;
    std::array<Block*, exit_kinds> left_{};
    llvm::DenseMap<std::uint32_t, Pointer> pointers_; ///< by symbol, of the block
};

} // namespace blockloom::native
