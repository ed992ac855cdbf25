// Instances, linking and host functions: one typed interface for Alkanes, tests and a GPU
// (docs/register-program.md).
#pragma once

#include "wasm/memory.h"
#include "wasm/program.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <variant>

namespace blockloom::wasm {

class Instance;

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
    host, ///< a host function said no
};
[[nodiscard]] const char* name_of(TrapKind kind) noexcept;

struct Trap {
    TrapKind kind = TrapKind::none;
    std::uint32_t function = 0, offset = 0; ///< where: function index, byte in the module
    std::string text;                       ///< host traps
};

/// What a host function may do. Valid during the call.
struct HostCall {
    Instance& instance; ///< the caller's
    std::span<const Cell> arguments;
    std::span<Cell> results;
    std::uint64_t fuel_left = 0; ///< before this call's fee
    std::uint64_t fee =
        0;             ///< set by the function; charged after it, out_of_fuel where it is not there
    std::string error; ///< set: the call traps with it
};

enum class HostAnswer : std::uint8_t {
    done,
    yield
}; ///< yield: the run stops and the same call is made again on resume

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

/// A function as instances see it. A funcref cell is the address of one.
struct FunctionReference {
    Instance* instance = nullptr;     ///< whose it is; null: a host function
    std::uint32_t function = 0;       ///< in the instance's index space
    std::uint32_t canonical_type = 0; ///< in its own program
    std::shared_ptr<const HostFunction> host;
    FunctionType type;
};

/// What an import resolves to.
using External = std::variant<FunctionReference, std::shared_ptr<Table>, std::shared_ptr<Memory>,
                              std::shared_ptr<GlobalCell>>;

/// Where imports come from: (module, name) -> thing.
using Imports = std::map<std::pair<std::string, std::string>, External>;

struct InstanceLimits {
    std::uint32_t memory_pages = 664; ///< memory.grow beyond returns −1
    std::uint32_t embedder_pages =
        0; ///< grown to at least this many after instantiation (contracts: 512)
    std::uint32_t call_depth = 1024;
    std::uint32_t stack_cells = 131'072;
    std::uint64_t table_cells = 65'536;     ///< of all tables; table.grow beyond returns −1
    std::uint64_t start_fuel = 100'000'000; ///< of the start function; more traps: out_of_fuel
    std::stop_token start_stop;             ///< ends it too, as `cancelled`
};

/// Why a module could not be instantiated: unlinkable, or a trap of its segments or start function.
struct LinkError {
    bool trapped = false;
    bool too_many_cells = false; ///< more than `InstanceLimits::table_cells`
    Trap trap;
    std::string text;
    /// Where it trapped: what it put into imported tables stays there and may be called, so it must
    /// be kept.
    std::shared_ptr<Instance> survivor;
};

/// What instantiation gives: an instance; what is wrong with the module or its imports, which every
/// machine finds; or what this machine has no memory for, which says nothing of the module.
using Instantiated = std::variant<std::shared_ptr<Instance>, LinkError, Error>;

/// A program with its state. Not thread-safe; one thread at a time.
class Instance {
public:
    [[nodiscard]] static Instantiated make(std::shared_ptr<const Program> program,
                                           const Imports& imports,
                                           const InstanceLimits& limits = {});
    ~Instance();

    [[nodiscard]] const Program& program() const noexcept { return *program_; }
    [[nodiscard]] const std::shared_ptr<const Program>& shared_program() const noexcept {
        return program_;
    }
    [[nodiscard]] std::shared_ptr<Memory> memory() const noexcept; ///< null: none
    [[nodiscard]] std::optional<External> exported(const std::string& name) const;
    [[nodiscard]] const InstanceLimits& limits() const noexcept { return limits_; }
    /// What the start function used of `InstanceLimits::start_fuel`; 0 where there is none.
    [[nodiscard]] std::uint64_t start_fuel_used() const noexcept { return start_fuel_used_; }

    /// As new: memory, globals, tables and dropped segments; no system call. Own state only, not
    /// that of imports.
    void reset() noexcept;

    struct State; ///< what the engines read and write (instance_state.h)
    [[nodiscard]] State& state() noexcept { return *state_; }

private:
    Instance() = default;
    std::shared_ptr<const Program> program_;
    InstanceLimits limits_;
    std::uint64_t start_fuel_used_ = 0;
    std::unique_ptr<State> state_;
};

} // namespace blockloom::wasm
