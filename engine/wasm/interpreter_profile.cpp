// The per-function profile of an invocation: calls, own and total steps, and the call tree for a
// flame graph.
#include "wasm/interpreter_state.h"

#include <fmt/format.h>

namespace blockloom::wasm {

void Interpreter::State::enter_profile(std::uint32_t callee) {
    std::uint32_t found = 0;
    for (const std::uint32_t child : nodes[node].children)
        if (nodes[child].function == callee) found = child;
    if (found == 0) {
        found = static_cast<std::uint32_t>(nodes.size());
        nodes.push_back({callee, node, 0, {}});
        nodes[node].children.push_back(found);
    }
    node = found;
    entered_at = steps;
    ++(*profile)[callee].calls;
    ++active[callee];
}

void Interpreter::State::leave_profile(const CallFrame& caller) {
    // A recursive function's total counts its outermost frame only.
    if (--active[function] == 0) (*profile)[function].total_steps += steps - entered_at;
    node = caller.node;
    entered_at = caller.entered_at;
}

void Interpreter::set_profile(std::vector<FunctionProfile>* profile) {
    state_->profile = profile;
    const std::size_t functions = state_->root->program().functions.size();
    if (profile != nullptr) profile->assign(functions, {});
    state_->nodes.assign(1, {});
    state_->active.assign(functions, 0);
    state_->node = 0;
}

std::vector<std::string> Interpreter::folded_stacks() const {
    const Program& program = state_->root->program();
    const auto& names = program.module->function_names;
    const auto name = [&](std::uint32_t function) {
        return names.empty() || names[function].empty() ? fmt::format("f{}", function)
                                                        : names[function];
    };
    std::vector<std::string> paths(state_->nodes.size()), lines;
    for (std::size_t i = 1; i < state_->nodes.size(); ++i) {
        const State::Node& node = state_->nodes[i];
        paths[i] =
            (node.parent == 0 ? std::string() : paths[node.parent] + ";") + name(node.function);
        if (node.steps > 0) lines.push_back(fmt::format("{} {}", paths[i], node.steps));
    }
    return lines;
}

} // namespace blockloom::wasm
