#include "wasm/plain/plain_run.h"

#include "wasm/host_functions.h"
#include "wasm/plain/plain_numeric.h"

#include <algorithm>

namespace blockloom::plain {

using wasm::TrapKind;
using Stack = std::vector<Cell>;

namespace {

Cell pop(Stack& stack) {
    const Cell top = stack.back();
    stack.pop_back();
    return top;
}

} // namespace

void Run::trap(TrapKind kind) const {
    Stopped stopped;
    stopped.result.trap = kind;
    stopped.result.function = function_;
    stopped.result.offset = offset_;
    throw stopped;
}

void Run::pay(std::uint64_t fee) {
    if (fee > left_) trap(TrapKind::out_of_fuel);
    left_ -= fee;
}

/// The block that begins where the frame stands, whole and before anything of it runs.
void Run::charge(const Frame& frame) {
    if (!frame.code.leads[frame.at]) return;
    const std::uint64_t cost = frame.code.cost[frame.at];
    if (cost > left_) {
        Stopped stopped;
        stopped.result.trap = TrapKind::out_of_fuel;
        stopped.result.function = frame.function;
        stopped.result.offset = frame.code.instructions[frame.at].offset;
        std::uint32_t last = frame.at + 1;
        const auto size = static_cast<std::uint32_t>(frame.code.instructions.size());
        while (last + 1 < size && !frame.code.leads[last]) ++last;
        stopped.result.until = frame.code.instructions[std::min(last, size - 1)].offset;
        throw stopped;
    }
    left_ -= cost;
    steps_ += cost;
}

void Run::call_host(const Callable& callee, Stack& stack) {
    for (const tests::HostSignature& signature : tests::host_signatures()) {
        if (signature.name != callee.host) continue;
        const std::size_t arguments = signature.type.parameters.size();
        const std::span<const Cell> given(stack.data() + stack.size() - arguments, arguments);
        const tests::HostReply reply = tests::host_reply(signature, given);
        if (reply.refused) trap(TrapKind::host);
        pay(reply.fee);
        stack.resize(stack.size() - arguments);
        stack.insert(stack.end(), reply.results.begin(), reply.results.end());
    }
}

void Run::call(const Callable& callee, Stack& stack) {
    if (callee.machine == nullptr) return call_host(callee, stack);
    if (frames_ >= most_frames_) trap(TrapKind::call_stack_exhausted);
    ++frames_;
    Machine& machine = *callee.machine;
    const Code& code = machine.code_[callee.function - machine.module_->imported_functions];
    const std::size_t parameters = callee.type.parameters.size();
    Frame frame{machine, code, callee.function, {}, {}, stack.size() - parameters, 0, false};
    frame.locals.assign(stack.end() - static_cast<std::ptrdiff_t>(parameters), stack.end());
    frame.locals.resize(parameters + code.locals);
    stack.resize(frame.bottom);
    const auto results = static_cast<std::uint32_t>(callee.type.results.size());
    frame.labels.push_back({stack.size(), results, nowhere, false});
    while (!frame.over) {
        charge(frame);
        function_ = frame.function;
        offset_ = code.instructions[frame.at].offset;
        step(frame, stack);
    }
    stack.erase(stack.begin() + static_cast<std::ptrdiff_t>(frame.bottom), stack.end() - results);
    --frames_;
}

void Run::branch(Frame& frame, Stack& stack, std::uint32_t depth) {
    const std::size_t place = frame.labels.size() - 1 - depth;
    const Label to = frame.labels[place];
    if (to.to == nowhere) {
        frame.over = true;
        return;
    }
    stack.erase(stack.begin() + static_cast<std::ptrdiff_t>(to.height), stack.end() - to.arity);
    frame.labels.resize(to.is_loop ? place + 1 : place);
    frame.at = to.to;
}

void Run::open(Frame& frame, Stack& stack) {
    const Instruction& now = frame.code.instructions[frame.at];
    const bool taken = now.opcode != 0x04 || static_cast<std::uint32_t>(pop(stack)) != 0;
    const bool is_loop = now.opcode == 0x03;
    const Label label{stack.size() - now.parameters, is_loop ? now.parameters : now.results,
                      is_loop ? frame.at + 1 : now.end + 1, is_loop};
    if (taken || now.otherwise != nowhere) frame.labels.push_back(label);
    frame.at = 1 + (taken ? frame.at : now.otherwise != nowhere ? now.otherwise : now.end);
}

void Run::call_indirect(Frame& frame, Stack& stack) {
    const Instruction& now = frame.code.instructions[frame.at];
    const auto& cells = frame.machine.tables_[now.b]->cells;
    const Cell index = pop(stack);
    if (index >= cells.size()) trap(TrapKind::undefined_element);
    if (cells[index] == nullptr) trap(TrapKind::uninitialized_element);
    if (!(cells[index]->type == frame.machine.module_->types[now.a]))
        trap(TrapKind::indirect_call_type_mismatch);
    call(*cells[index], stack);
}

void Run::step(Frame& frame, Stack& stack) {
    const Instruction& now = frame.code.instructions[frame.at];
    switch (now.opcode) {
    case 0x00:
        trap(TrapKind::unreachable);
    case 0x02:
    case 0x03:
    case 0x04:
        return open(frame, stack);
    case 0x05: // the first half is over
        frame.labels.pop_back();
        frame.at = now.end + 1;
        return;
    case 0x0b:
        frame.labels.pop_back();
        frame.over = frame.labels.empty();
        break;
    case 0x0c:
        return branch(frame, stack, now.a);
    case 0x0d:
        if (static_cast<std::uint32_t>(pop(stack)) != 0) return branch(frame, stack, now.a);
        break;
    case 0x0e: {
        const Cell way = std::min<Cell>(pop(stack), now.labels.size() - 1);
        return branch(frame, stack, now.labels[way]);
    }
    case 0x0f:
        frame.over = true;
        return;
    case 0x10:
        call(frame.machine.functions_[now.a], stack);
        break;
    case 0x11:
        call_indirect(frame, stack);
        break;
    default:
        if (!variable(frame, stack) && !access(frame, stack))
            if (const TrapKind kind = calculate(now.opcode, stack); kind != TrapKind::none)
                trap(kind);
    }
    ++frame.at;
}

bool Run::variable(Frame& frame, Stack& stack) {
    const Instruction& now = frame.code.instructions[frame.at];
    switch (now.opcode) {
    case 0x01:
        return true;
    case 0x1a:
        stack.pop_back();
        return true;
    case 0x1b:
    case 0x1c: {
        const bool first = static_cast<std::uint32_t>(pop(stack)) != 0;
        const Cell second = pop(stack);
        if (!first) stack.back() = second;
        return true;
    }
    case 0x20:
        stack.push_back(frame.locals[now.a]);
        return true;
    case 0x21:
        frame.locals[now.a] = pop(stack);
        return true;
    case 0x22:
        frame.locals[now.a] = stack.back();
        return true;
    case 0x23:
        stack.push_back(*frame.machine.globals_[now.a]);
        return true;
    case 0x24:
        *frame.machine.globals_[now.a] = pop(stack);
        return true;
    case 0x41:
    case 0x42:
    case 0x43:
    case 0x44:
    case 0xd0:
        stack.push_back(now.value);
        return true;
    case 0xd1:
        stack.back() = stack.back() == 0;
        return true;
    case 0xd2:
        stack.push_back(reinterpret_cast<std::uintptr_t>(&frame.machine.functions_[now.a]));
        return true;
    default:
        return false;
    }
}

} // namespace blockloom::plain
