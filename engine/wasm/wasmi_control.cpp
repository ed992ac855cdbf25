// Blocks, branches and calls of the translation.
#include "wasm/wasmi_translation.h"

#include <algorithm>

namespace blockloom::wasm::wasmi {

/// On the way into a block all locals on the stack are copied to separate registers: copies to
/// registers in a row are one instruction.
void Translation::preserve_locals() {
    std::vector<PreservedLocal> preserved;
    stack_.preserve_all(preserved);
    std::reverse(preserved.begin(), preserved.end());
    std::vector<Value> locals;
    for (std::size_t at = 0; at < preserved.size(); at += locals.size()) {
        locals.assign(1, Value::in(preserved[at].local));
        while (at + locals.size() < preserved.size() &&
               preserved[at + locals.size()].preserved ==
                   preserved[at].preserved + static_cast<Register>(locals.size()))
            locals.push_back(Value::in(preserved[at + locals.size()].local));
        code_.copy_all(stack_, preserved[at].preserved, locals, scope());
    }
}

void Translation::open(FrameKind kind) {
    Frame opened;
    opened.kind = reachable_ ? kind : FrameKind::unreachable;
    if (now_.block.kind == BlockType::Kind::value) opened.results = 1;
    if (now_.block.kind == BlockType::Kind::index) {
        const FunctionType& type = module_.types[now_.block.index];
        opened.parameters = static_cast<std::uint32_t>(type.parameters.size());
        opened.results = static_cast<std::uint32_t>(type.results.size());
    }
    if (reachable_ && kind == FrameKind::if_else) {
        open_if(opened);
    } else if (reachable_) {
        opened.scope = scope();
        opened.height = stack_.height() - opened.parameters;
        preserve_locals();
        opened.label = code_.new_label();
        stack_.pop(opened.parameters, values_);
        if (kind == FrameKind::loop) {
            opened.branch_registers = stack_.push_dynamic(opened.parameters);
            code_.copy_all(stack_, opened.branch_registers, values_, scope());
            code_.forget_last();
            code_.pin(opened.label);
            opened.scope = code_.open_scope(now_.offset);
        } else {
            opened.branch_registers = stack_.peek_dynamic(opened.results);
            for (const Value& value : values_) stack_.push(value);
        }
    } else {
        opened.scope = scope();
    }
    frames_.push_back(std::move(opened));
}

void Translation::open_if(Frame& opened) {
    const Value condition = stack_.pop();
    opened.scope = scope();
    opened.height = stack_.height() - opened.parameters;
    preserve_locals();
    opened.label = code_.new_label();
    stack_.pop(opened.parameters, values_);
    opened.branch_registers = stack_.peek_dynamic(opened.results);
    for (const Value& value : values_) stack_.push(value);
    if (condition.is_constant) { // as a block: one arm is there, at the cost of the scope around
        const bool holds = static_cast<std::uint32_t>(condition.bits) != 0;
        opened.first_possible = holds;
        opened.second_possible = !holds;
        if (!holds) opened.first_falls_out = false;
        reachable_ = holds;
        return;
    }
    stack_.peek(opened.parameters, opened.parameters_kept);
    for (const Value& value : opened.parameters_kept)
        if (!value.is_constant) stack_.hold(value.reg);
    opened.otherwise = code_.new_label();
    code_.branch_if(stack_, condition.reg, false, opened.otherwise);
    opened.scope = code_.open_scope(now_.offset);
}

/// Ends the stack at the block's beginning and puts the registers of its results on it.
void Translation::push_branch_registers(const Frame& frame) {
    stack_.truncate(frame.height);
    for (std::uint32_t i = 0; i < frame.results; ++i)
        stack_.push(Value::in(frame.branch_registers + static_cast<Register>(i)));
}

/// Charged to the innermost open block: that of a block's end is already the one around it.
void Translation::copy_branch_values(const Frame& to) {
    stack_.pop(to.branch_values(), values_);
    code_.copy_all(stack_, to.branch_registers, values_, scope());
}

void Translation::lower_else() {
    Frame opened = std::move(frames_.back());
    if (opened.kind == FrameKind::unreachable) {
        frames_.back() = std::move(opened);
        return;
    }
    frames_.pop_back();
    opened.has_else = true;
    if (opened.first_possible) opened.first_falls_out = reachable_;
    if (opened.first_possible && opened.second_possible) {
        if (reachable_) {
            copy_branch_values(opened);
            opened.branched_to = true;
            emit_plain({}); // a branch to the end
        }
        reachable_ = true;
        code_.pin(opened.otherwise);
        opened.scope = code_.open_scope(now_.offset);
        stack_.truncate(opened.height);
        for (const Value& value : opened.parameters_kept) {
            stack_.push(value);
            if (!value.is_constant) stack_.let_go(value.reg);
        }
    } else {
        reachable_ = !opened.first_possible;
    }
    frames_.push_back(std::move(opened));
}

void Translation::lower_end() {
    Frame closed = std::move(frames_.back());
    frames_.pop_back();
    switch (closed.kind) {
    case FrameKind::unreachable:
    case FrameKind::loop:
        break;
    case FrameKind::if_else:
        end_if(closed);
        break;
    case FrameKind::block:
        if (frames_.empty()) {
            if (reachable_) return_from(closed.scope);
            break;
        }
        if (reachable_ && closed.branched_to) copy_branch_values(closed);
        code_.pin(closed.label);
        if (closed.branched_to) push_branch_registers(closed);
        reachable_ = reachable_ || closed.branched_to;
        break;
    }
    code_.forget_last();
}

void Translation::end_if(Frame& closed) {
    if (closed.first_possible && closed.second_possible)
        return closed.has_else ? end_if_both(closed) : end_if_without_else(closed);
    const bool falls_out = closed.first_possible ? closed.first_falls_out.value_or(reachable_)
                                                 : reachable_ || !closed.has_else;
    if (falls_out && closed.branched_to) copy_branch_values(closed);
    code_.pin(closed.label);
    if (closed.branched_to) push_branch_registers(closed);
    reachable_ = falls_out || closed.branched_to;
}

void Translation::end_if_both(Frame& closed) {
    const bool reachable =
        closed.first_falls_out.value_or(false) || reachable_ || closed.branched_to;
    if (reachable_) copy_branch_values(closed);
    code_.pin(closed.label);
    if (reachable) push_branch_registers(closed);
    reachable_ = reachable;
}

/// The missing arm hands the parameters on as results.
void Translation::end_if_without_else(Frame& closed) {
    if (reachable_ && closed.results > 0) {
        copy_branch_values(closed);
        code_.emit({}); // a branch to the end, free of charge
    }
    code_.pin(closed.otherwise);
    if (closed.results > 0) {
        stack_.truncate(closed.height);
        for (const Value& value : closed.parameters_kept) {
            stack_.push(value);
            if (!value.is_constant) stack_.let_go(value.reg);
        }
        copy_branch_values(closed);
    }
    code_.pin(closed.label);
    push_branch_registers(closed);
    reachable_ = true;
}

void Translation::return_from(Scope scope) {
    stack_.pop(static_cast<std::uint32_t>(type_.results.size()), values_);
    code_.return_values(stack_, values_, scope);
    reachable_ = false;
}

void Translation::branch(std::uint32_t depth) {
    if (is_root(depth)) return return_from(scope());
    Frame& to = frame(depth);
    to.branched_to = true;
    copy_branch_values(to);
    emit_plain({});
    reachable_ = false;
}

void Translation::branch_if(std::uint32_t depth) {
    const Value condition = stack_.pop();
    if (condition.is_constant) {
        if (static_cast<std::uint32_t>(condition.bits) != 0) branch(depth);
        return;
    }
    if (is_root(depth)) {
        stack_.peek(static_cast<std::uint32_t>(type_.results.size()), values_);
        return code_.return_values_if(stack_, condition.reg, values_, scope());
    }
    Frame& to = frame(depth);
    to.branched_to = true;
    stack_.peek(to.branch_values(), values_);
    bool in_place = true;
    for (std::size_t i = 0; i < values_.size(); ++i)
        in_place =
            in_place && values_[i] == Value::in(to.branch_registers + static_cast<Register>(i));
    if (in_place) return code_.branch_if(stack_, condition.reg, true, to.label);
    const Label over = code_.new_label();
    code_.branch_if(stack_, condition.reg, false, over);
    code_.copy_all(stack_, to.branch_registers, values_, scope());
    emit_plain({});
    code_.pin(over);
}

void Translation::branch_table() {
    const Value index = stack_.pop();
    const std::vector<std::uint32_t>& labels = now_.labels;
    if (labels.size() == 1) return branch(labels.front());
    if (index.is_constant) {
        const auto chosen = static_cast<std::uint32_t>(index.bits);
        return branch(chosen < labels.size() ? labels[chosen] : labels.back());
    }
    if (std::all_of(labels.begin(), labels.end(),
                    [&](std::uint32_t label) { return label == labels.back(); }))
        return branch(labels.back());

    const std::uint32_t count = frame(labels.back()).branch_values();
    emit_plain({&index, 1});
    stack_.pop(count, values_);
    std::vector<Value> given = values_;
    if (count == 1) {
        if (!given[0].is_constant || !fits_32(given[0])) (void)stack_.register_of(given[0]);
        code_.append(given);
    } else if (count > 1) {
        bool row = count > 3;
        for (std::size_t i = 0; i < given.size(); ++i)
            row = row && !given[i].is_constant &&
                  given[i].reg == given[0].reg + static_cast<Register>(i);
        if (row) {
            code_.append(given);
        } else {
            for (const Value& value : given) (void)stack_.register_of(value);
            code_.append_list(given);
            // An exit from the function then returns no value, which is a bug of wasmi's.
            if (count > 3) given.clear();
        }
    }
    // Branches to blocks are words of the table. An exit from the function is a return, with its
    // cost.
    for (const std::uint32_t depth : labels) {
        if (is_root(depth)) {
            code_.return_values(stack_, given, scope());
        } else {
            frame(depth).branched_to = true;
            code_.append({});
        }
    }
    reachable_ = false;
}

void Translation::call(const FunctionType& type, bool indirect) {
    code_.charge(scope());
    std::optional<Value> element;
    if (indirect) {
        element = stack_.pop();
        index_operand(*element);
    }
    stack_.pop(static_cast<std::uint32_t>(type.parameters.size()), values_);
    const auto results = static_cast<std::uint32_t>(type.results.size());
    const Register first = stack_.push_dynamic(results);
    code_.emit({Code::Kind::plain, results == 1 ? std::optional(first) : std::nullopt, {}});
    if (element) code_.append({&*element, 1});
    for (const Value& value : values_) (void)stack_.register_of(value);
    code_.append_list(values_);
}

} // namespace blockloom::wasm::wasmi
