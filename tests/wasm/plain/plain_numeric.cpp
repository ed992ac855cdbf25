#include "wasm/plain/plain_numeric.h"

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

namespace blockloom::plain {
namespace {

using wasm::Cell;
using wasm::TrapKind;
using Stack = std::vector<Cell>;

template <typename Type> Type pop(Stack& stack) {
    const Cell cell = stack.back();
    stack.pop_back();
    if constexpr (std::is_same_v<Type, float>)
        return std::bit_cast<float>(static_cast<std::uint32_t>(cell));
    else if constexpr (std::is_same_v<Type, double>)
        return std::bit_cast<double>(cell);
    else
        return static_cast<Type>(cell);
}

/// An arithmetic result: NaNs become the canonical one.
template <typename Type> void push(Stack& stack, Type value) {
    if constexpr (std::is_same_v<Type, float>)
        stack.push_back(std::isnan(value) ? 0x7fc0'0000 : std::bit_cast<std::uint32_t>(value));
    else if constexpr (std::is_same_v<Type, double>)
        stack.push_back(std::isnan(value) ? 0x7ff8'0000'0000'0000
                                          : std::bit_cast<std::uint64_t>(value));
    else
        stack.push_back(static_cast<Cell>(static_cast<std::make_unsigned_t<Type>>(value)));
}

/// eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u
template <typename Signed> void compare(unsigned which, Stack& stack) {
    using Unsigned = std::make_unsigned_t<Signed>;
    const auto right = pop<Unsigned>(stack), left = pop<Unsigned>(stack);
    const auto a = static_cast<Signed>(left), b = static_cast<Signed>(right);
    const bool answers[] = {left == right, left != right, a<b, left<right, a> b, left> right,
                            a <= b,        left <= right, a >= b,
                            left >= right};
    stack.push_back(answers[which]);
}

/// eq ne lt gt le ge
template <typename Float> void compare_floats(unsigned which, Stack& stack) {
    const Float b = pop<Float>(stack), a = pop<Float>(stack);
    const bool answers[] = {a == b, a != b, a<b, a> b, a <= b, a >= b};
    stack.push_back(answers[which]);
}

/// clz ctz popcnt, then add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr
template <typename Signed> TrapKind arithmetic(unsigned which, Stack& stack) {
    using Unsigned = std::make_unsigned_t<Signed>;
    constexpr unsigned bits = sizeof(Signed) * 8;
    if (which < 3) {
        const auto value = pop<Unsigned>(stack);
        const int counts[] = {std::countl_zero(value), std::countr_zero(value),
                              std::popcount(value)};
        stack.push_back(static_cast<Cell>(counts[which]));
        return TrapKind::none;
    }
    const auto y = pop<Unsigned>(stack), x = pop<Unsigned>(stack);
    const auto a = static_cast<Signed>(x), b = static_cast<Signed>(y);
    const unsigned shift = static_cast<unsigned>(y % bits);
    if (which >= 6 && which <= 9 && y == 0) return TrapKind::integer_divide_by_zero;
    const bool overflows = a == std::numeric_limits<Signed>::min() && b == -1;
    if (which == 6 && overflows) return TrapKind::integer_overflow;
    const auto result = [&]() -> Unsigned {
        switch (which) {
        case 3:
            return x + y;
        case 4:
            return x - y;
        case 5:
            return x * y;
        case 6:
            return static_cast<Unsigned>(a / b);
        case 7:
            return x / y;
        case 8:
            return overflows ? 0 : static_cast<Unsigned>(a % b);
        case 9:
            return x % y;
        case 10:
            return x & y;
        case 11:
            return x | y;
        case 12:
            return x ^ y;
        case 13:
            return x << shift;
        case 14:
            return static_cast<Unsigned>(a >> shift);
        case 15:
            return x >> shift;
        case 16:
            return shift == 0 ? x : (x << shift) | (x >> (bits - shift));
        default:
            return shift == 0 ? x : (x >> shift) | (x << (bits - shift));
        }
    };
    push(stack, result());
    return TrapKind::none;
}

template <typename Float> Float smaller(Float a, Float b) {
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<Float>::quiet_NaN();
    if (a == 0 && b == 0) return std::signbit(a) || std::signbit(b) ? Float{-0.0} : Float{0};
    return a < b ? a : b;
}

/// abs neg ceil floor trunc nearest sqrt add sub mul div min max copysign
template <typename Float> void calculate_floats(unsigned which, Stack& stack) {
    constexpr Cell sign = Cell{1} << (sizeof(Float) * 8 - 1);
    if (which == 0 || which == 1) { // the bits of a NaN stay
        stack.back() = which == 0 ? stack.back() & ~sign : stack.back() ^ sign;
        return;
    }
    if (which == 13) {
        const Cell from = pop<Cell>(stack);
        stack.back() = (stack.back() & ~sign) | (from & sign);
        return;
    }
    const Float b = pop<Float>(stack);
    if (which < 7) {
        const auto nearest = [&] {
            const Float low = std::floor(b), over = b - low;
            const bool odd = std::fmod(low, Float{2}) != 0;
            const Float whole = over > Float{0.5} || (over == Float{0.5} && odd) ? low + 1 : low;
            return std::copysign(whole, b);
        };
        const bool small = std::abs(b) < Float{4'503'599'627'370'496};
        return push(stack, which == 2   ? std::ceil(b)
                           : which == 3 ? std::floor(b)
                           : which == 4 ? std::trunc(b)
                           : which == 5 ? (small ? nearest() : b)
                                        : std::sqrt(b));
    }
    const Float a = pop<Float>(stack);
    push(stack, which == 7    ? a + b
                : which == 8  ? a - b
                : which == 9  ? a * b
                : which == 10 ? a / b
                : which == 11 ? smaller(a, b)
                              : -smaller(-a, -b));
}

/// The integer part, where it fits; `saturating` never traps.
template <typename Integer, typename Float> TrapKind truncate(Stack& stack, bool saturating) {
    const Float value = std::trunc(pop<Float>(stack));
    using Limits = std::numeric_limits<Integer>;
    if (std::isnan(value)) {
        if (!saturating) return TrapKind::invalid_conversion;
        push(stack, Integer{0});
        return TrapKind::none;
    }
    // 2^63 and 2^64 are floats, the maxima are not.
    const bool above = value >= 2 * static_cast<Float>(Limits::max() / 2 + 1);
    const bool below = value < static_cast<Float>(Limits::min());
    if ((above || below) && !saturating) return TrapKind::integer_overflow;
    push(stack, above ? Limits::max() : below ? Limits::min() : static_cast<Integer>(value));
    return TrapKind::none;
}

template <typename Float> TrapKind truncate_to(unsigned which, Stack& stack, bool saturating) {
    switch (which) {
    case 0:
        return truncate<std::int32_t, Float>(stack, saturating);
    case 1:
        return truncate<std::uint32_t, Float>(stack, saturating);
    case 2:
        return truncate<std::int64_t, Float>(stack, saturating);
    default:
        return truncate<std::uint64_t, Float>(stack, saturating);
    }
}

template <typename To, typename From> TrapKind convert(Stack& stack) {
    push(stack, static_cast<To>(pop<From>(stack)));
    return TrapKind::none;
}

TrapKind convert(std::uint16_t opcode, Stack& stack) {
    switch (opcode) {
    case 0xa7:
        return convert<std::uint32_t, std::uint64_t>(stack);
    case 0xac:
        return convert<std::int64_t, std::int32_t>(stack);
    case 0xad:
        return convert<std::uint64_t, std::uint32_t>(stack);
    case 0xb2:
        return convert<float, std::int32_t>(stack);
    case 0xb3:
        return convert<float, std::uint32_t>(stack);
    case 0xb4:
        return convert<float, std::int64_t>(stack);
    case 0xb5:
        return convert<float, std::uint64_t>(stack);
    case 0xb6:
        return convert<float, double>(stack);
    case 0xb7:
        return convert<double, std::int32_t>(stack);
    case 0xb8:
        return convert<double, std::uint32_t>(stack);
    case 0xb9:
        return convert<double, std::int64_t>(stack);
    case 0xba:
        return convert<double, std::uint64_t>(stack);
    case 0xbb:
        return convert<double, float>(stack);
    case 0xc0:
        return convert<std::int32_t, std::int8_t>(stack);
    case 0xc1:
        return convert<std::int32_t, std::int16_t>(stack);
    case 0xc2:
        return convert<std::int64_t, std::int8_t>(stack);
    case 0xc3:
        return convert<std::int64_t, std::int16_t>(stack);
    case 0xc4:
        return convert<std::int64_t, std::int32_t>(stack);
    default: // the reinterpretations 0xbc … 0xbf: the cell stays
        return TrapKind::none;
    }
}

} // namespace

TrapKind calculate(std::uint16_t opcode, Stack& stack) {
    const auto in = [&](unsigned first, unsigned last) {
        return opcode >= first && opcode <= last;
    };
    const auto from = [&](unsigned first) { return opcode - first; };
    if (in(0xfc00, 0xfc07)) {
        const unsigned which = from(0xfc00) / 4 * 2 + from(0xfc00) % 2;
        return (from(0xfc00) & 2) == 0 ? truncate_to<float>(which, stack, true)
                                       : truncate_to<double>(which, stack, true);
    }
    if (in(0xa8, 0xab))
        return from(0xa8) < 2 ? truncate_to<float>(from(0xa8), stack, false)
                              : truncate_to<double>(from(0xaa), stack, false);
    if (in(0xae, 0xb1))
        return from(0xae) < 2 ? truncate_to<float>(2 + from(0xae), stack, false)
                              : truncate_to<double>(2 + from(0xb0), stack, false);
    if (in(0x67, 0x78)) return arithmetic<std::int32_t>(from(0x67), stack);
    if (in(0x79, 0x8a)) return arithmetic<std::int64_t>(from(0x79), stack);
    if (opcode == 0x45 || opcode == 0x50)
        stack.back() = stack.back() == 0;
    else if (in(0x46, 0x4f))
        compare<std::int32_t>(from(0x46), stack);
    else if (in(0x51, 0x5a))
        compare<std::int64_t>(from(0x51), stack);
    else if (in(0x5b, 0x60))
        compare_floats<float>(from(0x5b), stack);
    else if (in(0x61, 0x66))
        compare_floats<double>(from(0x61), stack);
    else if (in(0x8b, 0x98))
        calculate_floats<float>(from(0x8b), stack);
    else if (in(0x99, 0xa6))
        calculate_floats<double>(from(0x99), stack);
    else
        return convert(opcode, stack);
    return TrapKind::none;
}

} // namespace blockloom::plain
