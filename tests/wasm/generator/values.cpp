#include "wasm/module_generator.h"

#include <bit>
#include <iterator>

namespace blockloom::tests {

using wasm::ValueType;

// clang-format off
wasm::Cell interesting_cell(ValueType type, std::uint64_t random) {
    constexpr std::uint64_t integers[] = {
        0, 1, 2, 7, 31, 32, 63, 64, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000,
        0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, ~0ull, ~1ull};
    constexpr double floats[] = {
        0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 1e10, -1e10, 1e300, 4294967295.0, 2147483648.0,
        -2147483649.0, 9.3e18, 1.9e19, 1e-310};
    // clang-format on
    const std::uint64_t which = random >> 8;
    const bool chosen = (random & 0xff) < 200;
    switch (type) {
    case ValueType::i32:
        return (chosen ? integers[which % std::size(integers)] : which) & 0xffff'ffff;
    case ValueType::i64:
        return chosen ? integers[which % std::size(integers)] : random * 0x9e3779b97f4a7c15;
    case ValueType::f32: {
        const auto value = static_cast<float>(chosen ? floats[which % std::size(floats)]
                                                     : static_cast<double>(which % 100'000) / 7);
        return std::bit_cast<std::uint32_t>(value);
    }
    default:
        return std::bit_cast<std::uint64_t>(chosen ? floats[which % std::size(floats)]
                                                   : static_cast<double>(which) / 1e9);
    }
}

} // namespace blockloom::tests
