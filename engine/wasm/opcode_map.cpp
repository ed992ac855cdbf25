#include "wasm/opcode_map.h"

#include <array>

namespace blockloom::wasm {
namespace {

using enum Opcode;

constexpr unsigned comparisons = 10; // eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u

/// A comparison's place in that order, and whether it is on i64 and takes a constant.
struct Comparison {
    unsigned kind = 0;
    bool is_i64 = false, constant = false;
};

Comparison comparison_of(Opcode opcode) noexcept {
    const bool is_i64 = opcode >= i64_eq_rr;
    const unsigned place =
        static_cast<unsigned>(opcode) - static_cast<unsigned>(is_i64 ? i64_eq_rr : i32_eq_rr);
    return {place / 2, is_i64, place % 2 != 0};
}

Opcode opcode_of(Comparison comparison) noexcept {
    return after(comparison.is_i64 ? i64_eq_rr : i32_eq_rr,
                 2 * comparison.kind + (comparison.constant ? 1 : 0));
}

} // namespace

std::optional<IntegerBinary> integer_binary(CodeOpcode opcode) noexcept {
    const auto arithmetic = [](Opcode first, unsigned place, bool is_i64) {
        // add, mul, and, or, xor
        const bool commutative = place == 0 || place == 2 || (place >= 7 && place <= 9);
        return IntegerBinary{after(first, 2 * place), commutative, is_i64};
    };
    const auto compare = [](Opcode first, unsigned place, bool is_i64) {
        return IntegerBinary{after(first, 2 * place), place < 2, is_i64};
    };
    if (opcode >= 0x6a && opcode <= 0x78) return arithmetic(i32_add_rr, opcode - 0x6au, false);
    if (opcode >= 0x7c && opcode <= 0x8a) return arithmetic(i64_add_rr, opcode - 0x7cu, true);
    if (opcode >= 0x46 && opcode <= 0x4f) return compare(i32_eq_rr, opcode - 0x46u, false);
    if (opcode >= 0x51 && opcode <= 0x5a) return compare(i64_eq_rr, opcode - 0x51u, true);
    return std::nullopt;
}

bool is_integer_comparison(Opcode opcode) noexcept {
    return (opcode >= i32_eq_rr && opcode < after(i32_eq_rr, 2 * comparisons)) ||
           (opcode >= i64_eq_rr && opcode < after(i64_eq_rr, 2 * comparisons));
}

Opcode with_swapped_operands(Opcode comparison) noexcept {
    constexpr std::array<unsigned, comparisons> swapped{0, 1, 4, 5, 2, 3, 8, 9, 6, 7};
    Comparison result = comparison_of(comparison);
    result.kind = swapped[result.kind];
    return opcode_of(result);
}

Opcode inverted(Opcode comparison) noexcept {
    constexpr std::array<unsigned, comparisons> opposite{1, 0, 8, 9, 6, 7, 4, 5, 2, 3};
    Comparison result = comparison_of(comparison);
    result.kind = opposite[result.kind];
    return opcode_of(result);
}

Opcode branch_of(Opcode comparison) noexcept {
    const Comparison parts = comparison_of(comparison);
    return after(parts.is_i64 ? br_i64_eq_rr : br_i32_eq_rr,
                 2 * parts.kind + (parts.constant ? 1 : 0));
}

std::optional<Opcode> float_binary(CodeOpcode opcode) noexcept {
    if (opcode >= 0x92 && opcode <= 0x98) return after(f32_add, opcode - 0x92u);
    if (opcode >= 0xa0 && opcode <= 0xa6) return after(f64_add, opcode - 0xa0u);
    if (opcode >= 0x5b && opcode <= 0x60) return after(f32_eq, opcode - 0x5bu);
    if (opcode >= 0x61 && opcode <= 0x66) return after(f64_eq, opcode - 0x61u);
    return std::nullopt;
}

std::optional<Opcode> unary(CodeOpcode opcode) noexcept {
    if (opcode >= 0x67 && opcode <= 0x69) return after(i32_clz, opcode - 0x67u);
    if (opcode >= 0x79 && opcode <= 0x7b) return after(i64_clz, opcode - 0x79u);
    if (opcode >= 0x8b && opcode <= 0x91) return after(f32_abs, opcode - 0x8bu);
    if (opcode >= 0x99 && opcode <= 0x9f) return after(f64_abs, opcode - 0x99u);
    switch (opcode) {
    case 0x45:
        return i32_eqz;
    case 0x50:
        return i64_eqz;
    case 0xa7:
        return i32_wrap_i64;
    case 0xa8:
        return i32_trunc_f32_s;
    case 0xa9:
        return i32_trunc_f32_u;
    case 0xaa:
        return i32_trunc_f64_s;
    case 0xab:
        return i32_trunc_f64_u;
    case 0xac:
        return i64_extend_i32_s;
    case 0xae:
        return i64_trunc_f32_s;
    case 0xaf:
        return i64_trunc_f32_u;
    case 0xb0:
        return i64_trunc_f64_s;
    case 0xb1:
        return i64_trunc_f64_u;
    case 0xb2:
        return f32_convert_i32_s;
    case 0xb3:
        return f32_convert_i32_u;
    case 0xb4:
        return f32_convert_i64_s;
    case 0xb5:
        return f32_convert_i64_u;
    case 0xb6:
        return f32_demote_f64;
    case 0xb7:
        return f64_convert_i32_s;
    case 0xb8:
        return f64_convert_i32_u;
    case 0xb9:
        return f64_convert_i64_s;
    case 0xba:
        return f64_convert_i64_u;
    case 0xbb:
        return f64_promote_f32;
    case 0xc0:
        return i32_extend8_s;
    case 0xc1:
        return i32_extend16_s;
    case 0xc2:
        return i64_extend8_s;
    case 0xc3:
        return i64_extend16_s;
    case 0xc4:
        return i64_extend32_s;
    case 0xd1:
        return ref_is_null;
    case 0xfc00:
        return i32_trunc_sat_f32_s;
    case 0xfc01:
        return i32_trunc_sat_f32_u;
    case 0xfc02:
        return i32_trunc_sat_f64_s;
    case 0xfc03:
        return i32_trunc_sat_f64_u;
    case 0xfc04:
        return i64_trunc_sat_f32_s;
    case 0xfc05:
        return i64_trunc_sat_f32_u;
    case 0xfc06:
        return i64_trunc_sat_f64_s;
    case 0xfc07:
        return i64_trunc_sat_f64_u;
    default:
        return std::nullopt;
    }
}

Opcode load_of(CodeOpcode opcode) noexcept {
    // Unsigned loads into i64 are those into i32: cells are zero-extended.
    constexpr std::array<Opcode, 14> loads{
        i32_load,    i64_load,     i32_load,     i64_load, // i32, i64, f32, f64
        i32_load8_s, i32_load8_u,  i32_load16_s, i32_load16_u, i64_load8_s,
        i32_load8_u, i64_load16_s, i32_load16_u, i64_load32_s, i32_load};
    return loads[opcode - 0x28u];
}

Opcode store_of(CodeOpcode opcode) noexcept {
    constexpr std::array<Opcode, 9> stores{store32, store64, store32, store64, store8,
                                           store16, store8,  store16, store32};
    return stores[opcode - 0x36u];
}

} // namespace blockloom::wasm
