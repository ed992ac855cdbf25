#include "wasm_metering.h"

#include "wasm/code_reader.h"

namespace blockloom::bench {
namespace {

using wasm::CodeOpcode;

void put_unsigned(Bytes& to, std::uint64_t value) {
    do {
        const auto low = static_cast<Byte>(value & 0x7f);
        value >>= 7;
        to.push_back(value != 0 ? static_cast<Byte>(low | 0x80) : low);
    } while (value != 0);
}

void put_signed(Bytes& to, std::int64_t value) {
    while (true) {
        const auto low = static_cast<Byte>(value & 0x7f);
        value >>= 7;
        const bool last = (value == 0 && (low & 0x40) == 0) || (value == -1 && (low & 0x40) != 0);
        to.push_back(last ? low : static_cast<Byte>(low | 0x80));
        if (last) return;
    }
}

void put(Bytes& to, ByteView bytes) {
    to.insert(to.end(), bytes.begin(), bytes.end());
}

/// Where a basic block begins in the module, and how many instructions it has.
struct Block {
    std::uint32_t offset = 0, cost = 0;
};

/// The basic blocks of a body, found without the lowering, so that one checks the other.
class Blocks {
public:
    Blocks(const wasm::Module& module, const wasm::Body& body)
        : in_(*module.bytes, body.begin, body.end) {
        begin();
        labels_.push_back({});
        while (!labels_.empty() && read_instruction(in_, now_)) step();
    }
    std::vector<Block> found;

private:
    struct Label {
        CodeOpcode opcode = 0x02;
        bool targeted = false;
    };

    void begin() { found.push_back({in_.at(), 0}); }
    void target(std::uint32_t depth) { labels_[labels_.size() - 1 - depth].targeted = true; }
    void step();
    void end();

    wasm::BinaryReader in_;
    wasm::CodeInstruction now_;
    std::vector<Label> labels_;
    bool reachable_ = true;
    unsigned skipped_ = 0; ///< nesting inside unreachable code
};

void Blocks::end() {
    const Label closed = labels_.back();
    labels_.pop_back();
    if (closed.opcode == 0x03 || labels_.empty()) return;
    if (closed.opcode != 0x04 && !closed.targeted) return;
    reachable_ = true;
    begin();
}

void Blocks::step() {
    const CodeOpcode opcode = now_.opcode;
    const bool opens = opcode >= 0x02 && opcode <= 0x04;
    if (!reachable_) {
        if (opens) {
            ++skipped_;
            return;
        }
        if (skipped_ > 0) {
            if (opcode == 0x0b) --skipped_;
            return;
        }
    }
    if (opcode == 0x0b) return end();
    if (opcode == 0x05) {
        if (reachable_) labels_.back().targeted = true;
        labels_.back().opcode = 0x05;
        reachable_ = true;
        return begin();
    }
    if (!reachable_) return;
    ++found.back().cost;
    if (opens) labels_.push_back({opcode, false});
    switch (opcode) {
    case 0x00: // unreachable
    case 0x0f: // return
        reachable_ = false;
        break;
    case 0x0c: // br
        target(now_.index);
        reachable_ = false;
        break;
    case 0x0e: // br_table
        for (const std::uint32_t depth : now_.labels) target(depth);
        reachable_ = false;
        break;
    case 0x0d: // br_if
        target(now_.index);
        begin();
        break;
    case 0x03: // loop
    case 0x04: // if
    case 0x10: // calls
    case 0x11:
    case 0x40: // memory.grow
    case 0xfc08:
    case 0xfc0a:
    case 0xfc0b:
    case 0xfc0c:
    case 0xfc0e:
    case 0xfc0f:
    case 0xfc11:
        begin();
        break;
    default:
        break;
    }
}

void put_check(Bytes& to, std::uint32_t counter, std::uint32_t cost) {
    const auto operands = [&] {
        to.push_back(0x23), put_unsigned(to, counter); // global.get
        to.push_back(0x42), put_signed(to, cost);      // i64.const
    };
    operands();
    put(to, Bytes{0x54, 0x04, 0x40, 0x00, 0x0b}); // i64.lt_u, if, unreachable, end
    operands();
    to.push_back(0x7d); // i64.sub
    to.push_back(0x24), put_unsigned(to, counter);
}

Bytes metered_body(const wasm::Module& module, const wasm::Body& body, std::uint32_t counter) {
    Bytes to;
    put_unsigned(to, body.locals.size());
    for (const wasm::LocalRun& run : body.locals)
        put_unsigned(to, run.count), to.push_back(static_cast<Byte>(run.type));
    const ByteView all(*module.bytes);
    std::uint32_t copied = body.begin;
    for (const Block& block : Blocks(module, body).found) {
        put(to, all.subspan(copied, block.offset - copied));
        copied = block.offset;
        if (block.cost > 0) put_check(to, counter, block.cost);
    }
    put(to, all.subspan(copied, body.end - copied));
    return to;
}

} // namespace

Bytes with_fuel_checks(const wasm::Module& module, std::int64_t fuel) {
    const ByteView all(*module.bytes);
    const auto counter = static_cast<std::uint32_t>(module.global_types.size());
    Bytes result(all.begin(), all.begin() + 8);
    wasm::BinaryReader in(all, 8, static_cast<std::uint32_t>(all.size()));
    while (!in.done() && !in.failed()) {
        const Byte section = in.byte();
        const std::uint32_t size = in.u32();
        wasm::BinaryReader inside(all, in.at(), in.at() + size);
        const ByteView content = in.take(size);
        Bytes changed;
        if (section == 6 || section == 7) {
            put_unsigned(changed, inside.u32() + std::uint64_t{1});
            put(changed, inside.take(inside.left()));
        }
        if (section == 6) {
            put(changed, Bytes{0x7e, 0x01, 0x42}); // i64, mutable, i64.const
            put_signed(changed, fuel);
            changed.push_back(0x0b);
        } else if (section == 7) {
            put(changed, Bytes{4, 'f', 'u', 'e', 'l', 3});
            put_unsigned(changed, counter);
        } else if (section == 10) {
            put_unsigned(changed, module.bodies.size());
            for (const wasm::Body& body : module.bodies) {
                const Bytes metered = metered_body(module, body, counter);
                put_unsigned(changed, metered.size());
                put(changed, metered);
            }
        } else {
            put(changed, content);
        }
        result.push_back(section);
        put_unsigned(result, changed.size());
        put(result, changed);
    }
    return result;
}

} // namespace blockloom::bench
