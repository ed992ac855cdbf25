// Programs with their state, as created by instantiate.h: one typed interface for Alkanes, tests
// and GPUs (docs/register-program.md).
#pragma once

#include "wasm/externals.h"
#include "wasm/trap.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>

namespace blockloom::wasm {

struct InstanceLimits {
    std::uint32_t memory_pages = 664; ///< memory.grow beyond returns −1
    std::uint32_t embedder_pages =
        0; ///< grown to at least this many after instantiation (contracts: 512)
    std::uint32_t call_depth = 1024;
    std::uint32_t stack_cells = 131'072;
    std::uint64_t table_cells = 65'536; ///< of all tables; table.grow beyond returns −1
    std::uint64_t start_fuel =
        100'000'000;            ///< for the start function; using more traps with out_of_fuel
    std::stop_token start_stop; ///< also ends the start function, as `cancelled`
};

/// Why a module could not be instantiated: unlinkable, or a trap of its segments or start function.
struct LinkError {
    bool trapped = false;
    bool too_many_cells = false; ///< more than `InstanceLimits::table_cells`
    Trap trap;
    std::string text;
    /// Set if it trapped: what it wrote to imported tables stays there and may be called, so the
    /// instance must be kept.
    std::shared_ptr<Instance> survivor;
};

/// The result of instantiation: an instance; an error of the module or its imports, which is the
/// same on every machine; or a lack of memory on this machine, which says nothing about the module.
using Instantiated = std::variant<std::shared_ptr<Instance>, LinkError, Error>;

struct InstanceState; ///< the state that engines read and write (instance_state.h)

/// A program with its state. Not thread-safe; one thread at a time.
class Instance {
public:
    ~Instance();

    [[nodiscard]] const Program& program() const noexcept { return *program_; }
    [[nodiscard]] const std::shared_ptr<const Program>& shared_program() const noexcept {
        return program_;
    }
    [[nodiscard]] std::shared_ptr<Memory> memory() const noexcept; ///< null: none
    [[nodiscard]] std::optional<External> exported(const std::string& name) const;
    [[nodiscard]] const InstanceLimits& limits() const noexcept { return limits_; }
    /// What the start function used of `InstanceLimits::start_fuel`; 0 if there is no start
    /// function.
    [[nodiscard]] std::uint64_t start_fuel_used() const noexcept { return start_fuel_used_; }

    /// Restores the initial memory, globals, tables and dropped segments, without a system call.
    /// Only the instance's own state, not that of imports.
    void reset() noexcept;

    using State = InstanceState;
    [[nodiscard]] State& state() noexcept { return *state_; }

private:
    friend Instantiated instantiate(std::shared_ptr<const Program>, const Imports&,
                                    const InstanceLimits&);
    Instance();
    std::shared_ptr<const Program> program_;
    InstanceLimits limits_;
    std::uint64_t start_fuel_used_ = 0;
    std::unique_ptr<State> state_;
};

} // namespace blockloom::wasm
