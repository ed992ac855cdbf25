// Data shared by machine code and its services. Machine code reads a Context by offset, so it is
// plain data; `compile.cpp` and the translation take the offsets from here.
#pragma once

#include "wasm/instance_state.h"

#include <cstdint>

namespace blockloom::native {

using wasm::Cell;

struct Run;      // services.h
struct Attached; // attached.h

/// Machine code's `room`: frames left in the high half, cells left in the low half. Both stay below
/// 2^31, so that a borrow of either is visible in these bits.
inline constexpr std::uint64_t room_overdrawn = 0x8000'0000'8000'0000;
inline constexpr std::uint64_t one_frame = std::uint64_t{1} << 32;

/// A table as machine code reads it.
struct TableView {
    const Cell* cells = nullptr;
    std::uint64_t size = 0;
};

/// A function of the module's index space, for indirect calls.
struct FunctionEntry {
    const void* code = nullptr; ///< null: imported
    std::uint64_t cells = 0;    ///< of its frame
};

/// One instance as machine code sees it. The addresses of the global cells follow it in memory.
struct Context {
    Byte* memory = nullptr;
    std::uint64_t memory_size = 0;
    Byte* dirty = nullptr;
    const TableView* tables = nullptr;
    const FunctionEntry* functions = nullptr;
    const wasm::FunctionReference* references = nullptr;
    const wasm::Instance* instance = nullptr;
    Cell* results = nullptr; ///< where a function writes its second and later results
    std::uint64_t fuel = 0;  ///< the result of `refuel`
    Cell value = 0;          ///< the result of `execute`

    /// The block at `pc` costs more than what is left. Returns the new amount in `fuel`, after
    /// deducting the cost.
    void (*refuel)(Context*, std::uint64_t fuel, std::uint32_t pc) = nullptr;
    /// Called on a store to a page that is not marked.
    void (*mark)(Context*, std::uint64_t address) = nullptr;
    /// Does not return. `site` is the instruction and the kind of trap, packed by `trap_site`.
    void (*trap)(Context*, std::uint64_t fuel, std::uint32_t site) = nullptr;
    /// Calls return the remaining fuel; arguments and results are in `cells`.
    std::uint64_t (*call_import)(Context*, std::uint64_t fuel, std::uint64_t room, std::uint32_t pc,
                                 Cell* cells) = nullptr;
    std::uint64_t (*call_indirect)(Context*, std::uint64_t fuel, std::uint64_t room,
                                   std::uint32_t pc, Cell* cells, Cell element) = nullptr;
    /// Bulk memory and table instructions with their operands.
    std::uint64_t (*execute)(Context*, std::uint64_t fuel, std::uint32_t pc, Cell a, Cell b,
                             Cell c) = nullptr;

    Run* run = nullptr;        ///< services only
    Attached* owner = nullptr; ///< services only
};

[[nodiscard]] constexpr std::uint32_t trap_site(std::uint32_t pc, wasm::TrapKind kind) noexcept {
    return (pc << 4) | static_cast<std::uint32_t>(kind);
}
inline constexpr std::uint32_t most_code = 1u << 28; ///< the most instructions whose sites fit

/// Machine code that calls functions of one type through a C interface: reads the arguments from
/// `cells` and writes the first result there.
using Enter = std::uint64_t (*)(Context*, std::uint64_t fuel, std::uint64_t room, const void* code,
                                Cell* cells);

} // namespace blockloom::native
