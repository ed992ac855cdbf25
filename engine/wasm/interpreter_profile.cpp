// The per-function profile of an invocation: calls, own and total fuel, and the call tree for a
// flame graph.
#include "wasm/interpreter_state.h"

#include <algorithm>

namespace blockloom::wasm {

void Interpreter::State::enter_profile(std::uint32_t callee) {
    const std::vector<std::uint32_t>& children = nodes[node].children;
    const auto found = std::find_if(children.begin(), children.end(), [&](std::uint32_t child) {
        return nodes[child].function == callee;
    });
    if (found != children.end()) {
        node = *found;
        ++nodes[node].calls;
    } else if (nodes.size() <= CallTree::most_nodes) {
        const auto fresh = static_cast<std::uint32_t>(nodes.size());
        nodes.push_back({callee, node, 1, 0, {}});
        nodes[node].children.push_back(fresh);
        node = fresh;
    } else {
        ++merged_calls;
    }
    entered_at = fuel_given - fuel_left;
    ++(*profile)[callee].calls;
    ++active[callee];
}

void Interpreter::State::note_cost(std::uint64_t cost) {
    if (profile == nullptr) return;
    nodes[node].fuel += cost;
    if (instance == root) (*profile)[function].self_fuel += cost;
}

void Interpreter::State::leave_profile(const CallFrame& caller) {
    // A recursive function's total counts its outermost frame only.
    if (--active[function] == 0)
        (*profile)[function].total_fuel += fuel_given - fuel_left - entered_at;
    node = caller.node;
    entered_at = caller.entered_at;
}

void Interpreter::State::close_profile() {
    while (depth > 0) {
        const CallFrame& frame = frames[--depth];
        if (instance == root) leave_profile(frame);
        instance = frame.instance;
        function = frame.function;
    }
}

void Interpreter::set_profile(std::vector<FunctionProfile>* profile) {
    state_->profile = profile;
    const std::size_t functions = state_->root->program().functions.size();
    if (profile != nullptr) profile->assign(functions, {});
    state_->nodes.assign(1, {});
    state_->active.assign(functions, 0);
    state_->node = 0;
    state_->merged_calls = 0;
}

CallTree Interpreter::call_tree() const {
    CallTree tree;
    tree.merged_calls = state_->merged_calls;
    for (std::size_t i = 1; i < state_->nodes.size(); ++i) {
        const State::Node& node = state_->nodes[i];
        tree.nodes.push_back({node.function,
                              node.parent == 0 ? CallNode::no_parent : node.parent - 1, node.calls,
                              node.fuel});
    }
    return tree;
}

} // namespace blockloom::wasm
