#include "wasm/code_reader.h"

#include <array>

namespace blockloom::wasm {
namespace {

using enum ValueType;

/// Signatures of 0x00 … 0xff and, behind them, of 0xfc00 … 0xfc07 (saturating truncations).
struct Signatures {
    std::array<Signature, 0x108> table{};

    constexpr void set(unsigned first, unsigned last, std::uint8_t operands, ValueType operand,
                       ValueType result) {
        for (unsigned i = first; i <= last; ++i)
            table[i] = {operands, operand, operand, true, result, 0, true};
    }
    constexpr void load(unsigned at, ValueType result, std::uint8_t bytes) {
        table[at] = {1, i32, i32, true, result, bytes, true};
    }
    constexpr void store(unsigned at, ValueType value, std::uint8_t bytes) {
        table[at] = {2, i32, value, false, i32, bytes, true};
    }

    constexpr Signatures() {
        load(0x28, i32, 4), load(0x29, i64, 8), load(0x2a, f32, 4), load(0x2b, f64, 8);
        load(0x2c, i32, 1), load(0x2d, i32, 1), load(0x2e, i32, 2), load(0x2f, i32, 2);
        load(0x30, i64, 1), load(0x31, i64, 1), load(0x32, i64, 2), load(0x33, i64, 2);
        load(0x34, i64, 4), load(0x35, i64, 4);
        store(0x36, i32, 4), store(0x37, i64, 8), store(0x38, f32, 4), store(0x39, f64, 8);
        store(0x3a, i32, 1), store(0x3b, i32, 2);
        store(0x3c, i64, 1), store(0x3d, i64, 2), store(0x3e, i64, 4);
        set(0x45, 0x45, 1, i32, i32); // eqz
        set(0x46, 0x4f, 2, i32, i32); // comparisons
        set(0x50, 0x50, 1, i64, i32);
        set(0x51, 0x5a, 2, i64, i32);
        set(0x5b, 0x60, 2, f32, i32);
        set(0x61, 0x66, 2, f64, i32);
        set(0x67, 0x69, 1, i32, i32); // clz, ctz, popcnt
        set(0x6a, 0x78, 2, i32, i32);
        set(0x79, 0x7b, 1, i64, i64);
        set(0x7c, 0x8a, 2, i64, i64);
        set(0x8b, 0x91, 1, f32, f32);
        set(0x92, 0x98, 2, f32, f32);
        set(0x99, 0x9f, 1, f64, f64);
        set(0xa0, 0xa6, 2, f64, f64);
        set(0xa7, 0xa7, 1, i64, i32); // wrap
        set(0xa8, 0xa9, 1, f32, i32), set(0xaa, 0xab, 1, f64, i32);
        set(0xac, 0xad, 1, i32, i64); // extend
        set(0xae, 0xaf, 1, f32, i64), set(0xb0, 0xb1, 1, f64, i64);
        set(0xb2, 0xb3, 1, i32, f32), set(0xb4, 0xb5, 1, i64, f32);
        set(0xb6, 0xb6, 1, f64, f32); // demote
        set(0xb7, 0xb8, 1, i32, f64), set(0xb9, 0xba, 1, i64, f64);
        set(0xbb, 0xbb, 1, f32, f64); // promote
        set(0xbc, 0xbc, 1, f32, i32), set(0xbd, 0xbd, 1, f64, i64);
        set(0xbe, 0xbe, 1, i32, f32), set(0xbf, 0xbf, 1, i64, f64);
        set(0xc0, 0xc1, 1, i32, i32); // sign extension
        set(0xc2, 0xc4, 1, i64, i64);
        set(0x100, 0x101, 1, f32, i32), set(0x102, 0x103, 1, f64, i32);
        set(0x104, 0x105, 1, f32, i64), set(0x106, 0x107, 1, f64, i64);
    }
};

constexpr Signatures signatures;

void read_block_type(BinaryReader& in, BlockType& to) {
    const std::uint32_t at = in.at();
    const Byte first = in.peek();
    switch (first) {
    case 0x40:
        in.byte();
        to = {BlockType::Kind::empty, i32, 0};
        return;
    case 0x7f:
    case 0x7e:
    case 0x7d:
    case 0x7c:
    case 0x70:
    case 0x6f:
        in.byte();
        to = {BlockType::Kind::value, static_cast<ValueType>(first), 0};
        return;
    default:
        break;
    }
    const std::int64_t index = in.s33();
    if (index < 0) in.fail_at(at, "malformed block type");
    to = {BlockType::Kind::index, i32, static_cast<std::uint32_t>(index)};
}

void read_zero(BinaryReader& in) {
    const std::uint32_t at = in.at();
    if (in.byte() != 0) in.fail_at(at, "zero byte expected");
}

void read_reference_type(BinaryReader& in, ValueType& to) {
    const std::uint32_t at = in.at();
    const Byte code = in.byte();
    if (code != 0x70 && code != 0x6f) in.fail_at(at, "malformed reference type");
    to = code == 0x6f ? externref : funcref;
}

void read_prefixed(BinaryReader& in, CodeInstruction& to) {
    const std::uint32_t number = in.u32();
    if (number > 17) {
        in.fail_at(to.offset, "illegal opcode");
        return;
    }
    to.opcode = static_cast<CodeOpcode>(0xfc00 + number);
    switch (number) {
    case 8:
        to.index = in.u32(), read_zero(in);
        break; // memory.init
    case 9:
        to.index = in.u32();
        break; // data.drop
    case 10:
        read_zero(in), read_zero(in);
        break; // memory.copy
    case 11:
        read_zero(in);
        break; // memory.fill
    case 12:
        to.index = in.u32(), to.index2 = in.u32();
        break; // table.init: segment, table
    case 13:
        to.index = in.u32();
        break; // elem.drop
    case 14:
        to.index = in.u32(), to.index2 = in.u32();
        break; // table.copy: to, from
    case 15:
    case 16:
    case 17:
        to.index = in.u32();
        break; // table.grow, size, fill
    default:
        break; // saturating truncations
    }
}

} // namespace

const Signature& signature_of(CodeOpcode opcode) noexcept {
    static constexpr Signature none{};
    if (opcode < 0x100) return signatures.table[opcode];
    if (opcode >= 0xfc00 && opcode < 0xfc08) return signatures.table[0x100u + (opcode & 7u)];
    return none;
}

bool read_instruction(BinaryReader& in, CodeInstruction& to) {
    to.offset = in.at();
    const Byte opcode = in.byte();
    if (in.failed()) return false;
    to.opcode = opcode;
    switch (opcode) {
    case 0x00:
    case 0x01:
    case 0x05:
    case 0x0b:
    case 0x0f:
    case 0x1a:
    case 0x1b:
    case 0xd1:
        break;
    case 0x02:
    case 0x03:
    case 0x04:
        read_block_type(in, to.block);
        break;
    case 0x0c:
    case 0x0d:
    case 0x10:
    case 0x20:
    case 0x21:
    case 0x22:
    case 0x23:
    case 0x24:
    case 0x25:
    case 0x26:
    case 0xd2:
        to.index = in.u32();
        break;
    case 0x0e: {
        to.labels.clear();
        const std::uint32_t labels = in.count(1);
        for (std::uint32_t i = 0; i < labels && !in.failed(); ++i) to.labels.push_back(in.u32());
        to.labels.push_back(in.u32());
        break;
    }
    case 0x11:
        to.index = in.u32(), to.index2 = in.u32();
        break; // type, table
    case 0x1c:
        to.types = in.count(1);
        for (std::uint32_t i = 0; i < to.types && !in.failed(); ++i) {
            const std::uint32_t at = in.at();
            const Byte code = in.byte();
            if ((code < 0x7c || code > 0x7f) && code != 0x70 && code != 0x6f)
                in.fail_at(at, "malformed value type");
            to.type = static_cast<ValueType>(code);
        }
        break;
    case 0x3f:
    case 0x40:
        read_zero(in);
        break;
    case 0x41:
        to.value = static_cast<std::uint32_t>(in.s32());
        break;
    case 0x42:
        to.value = static_cast<std::uint64_t>(in.s64());
        break;
    case 0x43:
        to.value = in.fixed32();
        break;
    case 0x44:
        to.value = in.fixed64();
        break;
    case 0xd0:
        read_reference_type(in, to.type);
        break;
    case 0xfc:
        read_prefixed(in, to);
        break;
    default: {
        const Signature& signature = signature_of(opcode);
        if (!signature.known) {
            const bool tail_call = opcode == 0x12 || opcode == 0x13;
            in.fail_at(to.offset, tail_call ? "illegal opcode (a tail call)" : "illegal opcode",
                       tail_call);
        } else if (signature.access != 0) {
            const std::uint32_t at = in.at();
            to.align = in.u32();
            if (to.align >= 32) in.fail_at(at, "malformed memop flags");
            to.value = in.u32();
        }
    }
    }
    return !in.failed();
}

} // namespace blockloom::wasm
