#include "wasm/trap.h"

namespace blockloom::wasm {

const char* name_of(TrapKind kind) noexcept {
    switch (kind) {
    case TrapKind::none:
        return "none";
    case TrapKind::unreachable:
        return "unreachable";
    case TrapKind::out_of_bounds_memory:
        return "out of bounds memory access";
    case TrapKind::out_of_bounds_table:
        return "out of bounds table access";
    case TrapKind::integer_divide_by_zero:
        return "integer divide by zero";
    case TrapKind::integer_overflow:
        return "integer overflow";
    case TrapKind::invalid_conversion:
        return "invalid conversion to integer";
    case TrapKind::indirect_call_type_mismatch:
        return "indirect call type mismatch";
    case TrapKind::uninitialized_element:
        return "uninitialized element";
    case TrapKind::undefined_element:
        return "undefined element";
    case TrapKind::call_stack_exhausted:
        return "call stack exhausted";
    case TrapKind::out_of_fuel:
        return "out of fuel";
    case TrapKind::cancelled:
        return "cancelled";
    case TrapKind::host:
        return "host error";
    }
    return "?";
}

} // namespace blockloom::wasm
