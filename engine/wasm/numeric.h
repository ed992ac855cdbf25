// The arithmetic of WebAssembly on cells, the same for every engine. NaN results are canonical
// (docs/register-program.md).
#pragma once

#include "wasm/types.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace blockloom::wasm {

template <typename Float> [[nodiscard]] inline Float float_of(Cell cell) noexcept {
    if constexpr (sizeof(Float) == 4)
        return std::bit_cast<float>(static_cast<std::uint32_t>(cell));
    else
        return std::bit_cast<double>(cell);
}

template <typename Float> [[nodiscard]] inline Cell cell_of(Float value) noexcept {
    if constexpr (sizeof(Float) == 4)
        return std::bit_cast<std::uint32_t>(value);
    else
        return std::bit_cast<std::uint64_t>(value);
}

/// The cell of an arithmetic result: every NaN becomes the positive quiet one.
template <typename Float> [[nodiscard]] inline Cell canonical(Float value) noexcept {
    if (value != value) return sizeof(Float) == 4 ? Cell{0x7fc0'0000} : Cell{0x7ff8'0000'0000'0000};
    return cell_of(value);
}

template <typename Float> [[nodiscard]] inline Float float_min(Float a, Float b) noexcept {
    if (a != a || b != b) return std::numeric_limits<Float>::quiet_NaN();
    if (a == b) return std::signbit(a) ? a : b;
    return a < b ? a : b;
}

template <typename Float> [[nodiscard]] inline Float float_max(Float a, Float b) noexcept {
    if (a != a || b != b) return std::numeric_limits<Float>::quiet_NaN();
    if (a == b) return std::signbit(a) ? b : a;
    return a > b ? a : b;
}

enum class Truncation : std::uint8_t { fits, overflow, nan };

/// Whether a float's integer part fits into an integer type. The bounds are exact in either float
/// type.
template <typename Integer, typename Float>
[[nodiscard]] inline Truncation truncates(Float value) noexcept {
    if (value != value) return Truncation::nan;
    const Float whole = std::trunc(value);
    const Float above = std::ldexp(Float{1}, std::numeric_limits<Integer>::digits); // max + 1
    const Float below = std::is_signed_v<Integer> ? -above : Float{0};
    return whole >= below && whole < above ? Truncation::fits : Truncation::overflow;
}

/// Saturating truncation; NaN gives 0.
template <typename Integer, typename Float>
[[nodiscard]] inline Integer saturate(Float value) noexcept {
    switch (truncates<Integer>(value)) {
    case Truncation::fits:
        return static_cast<Integer>(value);
    case Truncation::nan:
        return 0;
    case Truncation::overflow:
        break;
    }
    return value < 0 ? std::numeric_limits<Integer>::min() : std::numeric_limits<Integer>::max();
}

} // namespace blockloom::wasm
