// What an invocation on the interpreter is made of between its slices.
#pragma once

#include "wasm/instance_state.h"
#include "wasm/run.h"

#include <vector>

namespace blockloom::wasm {

/// A caller that waits: where it goes on (its call instruction) and its registers.
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
    std::vector<CallFrame> frames;

    // Where the run stands.
    Instance* instance = nullptr;
    const Instruction* at = nullptr;
    std::uint32_t base = 0, function = 0;
    std::uint64_t pending_cost = 0; ///< of the block that `at` begins: not charged yet
    std::uint64_t fuel_left = 0, fuel_given = 0, slice_left = 0, steps = 0;
    std::uint32_t entry_function = 0;
    bool running = false;

    std::vector<FunctionProfile>* profile = nullptr;
    std::vector<Node> nodes;
    std::vector<std::uint32_t> active; ///< one a function: frames of it that are open
    std::uint32_t node = 0;
    std::uint64_t entered_at = 0, merged_calls = 0;

    /// Both expect that fuel and steps are settled.
    void enter_profile(std::uint32_t callee);
    void leave_profile(const CallFrame& caller);
    /// Leaves the frames that a trap left open.
    void close_profile();
};

/// Runs until the invocation ends or stops; results and counts are put together by the caller.
struct LoopResult {
    Outcome outcome = Outcome::returned;
    Trap trap;
};
LoopResult run_loop(Interpreter::State& state, const RunLimits& limits);

} // namespace blockloom::wasm
