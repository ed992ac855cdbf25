#include "wasm/interpreter_state.h"

#include <algorithm>

namespace blockloom::wasm {

Interpreter::Interpreter(Instance& instance) : state_(std::make_unique<State>()) {
    state_->root = &instance;
    state_->stack = &instance.state().stack;
    // Made once an instance: later invocations find it warm. Cells above a frame are never read
    // before they are set.
    if (state_->stack->empty()) state_->stack->resize(instance.limits().stack_cells + 1);
    state_->cells = state_->stack->data();
    state_->cells_end = state_->cells + instance.limits().stack_cells;
    state_->frames.resize(16);
}

Interpreter::~Interpreter() = default;

RunResult Interpreter::invoke(std::uint32_t function, std::span<const Cell> arguments,
                              const RunLimits& limits) {
    State& state = *state_;
    state.depth = 0;
    state.instance = state.root;
    state.entry_function = state.function = function;
    state.base = 0;
    state.fuel_left = state.fuel_given = limits.fuel;
    state.steps = 0;
    state.at = nullptr; // the loop enters the function
    state.pending_cost = 0;
    state.running = true;
    state.node = 0;
    std::copy(arguments.begin(), arguments.end(), state.stack->begin());
    return go_on(limits);
}

RunResult Interpreter::resume(const RunLimits& limits) {
    return go_on(limits);
}

void Interpreter::abandon() noexcept {
    state_->running = false;
    state_->profile = nullptr;
}

RunResult Interpreter::go_on(const RunLimits& limits) {
    State& state = *state_;
    RunResult result;
    if (!state.running) {
        result.outcome = Outcome::trapped;
        result.trap = {TrapKind::host, 0, 0, "nothing to resume: the invocation has ended"};
        return result;
    }
    // A block larger than the slice runs nevertheless, so that a run always makes progress.
    state.slice_left = std::max(limits.steps, state.pending_cost);
    LoopResult ended = run_loop(state, limits);
    result.outcome = ended.outcome;
    result.trap = std::move(ended.trap);
    result.fuel_used = state.fuel_given - state.fuel_left;
    result.steps = state.steps;
    if (result.outcome == Outcome::returned) {
        const std::size_t results =
            state.root->state().functions[state.entry_function].type.results.size();
        result.results.assign(state.stack->begin(),
                              state.stack->begin() + static_cast<std::ptrdiff_t>(results));
    }
    if (result.outcome == Outcome::trapped && state.profile != nullptr) state.close_profile();
    state.running = result.outcome == Outcome::paused || result.outcome == Outcome::yielded;
    return result;
}

} // namespace blockloom::wasm
