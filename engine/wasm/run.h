// Runs a function of an instance on the interpreter.
#pragma once

#include "wasm/instance.h"

#include <limits>
#include <stop_token>

namespace blockloom::wasm {

struct RunLimits {
    std::uint64_t fuel = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t steps =
        std::numeric_limits<std::uint64_t>::max(); ///< of this slice; block granularity
    std::stop_token stop;                          ///< checked every few million steps
};

enum class Outcome : std::uint8_t { returned, trapped, paused, yielded };

struct RunResult {
    Outcome outcome = Outcome::returned;
    std::vector<Cell> results;
    Trap trap;
    std::uint64_t fuel_used = 0, steps = 0; ///< since the invocation began, over all its slices
};

/// The fuel and calls of a function (interpreter only). Fuel includes fees; `total_fuel` includes
/// callees, and for a recursive function only its outermost frames.
struct FunctionProfile {
    std::uint64_t calls = 0, self_fuel = 0, total_fuel = 0;
};

/// A function called through one chain of callers.
struct CallNode {
    static constexpr std::uint32_t no_parent = 0xFFFFFFFF;
    std::uint32_t function = 0, parent = no_parent; ///< parent: its index in CallTree::nodes
    std::uint64_t calls = 0, self_fuel = 0;
};

/// All chains of a profile, callers before callees; the sum of `self_fuel` is the fuel used.
struct CallTree {
    /// Chains of hostile modules grow exponentially with their depth: beyond this many nodes a
    /// callee's fuel is attributed to its caller.
    static constexpr std::size_t most_nodes = 32'768;
    std::vector<CallNode> nodes;
    std::uint64_t merged_calls = 0; ///< calls attributed to their caller
};

/// One invocation on the interpreter; may be paused and resumed. One at a time per instance.
class Interpreter {
public:
    explicit Interpreter(Instance& instance);
    ~Interpreter();

    /// Starts a function (index in the module's space) with arguments that fit its type.
    [[nodiscard]] RunResult invoke(std::uint32_t function, std::span<const Cell> arguments,
                                   const RunLimits& limits = {});
    /// Continues after `paused` or `yielded`; `limits.fuel` is ignored (the invocation's fuel
    /// applies).
    [[nodiscard]] RunResult resume(const RunLimits& limits);
    /// Discards a paused invocation and the profile, as if newly created.
    void abandon() noexcept;

    void set_profile(std::vector<FunctionProfile>* profile); ///< one per function; null: off
    /// The call tree of the invocations since `set_profile`.
    [[nodiscard]] CallTree call_tree() const;

    struct State; ///< interpreter_state.h

private:
    [[nodiscard]] RunResult go_on(const RunLimits& limits);
    std::unique_ptr<State> state_;
};

} // namespace blockloom::wasm
