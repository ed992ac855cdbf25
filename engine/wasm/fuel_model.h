// The constants by which wasmi 0.37.2 meters a function (docs/fuel.md), derived from its body
// without wasmi.
#pragma once

#include "wasm/module.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::wasm {

/// Determines the cost of a program's blocks. Engines follow the program and do not know the rule.
enum class FuelRule : std::uint8_t {
    counted, ///< one for each WebAssembly instruction, block by block
    exact    ///< wasmi's constants at the heads of functions, loops and the arms of `if`
};

[[nodiscard]] const char* name_of(FuelRule rule) noexcept;
[[nodiscard]] std::optional<FuelRule> fuel_rule_from_name(std::string_view name) noexcept;

/// The charge each time an iteration of a loop or an arm of an `if` begins.
struct FuelScope {
    std::uint32_t offset = 0; ///< in the module: of `loop`, of `if` (first arm) or of `else`
    std::uint64_t cost = 0;
};

struct FunctionFuel {
    std::uint64_t entry = 0; ///< charged on each call
    std::vector<FuelScope>
        scopes;        ///< by ascending offset; code that wasmi considers unreachable has none
    std::string doubt; ///< why the constants are uncertain; empty: they are certain
};

/// The constants of a function defined in a valid module. Never fails; time is O(n log n) in the
/// body.
[[nodiscard]] FunctionFuel exact_fuel(const Module& module, std::uint32_t function);

} // namespace blockloom::wasm
