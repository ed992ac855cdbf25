#include "wasm/plain/plain_code.h"

#include <cstring>

namespace blockloom::plain {
namespace {

class Reader {
public:
    Reader(const Bytes& bytes, std::uint32_t at) : bytes_(bytes), at_(at) {}

    [[nodiscard]] std::uint32_t at() const { return at_; }
    std::uint8_t byte() { return bytes_[at_++]; }
    std::uint64_t leb(bool is_signed) {
        std::uint64_t result = 0;
        unsigned shift = 0;
        std::uint8_t last;
        do {
            last = byte();
            if (shift < 64) result |= std::uint64_t{last & 0x7fu} << shift;
            shift += 7;
        } while ((last & 0x80) != 0);
        if (is_signed && shift < 64 && (last & 0x40) != 0) result |= ~std::uint64_t{0} << shift;
        return result;
    }
    std::uint32_t index() { return static_cast<std::uint32_t>(leb(false)); }
    template <typename Number> Number fixed() {
        Number result;
        std::memcpy(&result, bytes_.data() + at_, sizeof result);
        at_ += sizeof result;
        return result;
    }

private:
    const Bytes& bytes_;
    std::uint32_t at_;
};

void read_block_type(const wasm::Module& module, Reader& in, Instruction& to) {
    const auto type = static_cast<std::int64_t>(in.leb(true));
    if (type >= 0) {
        const wasm::FunctionType& named = module.types[static_cast<std::size_t>(type)];
        to.parameters = static_cast<std::uint32_t>(named.parameters.size());
        to.results = static_cast<std::uint32_t>(named.results.size());
    } else if (type != -64) { // 0x40: nothing
        to.results = 1;
    }
}

void read_prefixed(Reader& in, Instruction& to) {
    const std::uint32_t number = in.index();
    to.opcode = static_cast<std::uint16_t>(0xfc00 + number);
    if (number >= 8) to.a = in.index();
    if (number == 8 || number == 10 || number == 12 || number == 14) to.b = in.index();
}

Instruction read_one(const wasm::Module& module, Reader& in) {
    Instruction to;
    to.offset = in.at();
    const std::uint8_t opcode = in.byte();
    to.opcode = opcode;
    if (opcode >= 0x02 && opcode <= 0x04) {
        read_block_type(module, in, to);
    } else if (opcode == 0x0e) {
        for (std::uint32_t left = in.index() + 1; left > 0; --left) to.labels.push_back(in.index());
    } else if (opcode == 0x11) {
        to.a = in.index(), to.b = in.index();
    } else if (opcode == 0x1c) {
        for (std::uint32_t left = in.index(); left > 0; --left) in.byte();
    } else if (opcode >= 0x28 && opcode <= 0x3e) {
        in.index(), to.a = in.index();
    } else if (opcode == 0x3f || opcode == 0x40 || opcode == 0xd0) {
        in.byte();
    } else if (opcode == 0x41) {
        to.value = static_cast<std::uint32_t>(in.leb(true));
    } else if (opcode == 0x42) {
        to.value = in.leb(true);
    } else if (opcode == 0x43) {
        to.value = in.fixed<std::uint32_t>();
    } else if (opcode == 0x44) {
        to.value = in.fixed<std::uint64_t>();
    } else if (opcode == 0xfc) {
        read_prefixed(in, to);
    } else if (opcode == 0x0c || opcode == 0x0d || opcode == 0x10 || opcode == 0xd2 ||
               (opcode >= 0x20 && opcode <= 0x26)) {
        to.a = in.index();
    }
    return to;
}

/// Calls, and what moves or grows memory, end a block although the next instruction follows.
bool ends_block_and_goes_on(std::uint16_t opcode) {
    switch (opcode) {
    case 0x10:
    case 0x11:
    case 0x40:
    case 0xfc08:
    case 0xfc0a:
    case 0xfc0b:
        return true;
    default:
        return false;
    }
}

/// Finds the blocks: everything that can be reached, from where it is reached.
class Charges {
public:
    explicit Charges(Code& code) : code_(code), list_(code.instructions) {
        code_.leads.assign(list_.size(), false);
        code_.cost.assign(list_.size(), 0);
        inside_.resize(list_.size());
    }

    /// What stands behind `loop`, `if` and `else` is a scope of its own.
    void take(const wasm::FunctionFuel& fuel) {
        match();
        code_.leads[0] = true;
        code_.cost[0] = fuel.entry;
        for (const wasm::FuelScope& scope : fuel.scopes)
            for (std::uint32_t at = 0; at + 1 < list_.size(); ++at)
                if (list_[at].offset == scope.offset) {
                    code_.leads[at + 1] = true;
                    code_.cost[at + 1] = scope.cost;
                }
    }

    void find() {
        match();
        std::vector<std::uint32_t> open{0};
        std::vector<bool> seen(list_.size());
        code_.leads[0] = true;
        while (!open.empty()) {
            const std::uint32_t at = open.back();
            open.pop_back();
            if (seen[at]) continue;
            seen[at] = true;
            follow(at, open);
        }
        for (std::uint32_t at = 0; at < list_.size(); ++at)
            if (code_.leads[at]) measure(at);
    }

private:
    /// Partners of blocks, and the blocks around each instruction.
    void match() {
        std::vector<std::uint32_t> open;
        for (std::uint32_t at = 0; at < list_.size(); ++at) {
            Instruction& now = list_[at];
            if (now.opcode == 0x0b && !open.empty()) {
                Instruction& opener = list_[open.back()];
                opener.end = at;
                if (opener.otherwise != nowhere) list_[opener.otherwise].end = at;
                open.pop_back();
            } else if (now.opcode == 0x05) {
                list_[open.back()].otherwise = at;
            }
            inside_[at] = open;
            if (now.opcode >= 0x02 && now.opcode <= 0x04) open.push_back(at);
        }
    }

    /// Where a branch goes; nowhere: it leaves the function.
    std::uint32_t target(std::uint32_t at, std::uint32_t depth) const {
        const auto& around = inside_[at];
        if (depth >= around.size()) return nowhere;
        const std::uint32_t block = around[around.size() - 1 - depth];
        return list_[block].opcode == 0x03 ? block + 1 : list_[block].end + 1;
    }

    void follow(std::uint32_t at, std::vector<std::uint32_t>& open) {
        const Instruction& now = list_[at];
        const auto leads = [&](std::uint32_t to) {
            if (to == nowhere) return;
            code_.leads[to] = true;
            open.push_back(to);
        };
        switch (now.opcode) {
        case 0x00:
        case 0x0f:
            return;
        case 0x03:
            return leads(at + 1);
        case 0x04:
            leads(at + 1);
            return leads((now.otherwise != nowhere ? now.otherwise : now.end) + 1);
        case 0x05: // the first half has ended: over the second
            return leads(now.end + 1);
        case 0x0c:
            return leads(target(at, now.a));
        case 0x0d:
            leads(at + 1);
            return leads(target(at, now.a));
        case 0x0e:
            for (const std::uint32_t depth : now.labels) leads(target(at, depth));
            return;
        default:
            if (ends_block_and_goes_on(now.opcode)) return leads(at + 1);
            if (at + 1 < list_.size()) open.push_back(at + 1);
        }
    }

    void measure(std::uint32_t first) {
        constexpr std::uint64_t most = 60'000;
        std::uint64_t cost = 0;
        for (std::uint32_t at = first; at < list_.size(); ++at) {
            if (at != first && code_.leads[at]) break;
            const std::uint16_t opcode = list_[at].opcode;
            if (opcode == 0x05) break;
            if (opcode == 0x0b) continue;
            if (cost == most) {
                code_.leads[at] = true;
                break;
            }
            ++cost;
            if (opcode == 0x00 || opcode == 0x04 || (opcode >= 0x0c && opcode <= 0x0f) ||
                ends_block_and_goes_on(opcode))
                break;
        }
        code_.cost[first] = cost;
    }

    Code& code_;
    std::vector<Instruction>& list_;
    std::vector<std::vector<std::uint32_t>> inside_;
};

} // namespace

Code read_code(const wasm::Module& module, std::uint32_t function, wasm::FuelRule fuel) {
    const wasm::Body& body = module.bodies[function - module.imported_functions];
    Code code;
    for (const wasm::LocalRun& run : body.locals) code.locals += run.count;
    Reader in(*module.bytes, body.begin);
    while (in.at() < body.end) code.instructions.push_back(read_one(module, in));
    if (fuel == wasm::FuelRule::exact)
        Charges(code).take(wasm::exact_fuel(module, function));
    else
        Charges(code).find();
    return code;
}

} // namespace blockloom::plain
