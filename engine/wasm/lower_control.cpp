// Blocks, branches and calls.
#include "wasm/function_lowering.h"
#include "wasm/opcode_map.h"

#include <map>

namespace blockloom::wasm {
namespace {

/// A comparison can be fused where its constant is the sign extension of 32 bits.
bool constant_fits(const Instruction& comparison) {
    if (format_of(static_cast<Opcode>(comparison.op)) != Format::ra_rb_imm) return true;
    const bool is_i64 = static_cast<Opcode>(comparison.op) >= Opcode::i64_add_rr;
    const auto low = static_cast<std::int32_t>(comparison.x);
    return !is_i64 || static_cast<std::uint64_t>(std::int64_t{low}) == comparison.imm64();
}

} // namespace

void FunctionLowering::open(CodeOpcode opcode) {
    Label opened;
    opened.opcode = opcode;
    if (now_.block.kind == BlockType::Kind::value) opened.results = 1;
    if (now_.block.kind == BlockType::Kind::index) {
        opened.parameters =
            static_cast<std::uint32_t>(module_.types[now_.block.index].parameters.size());
        opened.results = static_cast<std::uint32_t>(module_.types[now_.block.index].results.size());
    }
    if (opcode != 0x04) {
        settle();
        materialise_top(opened.parameters);
        opened.height = height() - opened.parameters;
        opened.target = new_block();
        if (opcode == 0x03) begin_scope(opened.target, true);
        labels_.push_back(opened);
        return;
    }
    opened.target = new_block();
    opened.otherwise = new_block();
    branch_when(false, opened.otherwise);
    // The condition has been consumed; its copies of locals, made on both paths, come before the
    // branch (see branch_when).
    opened.height = height() - opened.parameters;
    labels_.push_back(opened);
}

/// Pops the condition and branches to `target` where it is `condition`; code continues in a new
/// block. Where a block begins (`if`), the stack below was settled before the branch, so that both
/// ways agree on it.
void FunctionLowering::branch_when(bool condition, BlockId target) {
    Instruction made;
    const Instruction* last = last_result();
    bool fused = false;
    if (last != nullptr && is_integer_comparison(static_cast<Opcode>(last->op)) &&
        constant_fits(*last)) {
        const Instruction comparison = *last;
        program_.code.pop_back();
        program_.offset.pop_back();
        auto op = static_cast<Opcode>(comparison.op);
        if (!condition) op = inverted(op);
        made.op = static_cast<std::uint16_t>(branch_of(op));
        made.b = comparison.b;
        if (format_of(op) == Format::ra_rb_imm)
            made.ac = static_cast<std::int32_t>(comparison.x);
        else
            made.c = comparison.c;
        drop();
        fused = true;
    }
    if (!fused) {
        if (last != nullptr && static_cast<Opcode>(last->op) == Opcode::i32_eqz) {
            made.b = last->b;
            program_.code.pop_back();
            program_.offset.pop_back();
            condition = !condition;
            drop();
            made.op =
                static_cast<std::uint16_t>(condition ? Opcode::br_if_nonzero : Opcode::br_if_zero);
        } else if (last != nullptr && static_cast<Opcode>(last->op) == Opcode::i64_eqz) {
            made.b = last->b;
            program_.code.pop_back();
            program_.offset.pop_back();
            drop();
            made.op =
                static_cast<std::uint16_t>(condition ? Opcode::br_i64_eq_ri : Opcode::br_i64_ne_ri);
        } else {
            made.b = pop_register();
            made.op =
                static_cast<std::uint16_t>(condition ? Opcode::br_if_nonzero : Opcode::br_if_zero);
        }
    }
    if (now_.opcode == 0x04) {
        // Copies write registers below the condition's own, which the branch does not read.
        settle();
        if (now_.block.kind == BlockType::Kind::index)
            materialise_top(
                static_cast<std::uint32_t>(module_.types[now_.block.index].parameters.size()));
    }
    const BlockId next = new_block();
    made.x = target, made.y = next;
    emit(static_cast<Opcode>(made.op)) = made;
    if (now_.opcode == 0x04)
        begin_scope(next, false);
    else
        begin_block(next, false);
}

void FunctionLowering::lower_else() {
    Label& opened = labels_.back();
    if (reachable_) {
        materialise_top(opened.results);
        emit(Opcode::br).x = opened.target;
        opened.targeted = true;
    }
    while (height() > opened.height) drop();
    for (std::uint32_t i = 0; i < opened.parameters; ++i) push_slot();
    settled_ = std::min(settled_, height());
    opened.opcode = 0x05;
    reachable_ = true;
    begin_scope(opened.otherwise, false);
}

void FunctionLowering::lower_end() {
    const Label closed = labels_.back();
    if (labels_.size() == 1) {
        // Branches to the function's label return where they stand: it is never a target.
        if (reachable_) lower_return();
        labels_.pop_back();
        return;
    }
    labels_.pop_back();
    bool falls_in = reachable_;
    if (falls_in) materialise_top(closed.results);
    while (height() > closed.height) drop();
    for (std::uint32_t i = 0; i < closed.results; ++i) push_slot();

    if (closed.opcode == 0x03) { // a loop's label is its head; its end is no target
        reachable_ = falls_in;
        return;
    }
    if (closed.opcode == 0x04) {
        // No else: the path that skips it joins here. Parameters equal results, so they are where
        // they belong.
        if (falls_in && !closed.targeted) {
            begin_block(closed.otherwise, true);
        } else if (!closed.targeted) {
            begin_block(closed.otherwise, false);
        } else {
            // Two ids for one place: the skipping way pays by its own branch, so it gets a block
            // that falls in.
            if (falls_in) emit(Opcode::br).x = closed.target;
            begin_block(closed.otherwise, false);
            begin_block(closed.target, true);
        }
        reachable_ = true;
        return;
    }
    if (closed.targeted) {
        begin_block(closed.target, falls_in);
        reachable_ = true;
        return;
    }
    reachable_ = falls_in;
}

void FunctionLowering::move_results(std::uint32_t count, std::uint32_t to_register) {
    // Destinations lie at or below their sources, so ascending order never overwrites what is still
    // to be read.
    const std::uint32_t first = height() - count;
    if (to_register == static_cast<std::uint32_t>(slot(first))) return materialise_top(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Operand& operand = stack_[first + i];
        const auto to = static_cast<std::uint16_t>(to_register + i);
        if (operand.kind == Operand::Kind::constant) {
            Instruction& constant = emit(Opcode::constant);
            constant.a = to;
            constant.x = static_cast<std::uint32_t>(operand.value);
            constant.y = static_cast<std::uint32_t>(operand.value >> 32);
        } else {
            Instruction& move = emit(Opcode::mov);
            move.a = to;
            move.b = operand.kind == Operand::Kind::local
                         ? static_cast<std::uint16_t>(operand.local)
                         : slot(first + i);
        }
    }
}

void FunctionLowering::jump(Label& to) {
    move_results(to.arity(), slot(to.height));
    emit(Opcode::br).x = to.target;
    to.targeted = true;
}

void FunctionLowering::lower_branch(std::uint32_t depth) {
    if (is_function_label(depth)) return lower_return();
    jump(label(depth));
    leave();
}

/// Puts the values below the condition into their registers. The instruction that made the
/// condition is put off, so that it can still be fused: it reads only locals and registers at or
/// above the condition's.
void FunctionLowering::materialise_below_condition(std::uint32_t count) {
    const Instruction* last = last_result();
    const std::uint32_t first = height() - 1 - count;
    if (last == nullptr) {
        register_at(height() - 1);
        for (std::uint32_t at = first; at < first + count; ++at) materialise(at);
        return;
    }
    const Instruction held = *last;
    const std::uint32_t offset = program_.offset.back();
    program_.code.pop_back();
    program_.offset.pop_back();
    for (std::uint32_t at = first; at < first + count; ++at) materialise(at);
    program_.code.push_back(held);
    program_.offset.push_back(offset);
    result_pc_ = pc() - 1;
}

void FunctionLowering::lower_branch_if(std::uint32_t depth) {
    Label& to = label(depth);
    // Copies made before the branch do no harm on the other way, and leave both ways one stack.
    if (to.arity() > 0) materialise_below_condition(to.arity());
    const bool in_place = to.arity() == 0 || to.height + to.arity() + 1 == height();
    if (in_place && !is_function_label(depth)) {
        to.targeted = true;
        return branch_when(true, to.target);
    }
    const BlockId over = new_block();
    branch_when(false, over);
    if (is_function_label(depth))
        lower_return();
    else
        jump(to);
    reachable_ = true;
    begin_block(over, false);
}

void FunctionLowering::lower_branch_table() {
    const std::uint16_t index = pop_register();
    const Label& last = label(now_.labels.back());
    const std::uint32_t arity = last.arity();
    for (std::uint32_t at = height() - arity; at < height(); ++at) materialise(at);

    std::map<std::uint32_t, BlockId>
        ways; // depth -> where it goes: the label itself or a stub that moves
    std::vector<std::uint32_t> stubs;
    Instruction made;
    made.op = static_cast<std::uint16_t>(Opcode::br_table);
    made.b = index;
    made.x = static_cast<std::uint32_t>(program_.branch_targets.size());
    made.y = static_cast<std::uint32_t>(now_.labels.size() - 1);
    for (const std::uint32_t depth : now_.labels) {
        const auto [way, added] = ways.try_emplace(depth, 0);
        if (added) {
            Label& to = label(depth);
            const bool direct =
                !is_function_label(depth) && (arity == 0 || to.height + arity == height());
            if (direct) {
                to.targeted = true;
                way->second = to.target;
            } else {
                way->second = new_block();
                stubs.push_back(depth);
            }
        }
        program_.branch_targets.push_back({way->second, 0});
    }
    emit(Opcode::br_table) = made;
    for (const std::uint32_t depth : stubs) {
        begin_block(ways.at(depth), false);
        if (is_function_label(depth))
            lower_return();
        else
            jump(label(depth));
    }
    leave();
}

void FunctionLowering::lower_return() {
    const auto results = static_cast<std::uint32_t>(type_.results.size());
    if (results == 0) {
        emit(Opcode::ret);
    } else if (results == 1) {
        const Operand top = stack_.back();
        if (top.kind == Operand::Kind::constant) {
            Instruction& made = emit(Opcode::ret_imm);
            made.x = static_cast<std::uint32_t>(top.value);
            made.y = static_cast<std::uint32_t>(top.value >> 32);
        } else {
            const std::uint16_t from = register_at(height() - 1);
            emit(Opcode::ret_reg).b = from;
        }
    } else {
        materialise_top(results); // a result may be a local that another result overwrites
        move_results(results, 0);
        emit(Opcode::ret);
    }
    most_cells_ = std::max(most_cells_, results);
    leave();
}

void FunctionLowering::lower_call(std::uint32_t function) {
    const FunctionType& type = module_.types[module_.functions[function]];
    const auto parameters = static_cast<std::uint32_t>(type.parameters.size());
    materialise_top(parameters);
    const std::uint32_t window = height() - parameters;
    while (height() > window) drop();
    const Opcode op = function < module_.imported_functions ? Opcode::call_import : Opcode::call;
    const BlockId next = new_block();
    Instruction& made = emit(op);
    made.b = slot(window), made.x = function, made.y = next;
    for (std::size_t i = 0; i < type.results.size(); ++i) push_slot();
    most_cells_ = std::max(most_cells_, static_cast<std::uint32_t>(locals_ + window + parameters));
    begin_block(next, false);
}

void FunctionLowering::lower_call_indirect() {
    const FunctionType& type = module_.types[now_.index];
    const auto parameters = static_cast<std::uint32_t>(type.parameters.size());
    // The element's index stays in its register above the arguments: a call's frame may overwrite
    // it only after it has been read.
    const std::uint16_t element = register_at(height() - 1);
    drop();
    materialise_top(parameters);
    const std::uint32_t window = height() - parameters;
    while (height() > window) drop();
    const BlockId next = new_block();
    Instruction& made = emit(Opcode::call_indirect);
    made.a = static_cast<std::uint16_t>(now_.index2);
    made.b = slot(window), made.c = element;
    made.x = program_.canonical_type[now_.index], made.y = next;
    for (std::size_t i = 0; i < type.results.size(); ++i) push_slot();
    begin_block(next, false);
}

} // namespace blockloom::wasm
