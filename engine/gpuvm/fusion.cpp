#include "gpuvm/fusion.h"

#include "gpuvm/codes.h"

#include <algorithm>

namespace blockloom::gpuvm {
namespace {

using wasm::Format;
using wasm::Instruction;
using wasm::Opcode;
using wasm::ProgramFunction;

Opcode opcode_of(const Instruction& i) {
    return static_cast<Opcode>(i.op);
}
bool is(const Instruction& i, Opcode opcode) {
    return opcode_of(i) == opcode;
}

/// Instructions that a lane may reach other than from the one before.
std::vector<bool> arrivals_of(const wasm::Program& program) {
    std::vector<bool> result(program.code.size() + 1);
    for (const ProgramFunction& function : program.functions) result[function.entry] = true;
    for (const wasm::BranchTarget& target : program.branch_targets) result[target.pc] = true;
    for (std::size_t i = 0; i < program.code.size(); ++i) {
        const Instruction& instruction = program.code[i];
        switch (wasm::format_of(opcode_of(instruction))) {
        case Format::compare_rr:
        case Format::compare_ri:
        case Format::branch_if:
        case Format::branch:
            result[instruction.x] = true;
            break;
        case Format::call:
        case Format::call_indirect:
            result[i + 1] = true;
            break;
        default:
            break;
        }
    }
    return result;
}

/// Whether a register's value is never read from some place on. Looks a little way ahead along
/// every path; what is not seen to the end counts as read.
class Lookahead {
public:
    Lookahead(const wasm::Program& program, const ProgramFunction& function)
        : program_(program), function_(function) {}

    [[nodiscard]] bool dead(std::uint32_t pc, std::uint32_t wanted) {
        left_ = most;
        return follow(pc, wanted);
    }

private:
    static constexpr unsigned most = 64; ///< instructions per query

    enum class Use : std::uint8_t { none, read, written, ends };

    [[nodiscard]] Use use_of(const Instruction& i, std::uint32_t wanted) const {
        const bool a = i.a == wanted, b = i.b == wanted, c = i.c == wanted;
        const auto seen = [](bool reads, bool writes) {
            return reads ? Use::read : writes ? Use::written : Use::none;
        };
        switch (wasm::format_of(opcode_of(i))) {
        case Format::none: // return: results lie in the first registers
            return wanted < function_.results ? Use::read : Use::ends;
        case Format::ra_rb:
        case Format::ra_rb_imm:
        case Format::load:
            return seen(b, a);
        case Format::ra_rb_rc:
            return seen(b || c, a);
        case Format::ra_imm:
        case Format::global_get:
            return seen(false, a);
        case Format::store:
        case Format::compare_rr:
            return seen(b || c, false);
        case Format::store_imm:
        case Format::compare_ri:
        case Format::branch_if:
        case Format::global_set:
            return seen(b, false);
        case Format::select:
            return seen(b || c || i.x == wanted, a);
        case Format::return_reg:
            return b ? Use::read : Use::ends;
        case Format::return_imm:
        case Format::trap:
            return Use::ends;
        case Format::call: {
            const ProgramFunction& callee = program_.functions[i.x];
            if (wanted < i.b) return Use::none;
            if (wanted < i.b + callee.parameters) return Use::read;
            return wanted < i.b + callee.results ? Use::written : Use::none;
        }
        case Format::branch:
        case Format::charge:
        case Format::index:
            return Use::none;
        default:
            return Use::read;
        }
    }

    bool follow(std::uint32_t pc, std::uint32_t wanted) {
        for (; pc < function_.end && left_ != 0; ++pc) {
            --left_;
            const Instruction& i = program_.code[pc];
            const Use use = use_of(i, wanted);
            if (use != Use::none) return use != Use::read;
            switch (wasm::format_of(opcode_of(i))) {
            case Format::branch:
                pc = i.x - 1;
                break;
            case Format::compare_rr:
            case Format::compare_ri:
            case Format::branch_if:
                if (!follow(i.x, wanted)) return false;
                break;
            default:
                break;
            }
        }
        return false;
    }

    const wasm::Program& program_;
    const ProgramFunction& function_;
    unsigned left_ = 0;
};

bool shifts(const Instruction& i) { // by a constant
    return is(i, Opcode::i32_shl_ri) || is(i, Opcode::i32_shr_s_ri) ||
           is(i, Opcode::i32_shr_u_ri) || is(i, Opcode::i32_rotl_ri) || is(i, Opcode::i32_rotr_ri);
}

Line line_of(const Instruction& instruction, std::uint32_t pc) {
    Line line{instruction, 0, ~0u, pc, pc};
    // If x and y, or y, are not read again, they hold the fused value.
    const Format format = wasm::format_of(opcode_of(instruction));
    if (format == Format::ra_rb_rc) line.instruction.x = line.instruction.y = 0;
    if (shifts(instruction) || is(instruction, Opcode::i32_xor_ri)) line.instruction.y = 0;
    if (format == Format::load) line.flags = GPUVM_IMMEDIATE; // no second register
    return line;
}

/// A sum or a constant and the load or store there.
bool join_address(const Instruction& i, const Instruction& then, Line& one) {
    const bool reads = wasm::format_of(opcode_of(then)) == Format::load;
    const bool constant = wasm::format_of(opcode_of(then)) == Format::store_imm;
    if (then.b != i.a || (!reads && !constant && then.c == i.a)) return false;
    Instruction& result = one.instruction;
    if (is(i, Opcode::constant)) {
        if (then.x + i.x < i.x) return false;
        result.b = 0;
        result.x = then.x + i.x;
        one.flags |= GPUVM_ABSOLUTE;
        return true;
    }
    const bool indexed = is(i, Opcode::i32_add_rr) && !constant && (then.x == 0 || i.x == 0);
    if (!indexed && !(is(i, Opcode::i32_add_ri) && then.x == 0)) return false;
    result.b = i.b;
    if (then.x == 0) {
        result.x = i.x;
        one.flags |= GPUVM_WRAPS;
    }
    if (!indexed) return true;
    one.flags = (one.flags & ~GPUVM_IMMEDIATE) | GPUVM_INDEXED;
    if (reads)
        result.c = i.c;
    else
        result.y = i.c;
    return true;
}

/// A load and the use of its 32 bits: a mask, or a register added.
bool join_loaded(const Line& load, const Instruction& then, Line& one) {
    const Instruction& i = load.instruction;
    if (opcode_of(i) < Opcode::i32_load8_s || Opcode::i32_load < opcode_of(i)) return false;
    one = load;
    one.instruction.a = then.a;
    const bool alone = (load.flags & GPUVM_IMMEDIATE) != 0;
    if (is(then, Opcode::i32_and_ri) && then.b == i.a &&
        (alone || (load.flags & GPUVM_INDEXED) != 0)) {
        one.mask &= then.x;
        return true;
    }
    if (!alone || !is(then, Opcode::i32_add_rr) || (then.b == i.a) == (then.c == i.a)) return false;
    one.flags &= ~GPUVM_IMMEDIATE;
    one.instruction.c = then.b == i.a ? then.c : then.b;
    return true;
}

/// A sum or a mask of a constant and the branch or return that looks at it.
bool join_control(const Instruction& i, const Instruction& then, Line& one) {
    const bool adds = is(i, Opcode::i32_add_ri), masks = is(i, Opcode::i32_and_ri);
    if (then.b != i.a || (!adds && !masks)) return false;
    Instruction& result = one.instruction;
    result.b = i.b;
    if (is(then, Opcode::ret_reg)) {
        result.x = i.x;
        one.flags = GPUVM_WITH_SUM;
        return adds;
    }
    if (!is(then, Opcode::br_if_zero) && !is(then, Opcode::br_if_nonzero)) return false;
    const auto narrow = static_cast<std::uint16_t>(i.x);
    const bool fits =
        adds ? static_cast<std::uint32_t>(static_cast<std::int16_t>(narrow)) == i.x : narrow == i.x;
    result.a = i.a;
    result.c = narrow;
    one.flags = adds ? GPUVM_WITH_SUM : GPUVM_WITH_MASK;
    return fits;
}

/// Fuses the two if their registers and constants allow it; false: they do not.
bool join(const Line& first, const Instruction& then, std::uint32_t at, Line& one) {
    const Instruction& i = first.instruction;
    const Format format = wasm::format_of(opcode_of(then));
    one = line_of(then, at);
    one.first = first.first;
    Instruction& result = one.instruction;
    if (format == Format::load || format == Format::store || format == Format::store_imm)
        return join_address(i, then, one);
    if (format == Format::branch_if || format == Format::return_reg)
        return join_control(i, then, one);
    if (wasm::format_of(opcode_of(i)) == Format::load) return join_loaded(first, then, one);
    const bool adds = is(i, Opcode::i32_add_ri);
    const bool sum = is(i, Opcode::i32_add_rr), shift = shifts(i);
    if ((sum || shift) && is(then, Opcode::i32_add_ri) && then.b == i.a) {
        one = first;
        one.origin = at;
        one.instruction.a = then.a;
        (sum ? one.instruction.x : one.instruction.y) += then.x;
        return true;
    }
    const bool turns = is(i, Opcode::i32_rotl_ri) && i.y == 0 && is(then, Opcode::i32_xor_rr);
    if ((turns || (adds && is(then, Opcode::i32_add_rr))) && (then.b == i.a) != (then.c == i.a)) {
        result.c = then.b == i.a ? then.c : then.b;
        result.b = i.b;
        result.x = turns ? i.x & 31 : i.x;
        result.y = 0;
        return true;
    }
    return false;
}

/// An i32.rotl by a constant and the following i32.xor that already rotates its other operand.
bool join_turn(const Line& first, const Line& then, Line& one) {
    const Instruction &i = first.instruction, &x = then.instruction;
    if (!is(i, Opcode::i32_rotl_ri) || i.y != 0 || !is(x, Opcode::i32_xor_rr) || x.y != 0 ||
        x.c != i.a || x.b == i.a)
        return false;
    one = then;
    one.first = first.first;
    one.instruction.c = i.b;
    one.instruction.y = i.x & 31;
    return true;
}

/// Whether it cannot be observed that `between` was not written: the one instruction writes it
/// itself, the function ends, or it is never read from `pc` on.
bool unseen(const Line& one, std::uint16_t between, Lookahead look, std::uint32_t pc) {
    const Format format = wasm::format_of(opcode_of(one.instruction));
    if (format == Format::return_reg) return true;
    const bool writes = format != Format::store && format != Format::store_imm;
    return (writes && one.instruction.a == between) || look.dead(pc, between);
}

} // namespace

FusedProgram fuse(const wasm::Program& program) {
    const auto size = static_cast<std::uint32_t>(program.code.size());
    const std::vector<bool> begins = arrivals_of(program);
    FusedProgram result;
    result.lines.reserve(size);
    result.moved.resize(std::size_t{size} + 1);
    std::vector<const ProgramFunction*> functions;
    for (const ProgramFunction& function : program.functions)
        if (function.end > function.entry) functions.push_back(&function);
    std::sort(functions.begin(), functions.end(),
              [](const auto* one, const auto* other) { return one->entry < other->entry; });
    auto function = functions.begin();
    for (std::uint32_t pc = 0; pc < size; ++pc) {
        while (function != functions.end() && pc >= (*function)->end) ++function;
        const Line line = line_of(program.code[pc], pc);
        const bool inside = function != functions.end() && pc >= (*function)->entry;
        Line one, line_before;
        if (inside && !begins[pc] && !result.lines.empty() &&
            result.moved[pc - 1] + 1 == result.lines.size() &&
            join(result.lines.back(), line.instruction, pc, one)) {
            const Lookahead look(program, **function);
            if (unseen(one, result.lines.back().instruction.a, look, pc + 1)) {
                result.lines.back() = one;
                result.moved[pc] = static_cast<std::uint32_t>(result.lines.size()) - 1;
                const std::size_t size_now = result.lines.size();
                if (size_now > 1 && !result.arrivals.back() &&
                    join_turn(result.lines[size_now - 2], one, line_before) &&
                    unseen(line_before, result.lines[size_now - 2].instruction.a, look, pc + 1)) {
                    result.lines.pop_back();
                    result.arrivals.pop_back();
                    result.lines.back() = line_before;
                    for (std::uint32_t p = pc + 1; p-- > 0 && result.moved[p] == size_now - 1;)
                        --result.moved[p];
                }
                continue;
            }
        }
        result.moved[pc] = static_cast<std::uint32_t>(result.lines.size());
        result.arrivals.push_back(begins[pc]);
        result.lines.push_back(line);
    }
    result.moved[size] = static_cast<std::uint32_t>(result.lines.size());
    result.arrivals.push_back(true);
    return result;
}

} // namespace blockloom::gpuvm
