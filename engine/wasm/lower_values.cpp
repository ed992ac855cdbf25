// The abstract operand stack and the instructions that only compute.
#include "wasm/function_lowering.h"
#include "wasm/opcode_map.h"

namespace blockloom::wasm {
namespace {

/// Deeper, references to locals are copied at once: saving a local then never searches a tall
/// stack.
constexpr std::uint32_t most_lazy_height = 1000;

constexpr std::uint32_t no_pc = std::numeric_limits<std::uint32_t>::max();

void set_imm64(Instruction& instruction, std::uint64_t value) {
    instruction.x = static_cast<std::uint32_t>(value);
    instruction.y = static_cast<std::uint32_t>(value >> 32);
}

} // namespace

void FunctionLowering::push(Operand operand) {
    if (operand.kind == Operand::Kind::local) ++references_[operand.local];
    stack_.push_back(operand);
    most_cells_ = std::max(most_cells_, locals_ + height());
    if (operand.kind == Operand::Kind::local && height() > most_lazy_height)
        materialise(height() - 1);
}

void FunctionLowering::push_slot() {
    push({});
}

std::uint16_t FunctionLowering::push_result() {
    push_slot();
    return slot(height() - 1);
}

FunctionLowering::Operand FunctionLowering::drop() {
    const Operand top = stack_.back();
    if (top.kind == Operand::Kind::local) --references_[top.local];
    stack_.pop_back();
    settled_ = std::min(settled_, height());
    result_pc_ = no_pc;
    return top;
}

void FunctionLowering::materialise(std::uint32_t at) {
    Operand& operand = stack_[at];
    switch (operand.kind) {
    case Operand::Kind::slot:
        return;
    case Operand::Kind::local: {
        --references_[operand.local];
        Instruction& move = emit(Opcode::mov);
        move.a = slot(at), move.b = static_cast<std::uint16_t>(operand.local);
        break;
    }
    case Operand::Kind::constant: {
        Instruction& constant = emit(Opcode::constant);
        constant.a = slot(at);
        set_imm64(constant, operand.value);
        break;
    }
    }
    operand = {};
}

void FunctionLowering::materialise_top(std::uint32_t count) {
    for (std::uint32_t at = height() - count; at < height(); ++at) materialise(at);
}

void FunctionLowering::settle() {
    for (std::uint32_t at = settled_; at < height(); ++at)
        if (stack_[at].kind == Operand::Kind::local) materialise(at);
    settled_ = height();
}

std::uint16_t FunctionLowering::register_at(std::uint32_t at) {
    if (stack_[at].kind == Operand::Kind::local)
        return static_cast<std::uint16_t>(stack_[at].local);
    materialise(at);
    return slot(at);
}

std::uint16_t FunctionLowering::pop_register() {
    const std::uint16_t result = register_at(height() - 1);
    drop();
    return result;
}

Instruction* FunctionLowering::last_result() {
    if (result_pc_ == no_pc || result_pc_ + 1 != pc() || stack_.empty()) return nullptr;
    Instruction& last = program_.code[result_pc_];
    if (stack_.back().kind != Operand::Kind::slot || last.a != slot(height() - 1)) return nullptr;
    return &last;
}

void FunctionLowering::save_local(std::uint32_t local) {
    const std::uint32_t top = std::min(height(), most_lazy_height);
    for (std::uint32_t at = top; references_[local] > 0 && at > 0; --at)
        if (stack_[at - 1].kind == Operand::Kind::local && stack_[at - 1].local == local)
            materialise(at - 1);
}

void FunctionLowering::set_local(std::uint32_t local, bool keep) {
    const auto to = static_cast<std::uint16_t>(local);
    Instruction* made = last_result();
    const Operand top = stack_.back();
    const bool same = top.kind == Operand::Kind::local && top.local == local;
    if (made != nullptr && references_[local] == 0) {
        made->a = to;
        drop();
    } else if (same) {
        drop();
    } else {
        const std::uint32_t at = height() - 1;
        const std::uint16_t from_slot = slot(at);
        drop();
        save_local(local);
        if (top.kind == Operand::Kind::constant) {
            Instruction& constant = emit(Opcode::constant);
            constant.a = to;
            set_imm64(constant, top.value);
        } else {
            Instruction& move = emit(Opcode::mov);
            move.a = to;
            move.b = top.kind == Operand::Kind::local ? static_cast<std::uint16_t>(top.local)
                                                      : from_slot;
        }
    }
    if (keep) push({Operand::Kind::local, local, 0});
}

void FunctionLowering::lower_binary(Opcode rr, bool commutative) {
    std::uint32_t left = height() - 2, right = height() - 1;
    using Kind = Operand::Kind;
    if (stack_[left].kind == Kind::constant && stack_[right].kind != Kind::constant) {
        if (is_integer_comparison(rr)) {
            rr = with_swapped_operands(rr);
            std::swap(left, right);
        } else if (commutative) {
            std::swap(left, right);
        }
    }
    Instruction made;
    made.b = register_at(left);
    if (stack_[right].kind == Kind::constant) {
        made.op = static_cast<std::uint16_t>(after(rr, 1));
        set_imm64(made, stack_[right].value);
    } else {
        made.op = static_cast<std::uint16_t>(rr);
        made.c = register_at(right);
    }
    drop(), drop();
    made.a = push_result();
    emit(rr) = made;
    result_pc_ = pc() - 1;
}

void FunctionLowering::lower_float_binary(Opcode op) {
    const std::uint16_t left = register_at(height() - 2), right = register_at(height() - 1);
    drop(), drop();
    const std::uint16_t to = push_result();
    Instruction& made = emit(op);
    made.a = to, made.b = left, made.c = right;
    result_pc_ = pc() - 1;
}

void FunctionLowering::lower_unary(Opcode op) {
    const std::uint16_t from = pop_register();
    const std::uint16_t to = push_result();
    Instruction& made = emit(op);
    made.a = to, made.b = from;
    result_pc_ = pc() - 1;
}

void FunctionLowering::lower_eqz(Opcode op) {
    Instruction* made = last_result();
    if (op == Opcode::i32_eqz && made != nullptr) {
        const auto last = static_cast<Opcode>(made->op);
        if (is_integer_comparison(last)) {
            made->op = static_cast<std::uint16_t>(inverted(last));
            return;
        }
    }
    lower_unary(op);
}

void FunctionLowering::lower_load() {
    const std::uint16_t base = pop_register();
    const std::uint16_t to = push_result();
    Instruction& made = emit(load_of(now_.opcode));
    made.a = to, made.b = base, made.x = static_cast<std::uint32_t>(now_.value);
    result_pc_ = pc() - 1;
}

void FunctionLowering::lower_store() {
    const Opcode rr = store_of(now_.opcode);
    const Operand value = stack_.back();
    // A 64-bit constant must be the sign extension of the 32 bits that fit; narrower stores keep
    // their low bytes.
    const auto narrow = static_cast<std::uint32_t>(value.value);
    const bool fits =
        value.kind == Operand::Kind::constant &&
        (rr != Opcode::store64 || static_cast<std::uint64_t>(std::int64_t{
                                      static_cast<std::int32_t>(narrow)}) == value.value);
    Instruction made;
    made.x = static_cast<std::uint32_t>(now_.value);
    made.b = register_at(height() - 2);
    if (fits) {
        made.op = static_cast<std::uint16_t>(after(rr, 1));
        made.y = narrow;
    } else {
        made.op = static_cast<std::uint16_t>(rr);
        made.c = register_at(height() - 1);
    }
    drop(), drop();
    emit(rr) = made;
}

void FunctionLowering::lower_select() {
    const std::uint32_t top = height();
    const std::uint16_t condition = register_at(top - 1);
    const std::uint16_t yes = register_at(top - 3), no = register_at(top - 2);
    drop(), drop(), drop();
    const std::uint16_t to = push_result();
    Instruction& made = emit(Opcode::select);
    made.a = to, made.b = yes, made.c = no, made.x = condition;
    result_pc_ = pc() - 1;
}

bool FunctionLowering::lower_numeric() {
    const CodeOpcode opcode = now_.opcode;
    switch (opcode) {
    case 0x45:
        lower_eqz(Opcode::i32_eqz);
        return true;
    case 0xad: // i64.extend_i32_u and the reinterpretations: the cell already is the result
    case 0xbc:
    case 0xbd:
    case 0xbe:
    case 0xbf:
        return true;
    default:
        break;
    }
    if (opcode >= 0x28 && opcode <= 0x35) {
        lower_load();
    } else if (opcode >= 0x36 && opcode <= 0x3e) {
        lower_store();
    } else if (const auto integer = integer_binary(opcode)) {
        lower_binary(integer->rr, integer->commutative);
    } else if (const auto real = float_binary(opcode)) {
        lower_float_binary(*real);
    } else if (const auto one = unary(opcode)) {
        lower_unary(*one);
    } else {
        return false;
    }
    return true;
}

void FunctionLowering::lower_table_access() {
    if (now_.opcode == 0x25) {
        const std::uint16_t index = pop_register(), to = push_result();
        Instruction& made = emit(Opcode::table_get);
        made.a = to, made.b = index, made.x = now_.index;
    } else {
        const std::uint16_t value = register_at(height() - 1), index = register_at(height() - 2);
        drop(), drop();
        Instruction& made = emit(Opcode::table_set);
        made.b = index, made.c = value, made.x = now_.index;
    }
}

void FunctionLowering::lower_bulk() {
    const auto make = [&](Opcode op) -> Instruction {
        Instruction made;
        made.op = static_cast<std::uint16_t>(op);
        made.x = now_.index, made.y = now_.index2;
        return made;
    };
    /// Three operands: destination a, source or value b, length c. What pays by length ends its
    /// block; tables pay nothing.
    const auto three = [&](Opcode op, bool pays = true) {
        Instruction made = make(op);
        made.a = register_at(height() - 3);
        made.b = register_at(height() - 2);
        made.c = register_at(height() - 1);
        drop(), drop(), drop();
        emit(op) = made;
        if (pays) fall_into_new_block();
    };
    switch (now_.opcode) {
    case 0x3f: {
        Instruction made = make(Opcode::memory_size);
        made.a = push_result();
        emit(Opcode::memory_size) = made;
        result_pc_ = pc() - 1;
        break;
    }
    case 0x40: {
        Instruction made = make(Opcode::memory_grow);
        made.b = pop_register();
        made.a = push_result();
        emit(Opcode::memory_grow) = made;
        fall_into_new_block();
        break;
    }
    case 0x25:
    case 0x26:
        lower_table_access();
        break;
    case 0xd2: {
        Instruction made = make(Opcode::ref_func);
        made.a = push_result();
        emit(Opcode::ref_func) = made;
        break;
    }
    case 0xfc08:
        three(Opcode::memory_init);
        break;
    case 0xfc09:
        emit(Opcode::data_drop) = make(Opcode::data_drop);
        break;
    case 0xfc0a:
        three(Opcode::memory_copy);
        break;
    case 0xfc0b:
        three(Opcode::memory_fill);
        break;
    case 0xfc0c:
        three(Opcode::table_init, false);
        break;
    case 0xfc0d:
        emit(Opcode::elem_drop) = make(Opcode::elem_drop);
        break;
    case 0xfc0e:
        three(Opcode::table_copy, false);
        break;
    case 0xfc0f: {
        Instruction made = make(Opcode::table_grow);
        made.c = register_at(height() - 1); // how many
        made.b = register_at(height() - 2); // with what
        drop(), drop();
        made.a = push_result();
        emit(Opcode::table_grow) = made;
        break;
    }
    case 0xfc10: {
        Instruction made = make(Opcode::table_size);
        made.a = push_result();
        emit(Opcode::table_size) = made;
        break;
    }
    default:
        three(Opcode::table_fill, false);
        break; // 0xfc11
    }
}

} // namespace blockloom::wasm
