// The state of an instance that engines read and write.
#pragma once

#include "wasm/externals.h"
#include "wasm/trap.h"

#include <memory>
#include <optional>
#include <vector>

namespace blockloom::wasm {

struct InstanceState {
    std::shared_ptr<Memory> memory; ///< null: none
    std::vector<std::shared_ptr<Table>> tables;
    std::uint64_t most_table_cells = 0; ///< of all tables together
    std::vector<std::shared_ptr<GlobalCell>> globals;
    std::vector<Cell*> global_cells; ///< &globals[i]->value
    std::vector<FunctionReference>
        functions; ///< whole index space; never resized: cells point into it
    std::vector<bool> dropped_elements, dropped_data;

    bool own_memory = false;
    std::size_t imported_tables = 0, imported_globals = 0;
    std::vector<Cell> first_globals;             ///< own ones
    std::vector<std::vector<Cell>> first_tables; ///< own ones
    std::vector<bool> first_dropped_elements, first_dropped_data;
    bool tables_changed = false, segments_dropped = false;

    /// The register stack, shared by all calls of an invocation; allocated at the first one.
    std::vector<Cell> stack;

    /// Data that another engine keeps with the instance.
    std::shared_ptr<void> engine_data;

    /// A segment's bytes; empty if it was dropped.
    [[nodiscard]] ByteView data(const Module& module, std::uint32_t segment) const {
        if (dropped_data[segment]) return {};
        const DataSegment& found = module.data[segment];
        return ByteView(*module.bytes).subspan(found.begin, found.size);
    }
    [[nodiscard]] Cell evaluate(const ConstantExpression& expression) const;
};

/// The cell of a reference to a function, and back.
[[nodiscard]] inline Cell reference_cell(const FunctionReference& function) noexcept {
    return reinterpret_cast<std::uintptr_t>(&function);
}
[[nodiscard]] inline const FunctionReference* referenced(Cell cell) noexcept {
    return reinterpret_cast<const FunctionReference*>(static_cast<std::uintptr_t>(cell));
}

/// What a bulk instruction with operands a, b and c moves or adds, as counted by `bulk_fee`;
/// nothing if it is out of bounds. 0 if growing fails, and for all other instructions.
[[nodiscard]] std::optional<std::uint64_t> bulk_amount(const InstanceState& state,
                                                       const Module& module, const Instruction& i,
                                                       Cell a, Cell b, Cell c);
[[nodiscard]] TrapKind out_of_bounds_of(Opcode opcode) noexcept;

/// The table instructions, shared by the engines. False: out of bounds, nothing was changed.
[[nodiscard]] bool table_init(InstanceState& state, const Module& module, std::uint32_t segment,
                              std::uint32_t table, std::uint64_t to, std::uint64_t from,
                              std::uint64_t count);
[[nodiscard]] bool table_copy(InstanceState& state, std::uint32_t to_table,
                              std::uint32_t from_table, std::uint64_t to, std::uint64_t from,
                              std::uint64_t count);
[[nodiscard]] bool table_fill(InstanceState& state, std::uint32_t table, std::uint64_t to,
                              Cell value, std::uint64_t count);
/// The previous number of cells, or 0xffffffff.
[[nodiscard]] std::uint32_t table_grow(InstanceState& state, std::uint32_t table, Cell value,
                                       std::uint32_t count);

/// The bulk memory instructions; false: out of bounds, nothing was changed.
[[nodiscard]] bool memory_copy(Memory& memory, std::uint64_t to, std::uint64_t from,
                               std::uint64_t bytes);
[[nodiscard]] bool memory_fill(Memory& memory, std::uint64_t to, Byte value, std::uint64_t bytes);
[[nodiscard]] bool memory_init(Memory& memory, ByteView segment, std::uint64_t to,
                               std::uint64_t from, std::uint64_t bytes);

} // namespace blockloom::wasm
