// The state of an invocation on the interpreter between its slices.
#pragma once

#include "wasm/instance_state.h"
#include "wasm/run.h"

#include <vector>

namespace blockloom::wasm {

/// A waiting caller: where it continues (its call instruction) and its registers.
struct CallFrame {
    Instance* instance = nullptr;
    const Instruction* call = nullptr; ///< null: the outermost frame
    std::uint32_t base = 0;            ///< first cell of its registers
    std::uint32_t function = 0;
    std::uint32_t node = 0;       ///< of the profile's call tree
    std::uint64_t entered_at = 0; ///< fuel used when it was called (profile)
};

struct Interpreter::State {
    /// A node of the profile's call tree.
    struct Node {
        std::uint32_t function = 0, parent = 0;
        std::uint64_t calls = 0, fuel = 0;
        std::vector<std::uint32_t> children;
    };

    Instance* root = nullptr;
    std::vector<Cell>* stack = nullptr;
    std::vector<CallFrame> frames; ///< open ones first; grows, never shrinks
    std::uint32_t depth = 0;       ///< open frames
    std::uint32_t room = 0;        ///< frames that may be open before `enter` must check the limit
    Cell *cells = nullptr,
         *cells_end = nullptr; ///< end of the part of `stack` that the limit allows frames to use

    // The current position of the run.
    Instance* instance = nullptr;
    const Instruction* at = nullptr;
    std::uint32_t base = 0, function = 0;
    std::uint64_t pending_cost = 0; ///< of the block that begins at `at`: not charged yet
    std::uint64_t fuel_left = 0, fuel_given = 0, slice_left = 0, steps = 0;
    std::uint64_t allotted = 0; ///< how much the loop may charge before it settles
    std::uint32_t entry_function = 0;
    bool running = false;
    TrapKind trap = TrapKind::none;
    std::string trap_text;
    std::vector<Cell> host_results; ///< of a host function while it runs

    // From `instance`, for the loop.
    const ProgramFunction* functions = nullptr;
    const BranchTarget* branch_targets = nullptr;
    Cell* const* globals = nullptr;

    std::vector<FunctionProfile>* profile = nullptr;
    std::vector<Node> nodes;
    std::vector<std::uint32_t> active; ///< one per function: its number of open frames
    std::uint32_t node = 0;
    std::uint64_t entered_at = 0, merged_calls = 0;

    // What the loop leaves to the services (interpreter_services.cpp) after it has settled; each
    // continues from `at`.
    enum class Next : std::uint8_t {
        run,     ///< continue at `at`, after charging `pending_cost`
        trapped, ///< see `trap`
        returned,
        yielded,
        paused
    };
    /// Accounts for the used part of the allotment: fuel, slice and steps.
    void settle(std::uint64_t remaining) noexcept {
        const std::uint64_t used = allotted - remaining;
        fuel_left -= used;
        slice_left -= used;
        steps += used;
        allotted = 0;
    }
    /// The amount that both fuel and slice allow, but no more than may pass between two checks of
    /// the stop token.
    [[nodiscard]] std::uint64_t allot() noexcept;
    void use(Instance& now) noexcept; ///< `instance` and what the loop needs of it
    [[nodiscard]] Next refuel(const std::stop_token& stop);
    [[nodiscard]] Next enter(const FunctionReference& target, std::uint32_t window);
    [[nodiscard]] Next call_indirect();
    [[nodiscard]] Next leave_function(); ///< of another instance, or the outermost
    [[nodiscard]] bool execute();        ///< bulk memory and table instructions; false: trapped
    void mark(std::uint64_t address) noexcept;
    void note_cost(std::uint64_t cost);
    [[nodiscard]] Next fail(TrapKind kind) noexcept {
        trap = kind;
        return Next::trapped;
    }

    /// Both require that fuel and steps are settled.
    void enter_profile(std::uint32_t callee);
    void leave_profile(const CallFrame& caller);
    /// Leaves the frames that a trap left open.
    void close_profile();

private:
    [[nodiscard]] Next call_host(const FunctionReference& target, std::uint32_t window);
    [[nodiscard]] bool charge_fee(std::uint64_t fee);
};

/// Runs until the invocation ends or stops; the caller collects results and counts.
struct LoopResult {
    Outcome outcome = Outcome::returned;
    Trap trap;
};
LoopResult run_loop(Interpreter::State& state, const RunLimits& limits);

} // namespace blockloom::wasm
