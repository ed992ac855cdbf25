#include "wasm/wasmi_translation.h"

#include <algorithm>

namespace blockloom::wasm {
namespace wasmi {
namespace {

std::uint32_t locals_of(const FunctionType& type, const Body& body) {
    auto locals = static_cast<std::uint32_t>(type.parameters.size());
    for (const LocalRun& run : body.locals) locals += run.count;
    return locals;
}

} // namespace

Translation::Translation(const Module& module, std::uint32_t function)
    : module_(module), type_(module.types[module.functions[function]]),
      body_(module.bodies[function - module.imported_functions]),
      in_(*module.bytes, body_.begin, body_.end), stack_(locals_of(type_, body_)) {}

void Translation::doubt(const char* why) {
    if (doubt_.empty()) doubt_ = why;
}

void Translation::emit_result(Code::Kind kind, std::span<const Value> inputs, std::uint32_t words) {
    const Register result = stack_.push_dynamic();
    code_.charge(scope());
    code_.emit({kind, result, inputs, words});
}

void Translation::emit_plain(std::span<const Value> inputs, std::uint32_t words) {
    code_.charge(scope());
    code_.emit({Code::Kind::plain, std::nullopt, inputs, words});
}

void Translation::trap() {
    emit_plain({});
    reachable_ = false;
}

void Translation::step() {
    switch (now_.opcode) {
    case 0x02:
        return open(FrameKind::block);
    case 0x03:
        return open(FrameKind::loop);
    case 0x04:
        return open(FrameKind::if_else);
    case 0x05:
        return lower_else();
    case 0x0b:
        return lower_end();
    default:
        break;
    }
    if (!reachable_) return;
    switch (now_.opcode) {
    case 0x00:
        return trap();
    case 0x01:
        return;
    case 0x0c:
        return branch(now_.index);
    case 0x0d:
        return branch_if(now_.index);
    case 0x0e:
        return branch_table();
    case 0x0f:
        return return_from(scope());
    case 0x10:
        return call(module_.types[module_.functions[now_.index]], false);
    case 0x11:
        return call(module_.types[now_.index], true);
    case 0x1a:
        stack_.pop();
        return;
    case 0x1b:
    case 0x1c:
        return select();
    case 0x20:
        return stack_.push_local(now_.index);
    case 0x21:
        return set_local(now_.index, false);
    case 0x22:
        return set_local(now_.index, true);
    case 0x23:
        return get_global();
    case 0x24:
        return set_global();
    case 0x41:
        return push_constant(ValueType::i32, now_.value);
    case 0x42:
        return push_constant(ValueType::i64, now_.value);
    case 0x43:
        return push_constant(ValueType::f32, now_.value);
    case 0x44:
        return push_constant(ValueType::f64, now_.value);
    case 0xd0:
        return push_constant(now_.type, 0);
    default:
        if (!numeric()) bulk();
    }
}

FunctionFuel Translation::run() {
    Frame body;
    body.results = static_cast<std::uint32_t>(type_.results.size());
    body.label = code_.new_label();
    body.scope = code_.open_scope(body_.begin);
    frames_.push_back(std::move(body));
    while (!frames_.empty() && !stack_.exhausted()) {
        if (!read_instruction(in_, now_)) {
            doubt("the body could not be read"); // of a valid module it can
            break;
        }
        step();
    }
    if (stack_.exhausted()) doubt("wasmi refuses a function with this many registers");
    if (code_.has_far_branch())
        doubt("a conditional branch spans more than 32,767 words of wasmi's code");
    FunctionFuel fuel;
    fuel.entry = code_.scopes().front().cost + stack_.registers() / 8;
    fuel.scopes.assign(code_.scopes().begin() + 1, code_.scopes().end());
    fuel.doubt = std::move(doubt_);
    return fuel;
}

} // namespace wasmi

const char* name_of(FuelRule rule) noexcept {
    return rule == FuelRule::counted ? "counted" : "exact";
}

std::optional<FuelRule> fuel_rule_from_name(std::string_view name) noexcept {
    for (const FuelRule rule : {FuelRule::counted, FuelRule::exact})
        if (name == name_of(rule)) return rule;
    return std::nullopt;
}

FunctionFuel exact_fuel(const Module& module, std::uint32_t function) {
    return wasmi::Translation(module, function).run();
}

} // namespace blockloom::wasm
