// Bulk memory and table instructions.
#include "wasm/instance_state.h"

#include <algorithm>
#include <cstring>

namespace blockloom::wasm {
namespace {

bool within(std::uint64_t at, std::uint64_t count, std::uint64_t size) {
    return at + count <= size;
}

bool can_grow(const InstanceState& state, std::uint32_t table, std::uint64_t count) {
    const Table& grown = *state.tables[table];
    if (grown.limits.has_max && grown.cells.size() + count > grown.limits.max) return false;
    std::uint64_t all = 0;
    for (const auto& each : state.tables) all += each->cells.size();
    return all + count <= state.most_table_cells;
}

} // namespace

std::optional<std::uint64_t> bulk_amount(const InstanceState& state, const Module& module,
                                         const Instruction& i, Cell a, Cell b, Cell c) {
    const auto in_memory = [&](Cell address) { return state.memory->in_bounds(address, c); };
    const auto in_table = [&](std::uint32_t table, Cell place) {
        return within(place, c, state.tables[table]->cells.size());
    };
    const auto when = [](bool fits, std::uint64_t amount) {
        return fits ? std::optional(amount) : std::nullopt;
    };
    switch (static_cast<Opcode>(i.op)) {
    case Opcode::memory_grow:
        return state.memory->can_grow(static_cast<std::uint32_t>(b)) ? b : 0;
    case Opcode::memory_copy:
        return when(in_memory(a) && in_memory(b), c);
    case Opcode::memory_fill:
        return when(in_memory(a), c);
    case Opcode::memory_init:
        return when(in_memory(a) && within(b, c, state.data(module, i.x).size()), c);
    case Opcode::table_grow:
        return can_grow(state, i.x, c) ? c : 0;
    case Opcode::table_fill:
        return when(in_table(i.x, a), c);
    case Opcode::table_copy:
        return when(in_table(i.x, a) && in_table(i.y, b), c);
    case Opcode::table_init: {
        const std::size_t items =
            state.dropped_elements[i.x] ? 0 : module.elements[i.x].items.size();
        return when(within(b, c, items) && in_table(i.y, a), c);
    }
    default:
        return 0;
    }
}

TrapKind out_of_bounds_of(Opcode opcode) noexcept {
    return opcode >= Opcode::memory_grow && opcode <= Opcode::memory_init
               ? TrapKind::out_of_bounds_memory
               : TrapKind::out_of_bounds_table;
}

bool table_init(InstanceState& state, const Module& module, std::uint32_t segment,
                std::uint32_t table, std::uint64_t to, std::uint64_t from, std::uint64_t count) {
    Table& into = *state.tables[table];
    const ElementSegment& source = module.elements[segment];
    const std::uint64_t size = state.dropped_elements[segment] ? 0 : source.items.size();
    if (!within(from, count, size) || !within(to, count, into.cells.size())) return false;
    for (std::uint64_t i = 0; i < count; ++i)
        into.cells[to + i] = state.evaluate(source.items[from + i]);
    state.tables_changed = true;
    return true;
}

bool table_copy(InstanceState& state, std::uint32_t to_table, std::uint32_t from_table,
                std::uint64_t to, std::uint64_t from, std::uint64_t count) {
    std::vector<Cell>& into = state.tables[to_table]->cells;
    const std::vector<Cell>& source = state.tables[from_table]->cells;
    if (!within(from, count, source.size()) || !within(to, count, into.size())) return false;
    if (count > 0) std::memmove(into.data() + to, source.data() + from, count * sizeof(Cell));
    state.tables_changed = true;
    return true;
}

bool table_fill(InstanceState& state, std::uint32_t table, std::uint64_t to, Cell value,
                std::uint64_t count) {
    std::vector<Cell>& into = state.tables[table]->cells;
    if (!within(to, count, into.size())) return false;
    std::fill_n(into.begin() + static_cast<std::ptrdiff_t>(to), count, value);
    state.tables_changed = true;
    return true;
}

std::uint32_t table_grow(InstanceState& state, std::uint32_t table, Cell value,
                         std::uint32_t count) {
    Table& grown = *state.tables[table];
    const std::uint64_t before = grown.cells.size();
    if (!can_grow(state, table, count)) return 0xffff'ffff;
    grown.cells.resize(before + count, value);
    state.tables_changed = true;
    return static_cast<std::uint32_t>(before);
}

bool memory_copy(Memory& memory, std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
    if (!memory.in_bounds(to, bytes) || !memory.in_bounds(from, bytes)) return false;
    memory.mark_range(to, bytes);
    std::memmove(memory.data() + to, memory.data() + from, bytes);
    return true;
}

bool memory_fill(Memory& memory, std::uint64_t to, Byte value, std::uint64_t bytes) {
    if (!memory.in_bounds(to, bytes)) return false;
    memory.mark_range(to, bytes);
    std::memset(memory.data() + to, value, bytes);
    return true;
}

bool memory_init(Memory& memory, ByteView segment, std::uint64_t to, std::uint64_t from,
                 std::uint64_t bytes) {
    if (!within(from, bytes, segment.size()) || !memory.in_bounds(to, bytes)) return false;
    memory.mark_range(to, bytes);
    if (bytes > 0) std::memcpy(memory.data() + to, segment.data() + from, bytes);
    return true;
}

} // namespace blockloom::wasm
