// What instances import and export: host functions, functions of other instances, tables, memories,
// globals.
#pragma once

#include "wasm/memory.h"
#include "wasm/program.h"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace blockloom::wasm {

class Instance;

/// What a host function can access. Valid during the call.
struct HostCall {
    Instance& instance; ///< the caller's
    std::span<const Cell> arguments;
    std::span<Cell> results;
    std::uint64_t fuel_left = 0; ///< before this call's fee
    std::uint64_t fee =
        0; ///< set by the function and charged after it; out_of_fuel if not enough is left
    std::string error; ///< set: the call traps with it
};

enum class HostAnswer : std::uint8_t {
    done,
    yield
}; ///< yield: the run stops, and the same call is repeated on resume

struct HostFunction {
    std::string name;
    FunctionType type;
    std::function<HostAnswer(HostCall&)> call;
};

struct Table {
    ValueType element = ValueType::funcref;
    Limits limits;
    std::vector<Cell> cells;
};

struct GlobalCell {
    GlobalType type;
    Cell value = 0;
};

/// A function as instances refer to it. A funcref cell is the address of one.
struct FunctionReference {
    Instance* instance = nullptr;     ///< its instance; null: a host function
    std::uint32_t function = 0;       ///< in the instance's index space
    std::uint32_t canonical_type = 0; ///< in its own program
    std::shared_ptr<const HostFunction> host;
    FunctionType type;
};

/// What an import resolves to.
using External = std::variant<FunctionReference, std::shared_ptr<Table>, std::shared_ptr<Memory>,
                              std::shared_ptr<GlobalCell>>;

/// Resolves imports: (module, name) -> external.
using Imports = std::map<std::pair<std::string, std::string>, External>;

} // namespace blockloom::wasm
