// Why a run of a program ended early.
#pragma once

#include <cstdint>
#include <string>

namespace blockloom::wasm {

enum class TrapKind : std::uint8_t {
    none,
    unreachable,
    out_of_bounds_memory,
    out_of_bounds_table,
    integer_divide_by_zero,
    integer_overflow,
    invalid_conversion,
    indirect_call_type_mismatch,
    uninitialized_element,
    undefined_element,
    call_stack_exhausted,
    out_of_fuel,
    cancelled,
    host, ///< a host function failed
};
[[nodiscard]] const char* name_of(TrapKind kind) noexcept;

struct Trap {
    TrapKind kind = TrapKind::none;
    std::uint32_t function = 0, offset = 0; ///< where: function index, byte in the module
    std::string text;                       ///< host traps
};

} // namespace blockloom::wasm
