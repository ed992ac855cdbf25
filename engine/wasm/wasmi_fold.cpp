#include "wasm/wasmi_fold.h"

#include "wasm/numeric.h"

#include <bit>
#include <cmath>

namespace blockloom::wasm::wasmi {
namespace {

Folded made(Cell cell) {
    return {true, cell};
}
Folded trap() {
    return {true, std::nullopt};
}

template <typename Signed> Folded integer(unsigned place, Cell left, Cell right) {
    using Unsigned = std::make_unsigned_t<Signed>;
    constexpr int bits = std::numeric_limits<Unsigned>::digits;
    const auto a = static_cast<Unsigned>(left), b = static_cast<Unsigned>(right);
    const auto sa = static_cast<Signed>(a), sb = static_cast<Signed>(b);
    const auto by = static_cast<int>(b % bits);
    switch (place) {
    case 0:
        return made(static_cast<Unsigned>(a + b));
    case 1:
        return made(static_cast<Unsigned>(a - b));
    case 2:
        return made(static_cast<Unsigned>(a * b));
    case 3:
        if (b == 0 || (sa == std::numeric_limits<Signed>::min() && sb == -1)) return trap();
        return made(static_cast<Unsigned>(sa / sb));
    case 4:
        return b == 0 ? trap() : made(a / b);
    case 5:
        if (b == 0) return trap();
        return made(sb == -1 ? 0 : static_cast<Unsigned>(sa % sb));
    case 6:
        return b == 0 ? trap() : made(a % b);
    case 7:
        return made(a & b);
    case 8:
        return made(a | b);
    case 9:
        return made(a ^ b);
    case 10:
        return made(static_cast<Unsigned>(a << by));
    case 11:
        return made(static_cast<Unsigned>(sa >> by));
    case 12:
        return made(a >> by);
    case 13:
        return made(std::rotl(a, by));
    default:
        return made(std::rotr(a, by));
    }
}

template <typename Signed> Folded compared(unsigned place, Cell left, Cell right) {
    using Unsigned = std::make_unsigned_t<Signed>;
    const auto a = static_cast<Unsigned>(left), b = static_cast<Unsigned>(right);
    const auto sa = static_cast<Signed>(a), sb = static_cast<Signed>(b);
    const bool results[] = {a == b,   a != b, sa<sb, a<b, sa> sb, a> b, sa <= sb, a <= b,
                            sa >= sb, a >= b};
    return made(results[place] ? 1 : 0);
}

template <typename Float> Folded compared_floats(unsigned place, Cell left, Cell right) {
    const Float a = float_of<Float>(left), b = float_of<Float>(right);
    const bool results[] = {a == b, a != b, a<b, a> b, a <= b, a >= b};
    return made(results[place] ? 1 : 0);
}

template <typename Float> Folded floats(unsigned place, Cell left, Cell right) {
    const Float a = float_of<Float>(left), b = float_of<Float>(right);
    constexpr Cell sign = Cell{1} << (sizeof(Float) * 8 - 1);
    switch (place) {
    case 0:
        return made(canonical(a + b));
    case 1:
        return made(canonical(a - b));
    case 2:
        return made(canonical(a * b));
    case 3:
        return made(canonical(a / b));
    case 4:
        return made(canonical(float_min(a, b)));
    case 5:
        return made(canonical(float_max(a, b)));
    default:
        return made((left & (sign - 1)) | (right & sign));
    }
}

template <typename Float> Folded float_unary(unsigned place, Cell operand) {
    const Float v = float_of<Float>(operand);
    constexpr Cell sign = Cell{1} << (sizeof(Float) * 8 - 1);
    switch (place) {
    case 0:
        return made(operand & (sign - 1));
    case 1:
        return made(operand ^ sign);
    case 2:
        return made(canonical(std::ceil(v)));
    case 3:
        return made(canonical(std::floor(v)));
    case 4:
        return made(canonical(std::trunc(v)));
    case 5:
        return made(canonical(std::nearbyint(v)));
    default:
        return made(canonical(std::sqrt(v)));
    }
}

template <typename Integer, typename Float> Folded truncated(Cell operand, bool saturating) {
    const Float value = float_of<Float>(operand);
    using Unsigned = std::make_unsigned_t<Integer>;
    if (saturating) return made(static_cast<Unsigned>(saturate<Integer>(value)));
    if (truncates<Integer>(value) != Truncation::fits) return trap();
    return made(static_cast<Unsigned>(static_cast<Integer>(value)));
}

/// In the order of the saturating opcodes: i32 of f32 s, u, of f64 s, u, then i64.
Folded truncated(unsigned place, Cell operand, bool saturating) {
    switch (place) {
    case 0:
        return truncated<std::int32_t, float>(operand, saturating);
    case 1:
        return truncated<std::uint32_t, float>(operand, saturating);
    case 2:
        return truncated<std::int32_t, double>(operand, saturating);
    case 3:
        return truncated<std::uint32_t, double>(operand, saturating);
    case 4:
        return truncated<std::int64_t, float>(operand, saturating);
    case 5:
        return truncated<std::uint64_t, float>(operand, saturating);
    case 6:
        return truncated<std::int64_t, double>(operand, saturating);
    default:
        return truncated<std::uint64_t, double>(operand, saturating);
    }
}

template <typename Integer> Cell extended(Cell operand, unsigned bits) {
    const auto value = static_cast<std::make_unsigned_t<Integer>>(operand);
    const unsigned unused = std::numeric_limits<std::make_unsigned_t<Integer>>::digits - bits;
    return static_cast<std::make_unsigned_t<Integer>>(static_cast<Integer>(value << unused) >>
                                                      unused);
}

template <typename Float> Folded converted(unsigned place, Cell operand) {
    switch (place) { // i32 s, u, i64 s, u
    case 0:
        return made(cell_of(static_cast<Float>(static_cast<std::int32_t>(operand))));
    case 1:
        return made(cell_of(static_cast<Float>(static_cast<std::uint32_t>(operand))));
    case 2:
        return made(cell_of(static_cast<Float>(static_cast<std::int64_t>(operand))));
    default:
        return made(cell_of(static_cast<Float>(operand)));
    }
}

Folded bit_count(unsigned place, Cell operand, bool is_i64) {
    const auto low = static_cast<std::uint32_t>(operand);
    switch (place) {
    case 0:
        return made(static_cast<Cell>(is_i64 ? std::countl_zero(operand) : std::countl_zero(low)));
    case 1:
        return made(static_cast<Cell>(is_i64 ? std::countr_zero(operand) : std::countr_zero(low)));
    default:
        return made(static_cast<Cell>(is_i64 ? std::popcount(operand) : std::popcount(low)));
    }
}

} // namespace

Folded fold(CodeOpcode opcode, Cell operand) {
    if (opcode >= 0x67 && opcode <= 0x69) return bit_count(opcode - 0x67u, operand, false);
    if (opcode >= 0x79 && opcode <= 0x7b) return bit_count(opcode - 0x79u, operand, true);
    if (opcode >= 0x8b && opcode <= 0x91) return float_unary<float>(opcode - 0x8bu, operand);
    if (opcode >= 0x99 && opcode <= 0x9f) return float_unary<double>(opcode - 0x99u, operand);
    if (opcode >= 0xa8 && opcode <= 0xab) return truncated(opcode - 0xa8u, operand, false);
    if (opcode >= 0xae && opcode <= 0xb1) return truncated(opcode - 0xaau, operand, false);
    if (opcode >= 0xb2 && opcode <= 0xb5) return converted<float>(opcode - 0xb2u, operand);
    if (opcode >= 0xb7 && opcode <= 0xba) return converted<double>(opcode - 0xb7u, operand);
    if (opcode >= 0xfc00 && opcode <= 0xfc07) return truncated(opcode - 0xfc00u, operand, true);
    switch (opcode) {
    case 0xa7: // i32.wrap_i64
        return made(static_cast<std::uint32_t>(operand));
    case 0xac: // i64.extend_i32_s
    case 0xc4:
        return made(extended<std::int64_t>(operand, 32));
    case 0xb6:
        return made(canonical(static_cast<float>(float_of<double>(operand))));
    case 0xbb:
        return made(canonical(static_cast<double>(float_of<float>(operand))));
    case 0xc0:
        return made(extended<std::int32_t>(operand, 8));
    case 0xc1:
        return made(extended<std::int32_t>(operand, 16));
    case 0xc2:
        return made(extended<std::int64_t>(operand, 8));
    case 0xc3:
        return made(extended<std::int64_t>(operand, 16));
    default:
        return {};
    }
}

Folded fold(CodeOpcode opcode, Cell left, Cell right) {
    if (opcode >= 0x46 && opcode <= 0x4f)
        return compared<std::int32_t>(opcode - 0x46u, left, right);
    if (opcode >= 0x51 && opcode <= 0x5a)
        return compared<std::int64_t>(opcode - 0x51u, left, right);
    if (opcode >= 0x5b && opcode <= 0x60)
        return compared_floats<float>(opcode - 0x5bu, left, right);
    if (opcode >= 0x61 && opcode <= 0x66)
        return compared_floats<double>(opcode - 0x61u, left, right);
    if (opcode >= 0x6a && opcode <= 0x78) return integer<std::int32_t>(opcode - 0x6au, left, right);
    if (opcode >= 0x7c && opcode <= 0x8a) return integer<std::int64_t>(opcode - 0x7cu, left, right);
    if (opcode >= 0x92 && opcode <= 0x98) return floats<float>(opcode - 0x92u, left, right);
    if (opcode >= 0xa0 && opcode <= 0xa6) return floats<double>(opcode - 0xa0u, left, right);
    return {};
}

} // namespace blockloom::wasm::wasmi
