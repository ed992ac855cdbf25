#include "wasm/wasmi_code.h"

#include "wasm/numeric.h"

#include <algorithm>

namespace blockloom::wasm::wasmi {
namespace {

/// Registers that one unit moves: 64 bytes.
constexpr std::uint64_t registers_a_unit = 8;

/// An instruction of this many words is not moved to make room for a copy before it.
constexpr std::uint32_t most_words_moved = 3;

bool in_a_row(std::span<const Value> values) {
    if (values.empty() || values[0].is_constant) return false;
    for (std::size_t i = 1; i < values.size(); ++i)
        if (values[i].is_constant || values[i].reg != values[i - 1].reg + 1) return false;
    return true;
}

void need_registers(Stack& stack, std::span<const Value> values) {
    for (const Value& value : values) (void)stack.register_of(value);
}

void need_unless_32(Stack& stack, const Value& value) {
    if (value.is_constant && !fits_32(value)) (void)stack.register_of(value);
}

} // namespace

bool fits_i16(const Value& constant) noexcept {
    if (constant.type == ValueType::i32) {
        const auto value = static_cast<std::int32_t>(constant.bits);
        return value == static_cast<std::int16_t>(value);
    }
    const auto value = static_cast<std::int64_t>(constant.bits);
    return constant.type == ValueType::i64 && value == static_cast<std::int16_t>(value);
}

bool fits_u16(const Value& constant) noexcept {
    return constant.bits <= 0xffff;
}

bool fits_32(const Value& constant) noexcept {
    switch (constant.type) {
    case ValueType::i32:
    case ValueType::f32:
        return true;
    case ValueType::i64: {
        const auto value = static_cast<std::int64_t>(constant.bits);
        return value == static_cast<std::int32_t>(value);
    }
    case ValueType::f64: {
        const auto narrow = static_cast<float>(float_of<double>(constant.bits));
        return cell_of(static_cast<double>(narrow)) == constant.bits;
    }
    default:
        return false;
    }
}

Scope Code::open_scope(std::uint32_t offset) {
    emit({});
    scopes_.push_back({offset, 1});
    return static_cast<Scope>(scopes_.size() - 1);
}

void Code::note_inputs(std::span<const Value> inputs) {
    for (const Value& input : inputs)
        if (!input.is_constant) last_.inputs.push_back(input.reg);
}

void Code::emit(const Instruction& instruction) {
    last_.present = true;
    last_.kind = instruction.kind;
    last_.result = instruction.result;
    last_.inputs.clear();
    last_.at = words_;
    note_inputs(instruction.inputs);
    words_ += instruction.words;
}

void Code::append(std::span<const Value> inputs) {
    note_inputs(inputs);
    ++words_;
}

void Code::append_list(std::span<const Value> values) {
    note_inputs(values);
    words_ += static_cast<std::uint32_t>((values.size() + 2) / 3);
}

/// Many values cost one, and one more for every eight of them: wasmi counts `beyond`, those in the
/// list behind the instruction, and three for the others, however many those are.
void Code::charge_many(std::size_t beyond, Scope scope) {
    charge(scope, 1 + (beyond + 3) / registers_a_unit);
}

bool Code::merges_copy(Register to, const Value& from) {
    if (from.is_constant || !last_.present || last_.kind != Kind::copy) return false;
    if (to != *last_.result + 1 && to != *last_.result - 1) return false;
    last_.kind = Kind::plain;
    last_.result.reset();
    return true;
}

void Code::copy(Stack& stack, Register to, const Value& from, Scope scope) {
    if (merges_copy(to, from)) return;
    if (!from.is_constant && from.reg == to) return;
    charge(scope);
    if (from.is_constant && fits_32(from)) {
        emit({Kind::plain, to, {}});
        return;
    }
    const Value source = Value::in(stack.register_of(from));
    emit({Kind::copy, to, {&source, 1}});
}

void Code::copy_all(Stack& stack, Register to, std::span<const Value> values, Scope scope) {
    while (!values.empty() && !values[0].is_constant && values[0].reg == to) {
        values = values.subspan(1);
        ++to;
    }
    if (values.empty()) return;
    if (values.size() == 1) return copy(stack, to, values[0], scope);
    if (values.size() == 2) {
        if (!values[1].is_constant && values[1].reg == to + 1)
            return copy(stack, to, values[0], scope);
        need_registers(stack, values);
        charge(scope);
        emit({Kind::plain, std::nullopt, values});
        return;
    }
    charge_many(values.size() - 2, scope);
    if (in_a_row(values)) {
        emit({Kind::plain, std::nullopt, values.first(1)});
        return;
    }
    need_registers(stack, values);
    emit({Kind::plain, std::nullopt, values.first(2)});
    append_list(values.subspan(2));
}

bool Code::relinks(const Stack& stack, Register local, const Value& value,
                   std::optional<Register> preserved) {
    if (value.is_constant || !last_.present) return false;
    const Space space = stack.space(value.reg);
    if (space == Space::local || space == Space::preserved) return false;
    if (preserved && words_ - last_.at > most_words_moved) return false;
    if (preserved &&
        std::find(last_.inputs.begin(), last_.inputs.end(), *preserved) != last_.inputs.end())
        return false;
    if (last_.result != value.reg) return false;
    last_.result = local;
    return true;
}

void Code::set_local(Stack& stack, Register local, const Value& value,
                     std::optional<Register> preserved, Scope scope) {
    const Value old = Value::in(local);
    if (relinks(stack, local, value, preserved)) {
        if (preserved) { // a copy is put before the last instruction
            charge(scope);
            ++words_;
            ++last_.at;
        }
        return;
    }
    if (preserved) {
        charge(scope);
        emit({Kind::copy, *preserved, {&old, 1}});
    }
    copy(stack, local, value, scope);
}

void Code::return_values(Stack& stack, std::span<const Value> values, Scope scope) {
    if (values.size() <= 3) {
        if (values.size() == 1)
            need_unless_32(stack, values[0]);
        else
            need_registers(stack, values);
        charge(scope);
        emit({Kind::plain, std::nullopt, values});
        return;
    }
    charge_many(values.size() - 3, scope);
    if (in_a_row(values)) return emit({});
    need_registers(stack, values);
    emit({Kind::plain, std::nullopt, values.first(3)});
    append_list(values.subspan(3));
}

void Code::return_values_if(Stack& stack, Register condition, std::span<const Value> values,
                            Scope scope) {
    const Value on = Value::in(condition);
    if (values.size() <= 2) {
        if (values.size() == 1)
            need_unless_32(stack, values[0]);
        else
            need_registers(stack, values);
        charge(scope);
        emit({Kind::plain, std::nullopt, {&on, 1}});
        return;
    }
    charge_many(values.size() - 2, scope);
    if (in_a_row(values)) return emit({Kind::plain, std::nullopt, {&on, 1}});
    need_registers(stack, values);
    emit({Kind::plain, std::nullopt, {&on, 1}});
    append_list(values.subspan(2));
}

bool Code::take_in_eqz(const Stack& stack, const Value& input) {
    if (input.is_constant || !last_.present || last_.kind != Kind::bitwise) return false;
    if (stack.space(*last_.result) == Space::local || *last_.result != input.reg) return false;
    last_.kind = Kind::comparison;
    return true;
}

void Code::branch_if(const Stack& stack, Register condition, bool when, Label target) {
    const bool fusible =
        last_.present && (last_.kind == Kind::comparison || last_.kind == Kind::bitwise ||
                          (last_.kind == Kind::float_ordering && when));
    if (fusible && stack.space(*last_.result) != Space::local && *last_.result == condition) {
        branches_.push_back({last_.at, target});
        last_.kind = Kind::plain;
        last_.result.reset();
        return;
    }
    branches_.push_back({words_, target});
    const Value on = Value::in(condition);
    emit({Kind::plain, std::nullopt, {&on, 1}});
}

Label Code::new_label() {
    labels_.emplace_back();
    return static_cast<Label>(labels_.size() - 1);
}

void Code::pin(Label label) {
    if (!labels_[label]) labels_[label] = words_;
}

bool Code::has_far_branch() const {
    return std::any_of(branches_.begin(), branches_.end(), [&](const Branch& branch) {
        if (!labels_[branch.label]) return false;
        const std::int64_t way = std::int64_t{*labels_[branch.label]} - branch.at;
        return way != static_cast<std::int16_t>(way);
    });
}

} // namespace blockloom::wasm::wasmi
