#include "gpuvm/shorten.h"

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

/// Instructions at which a lane may arrive otherwise than from the one before.
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
    static constexpr unsigned most = 64; ///< instructions a question

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

/// The two as one, as far as registers and constants go; false: they do not belong together.
bool join(const Line& first, const Instruction& then, std::uint32_t at, Line& one) {
    const Instruction& i = first.instruction;
    const Format format = wasm::format_of(opcode_of(then));
    const bool loads = format == Format::load;
    const bool stores = format == Format::store || format == Format::store_imm;
    one = {then, 0, ~0u, at, first.first};
    Instruction& result = one.instruction;
    const bool adds = is(i, Opcode::i32_add_ri);
    if (loads || stores) {
        if (then.b != i.a || (format == Format::store && then.c == i.a)) return false;
        if (adds && then.x == 0) {
            result.b = i.b;
            result.x = i.x;
            one.flags = GPUVM_WRAPS;
            return true;
        }
        if (!is(i, Opcode::constant) || then.x + i.x < i.x) return false;
        result.b = 0;
        result.x = then.x + i.x;
        one.flags = GPUVM_ABSOLUTE;
        return true;
    }
    if (is(then, Opcode::i32_and_ri) && then.b == i.a && Opcode::i32_load8_s <= opcode_of(i) &&
        opcode_of(i) <= Opcode::i32_load) {
        one = first;
        one.instruction.a = then.a;
        one.mask &= then.x;
        return true;
    }
    const bool sum = is(i, Opcode::i32_add_rr);
    if (sum && is(then, Opcode::i32_add_ri) && then.b == i.a) {
        one = first;
        one.origin = at;
        one.instruction.a = then.a;
        one.instruction.x += then.x;
        return true;
    }
    const bool turns = is(i, Opcode::i32_rotl_ri) && is(then, Opcode::i32_xor_rr);
    if ((turns || (adds && is(then, Opcode::i32_add_rr))) && (then.b == i.a) != (then.c == i.a)) {
        result.c = then.b == i.a ? then.c : then.b;
        result.b = i.b;
        result.x = turns ? i.x & 31 : i.x;
        result.y = 0;
        return true;
    }
    return false;
}

} // namespace

Shortened shorten(const wasm::Program& program) {
    const auto size = static_cast<std::uint32_t>(program.code.size());
    const std::vector<bool> begins = arrivals_of(program);
    Shortened result;
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
        Line line{program.code[pc], 0, ~0u, pc, pc};
        // Of the form with two registers nobody reads x and y: they hold what was joined.
        if (wasm::format_of(opcode_of(line.instruction)) == Format::ra_rb_rc)
            line.instruction.x = line.instruction.y = 0;
        const bool inside = function != functions.end() && pc >= (*function)->entry;
        Line one;
        if (inside && !begins[pc] && !result.lines.empty() &&
            result.moved[pc - 1] + 1 == result.lines.size() &&
            join(result.lines.back(), line.instruction, pc, one)) {
            const std::uint32_t between = result.lines.back().instruction.a;
            const bool overwritten =
                wasm::format_of(opcode_of(one.instruction)) != Format::store &&
                wasm::format_of(opcode_of(one.instruction)) != Format::store_imm &&
                one.instruction.a == between;
            if (overwritten || Lookahead(program, **function).dead(pc + 1, between)) {
                result.lines.back() = one;
                result.moved[pc] = static_cast<std::uint32_t>(result.lines.size()) - 1;
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
