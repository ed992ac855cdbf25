// What machine code calls in C++: fuel, marks, traps, calls that leave the module, bulk
// instructions. Machine code has no unwind tables: no exception may reach it.
#pragma once

#include "base/coroutine.h"
#include "native/attached.h"
#include "wasm/run.h"

#include <optional>

namespace blockloom::native {

/// One invocation, across all instances it reaches.
struct Run {
    std::uint64_t fuel_left = 0, slice_left = 0, steps = 0, allotted = 0;
    std::stop_token stop;
    wasm::Trap trap;
    /// Set if this machine could not finish the run, which then has no result. Set before the run
    /// is left.
    std::optional<Error> broken;
    std::vector<Cell> host_results; ///< kept so that a host call allocates nothing

    Coroutine* coroutine = nullptr;                 ///< in which the run executes
    wasm::Outcome stands = wasm::Outcome::returned; ///< why the run was left: paused or yielded
    std::uint64_t pending_cost = 0; ///< of the block that it continues with: not charged yet

    /// Accounts for what machine code used of its allotment.
    void settle(std::uint64_t remaining) noexcept {
        const std::uint64_t used = allotted - remaining;
        fuel_left -= used;
        slice_left -= used;
        steps += used;
        allotted = 0;
    }
    /// How much machine code may use before it has to ask again.
    [[nodiscard]] std::uint64_t allot() noexcept;
    /// Leaves the run until it is resumed; after a trap it never is. No object on the stack may
    /// need its destructor then.
    void leave(wasm::Outcome why);
};

/// The machine stack that this many frames of the code and a host function need.
[[nodiscard]] std::uint64_t stack_bytes(const CodeImage& image, std::uint64_t frames) noexcept;

void offer_services(Context& context) noexcept;

/// Calls a function of any instance or of the host: `fuel` is the allotment; returns what is left
/// of it, or `again`: the host function yielded and the call must be repeated. `pc` is the call in
/// the caller's program; `no_pc` for the outermost.
inline constexpr std::uint64_t again = ~std::uint64_t{0};
inline constexpr std::uint32_t no_pc = 0xffff'ffff;
[[nodiscard]] std::uint64_t call_target(Attached& caller, Run& run, std::uint64_t fuel,
                                        std::uint64_t room, std::uint32_t pc,
                                        const wasm::FunctionReference& target, Cell* cells);

} // namespace blockloom::native
