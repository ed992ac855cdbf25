// Running a function of an instance on the interpreter.
#pragma once

#include "wasm/instance.h"

#include <limits>
#include <stop_token>

namespace blockloom::wasm {

struct RunLimits {
    std::uint64_t fuel = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t steps =
        std::numeric_limits<std::uint64_t>::max(); ///< of this slice; block granularity
    std::stop_token stop;                          ///< looked at every few million steps
};

enum class Outcome : std::uint8_t { returned, trapped, paused, yielded };

struct RunResult {
    Outcome outcome = Outcome::returned;
    std::vector<Cell> results;
    Trap trap;
    std::uint64_t fuel_used = 0, steps = 0; ///< since the invocation began, over all its slices
};

/// Functions count calls, own and total steps while they run (interpreter only).
struct FunctionProfile {
    std::uint64_t calls = 0, self_steps = 0, total_steps = 0;
};

/// One invocation on the interpreter; may be paused and resumed. One at a time per instance.
class Interpreter {
public:
    explicit Interpreter(Instance& instance);
    ~Interpreter();

    /// Starts a function (index in the module's space) with arguments that fit its type.
    [[nodiscard]] RunResult invoke(std::uint32_t function, std::span<const Cell> arguments,
                                   const RunLimits& limits = {});
    /// Goes on after `paused` or `yielded`; `limits.fuel` is ignored (it is that of the
    /// invocation).
    [[nodiscard]] RunResult resume(const RunLimits& limits);

    void set_profile(std::vector<FunctionProfile>* profile); ///< one a function; null: off
    /// Stacks of the profile as folded lines "a;b;c steps", for a flame graph.
    [[nodiscard]] std::vector<std::string> folded_stacks() const;

    struct State; ///< interpreter_state.h

private:
    [[nodiscard]] RunResult go_on(const RunLimits& limits);
    std::unique_ptr<State> state_;
};

} // namespace blockloom::wasm
