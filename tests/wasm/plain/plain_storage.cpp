// Memory and tables of the plain machine.
#include "wasm/plain/plain_run.h"

#include <algorithm>

namespace blockloom::plain {

using wasm::TrapKind;
using Stack = std::vector<Cell>;

namespace {

Cell pop(Stack& stack) {
    const Cell top = stack.back();
    stack.pop_back();
    return top;
}

/// How a load or store moves bytes.
struct Access {
    unsigned bytes = 0;
    bool is_signed = false, is_wide = false;
};

Access access_of(std::uint16_t opcode) {
    constexpr Access loads[] = {
        {4, false, false}, {8, false, true}, {4, false, false}, {8, false, true}, {1, true, false},
        {1, false, false}, {2, true, false}, {2, false, false}, {1, true, true},  {1, false, true},
        {2, true, true},   {2, false, true}, {4, true, true},   {4, false, true}};
    constexpr unsigned stores[] = {4, 8, 4, 8, 1, 2, 1, 2, 4};
    if (opcode < 0x36) return loads[opcode - 0x28];
    return {stores[opcode - 0x36], false, false};
}

const Callable* callable(Cell cell) {
    return reinterpret_cast<const Callable*>(static_cast<std::uintptr_t>(cell));
}

} // namespace

bool Run::access(Frame& frame, Stack& stack) {
    const Instruction& now = frame.code.instructions[frame.at];
    if (now.opcode >= 0xfc08 && now.opcode <= 0xfc0b) return bulk_memory(frame, stack), true;
    if (now.opcode == 0x25 || now.opcode == 0x26 || now.opcode >= 0xfc0c)
        return table(frame, stack), true;
    if (now.opcode < 0x28 || now.opcode > 0x40) return false;
    PlainMemory& memory = *frame.machine.memory_;
    constexpr std::uint64_t page = 65'536;
    if (now.opcode == 0x3f) {
        stack.push_back(memory.bytes.size() / page);
        return true;
    }
    if (now.opcode == 0x40) {
        const std::uint64_t before = memory.bytes.size() / page;
        const std::uint64_t after = before + static_cast<std::uint32_t>(pop(stack));
        if (frame.machine.limits_.rule == wasm::FuelRule::exact && after <= memory.most_pages)
            pay((after - before) * page / 64);
        if (after <= memory.most_pages) memory.bytes.resize(after * page);
        stack.push_back(after <= memory.most_pages ? before : 0xffff'ffff);
        return true;
    }
    const bool is_store = now.opcode >= 0x36;
    Cell value = is_store ? pop(stack) : 0;
    const Access moved = access_of(now.opcode);
    const std::uint64_t address = pop(stack) + now.a;
    if (address + moved.bytes > memory.bytes.size()) trap(TrapKind::out_of_bounds_memory);
    if (is_store) {
        for (unsigned i = 0; i < moved.bytes; ++i)
            memory.bytes[address + i] = static_cast<Byte>(value >> (8 * i));
        return true;
    }
    for (unsigned i = 0; i < moved.bytes; ++i) value |= Cell{memory.bytes[address + i]} << (8 * i);
    const unsigned unused = 64 - 8 * moved.bytes;
    if (moved.is_signed)
        value = static_cast<Cell>(static_cast<std::int64_t>(value << unused) >> unused);
    stack.push_back(moved.is_wide ? value : static_cast<std::uint32_t>(value));
    return true;
}

void Run::memory_init(Machine& machine, std::uint32_t segment, Cell to, Cell from, Cell count) {
    const wasm::DataSegment& data = machine.module_->data[segment];
    const std::uint64_t size = machine.dropped_data_[segment] ? 0 : data.size;
    Bytes& into = machine.memory_->bytes;
    if (from + count > size || to + count > into.size()) trap(TrapKind::out_of_bounds_memory);
    pay(count / 64);
    for (Cell i = 0; i < count; ++i)
        into[to + i] = (*machine.module_->bytes)[data.begin + from + i];
}

void Run::bulk_memory(Frame& frame, Stack& stack) {
    const Instruction& now = frame.code.instructions[frame.at];
    if (now.opcode == 0xfc09) {
        frame.machine.dropped_data_[now.a] = true;
        return;
    }
    const Cell count = pop(stack), from = pop(stack), to = pop(stack);
    if (now.opcode == 0xfc08) return memory_init(frame.machine, now.a, to, from, count);
    Bytes& bytes = frame.machine.memory_->bytes;
    const bool is_fill = now.opcode == 0xfc0b;
    if (to + count > bytes.size() || (!is_fill && from + count > bytes.size()))
        trap(TrapKind::out_of_bounds_memory);
    pay(count / 64);
    const Bytes source(bytes.begin() + static_cast<std::ptrdiff_t>(is_fill ? 0 : from),
                       bytes.begin() + static_cast<std::ptrdiff_t>(is_fill ? 0 : from + count));
    for (Cell i = 0; i < count; ++i) bytes[to + i] = is_fill ? static_cast<Byte>(from) : source[i];
}

void Run::table_init(Machine& machine, std::uint32_t segment, std::uint32_t table, Cell to,
                     Cell from, Cell count) {
    const auto& items = machine.module_->elements[segment].items;
    const std::uint64_t size = machine.dropped_elements_[segment] ? 0 : items.size();
    auto& cells = machine.tables_[table]->cells;
    if (from + count > size || to + count > cells.size()) trap(TrapKind::out_of_bounds_table);
    if (machine.limits_.rule == wasm::FuelRule::exact) pay(count / 8);
    for (Cell i = 0; i < count; ++i) cells[to + i] = callable(machine.evaluate(items[from + i]));
}

void Run::table(Frame& frame, Stack& stack) {
    const Instruction& now = frame.code.instructions[frame.at];
    const auto cell = [](const Callable* what) { return reinterpret_cast<std::uintptr_t>(what); };
    if (now.opcode == 0xfc0d) {
        frame.machine.dropped_elements_[now.a] = true;
        return;
    }
    const std::uint32_t index = now.opcode == 0xfc0c ? now.b : now.a;
    PlainTable& table = *frame.machine.tables_[index];
    auto& cells = table.cells;
    const bool exact = frame.machine.limits_.rule == wasm::FuelRule::exact;
    if (now.opcode == 0xfc10) return stack.push_back(cells.size());
    if (now.opcode == 0x25) {
        const Cell at = pop(stack);
        if (at >= cells.size()) trap(TrapKind::out_of_bounds_table);
        return stack.push_back(cell(cells[at]));
    }
    const Cell last = pop(stack), middle = pop(stack);
    if (now.opcode == 0x26) {
        if (middle >= cells.size()) trap(TrapKind::out_of_bounds_table);
        cells[middle] = callable(last);
        return;
    }
    if (now.opcode == 0xfc0f) {
        const std::uint64_t before = cells.size(), after = before + last;
        std::uint64_t all = last;
        for (const auto& each : frame.machine.tables_) all += each->cells.size();
        const bool fits = after <= table.most && all <= 65'536;
        if (fits && exact) pay(last / 8);
        if (fits) cells.resize(after, callable(middle));
        return stack.push_back(fits ? before : 0xffff'ffff);
    }
    const Cell to = pop(stack);
    if (now.opcode == 0xfc0c) return table_init(frame.machine, now.a, now.b, to, middle, last);
    const std::vector<const Callable*> source =
        now.opcode == 0xfc11 ? std::vector<const Callable*>() : frame.machine.tables_[now.b]->cells;
    const bool is_fill = now.opcode == 0xfc11;
    if (to + last > cells.size() || (!is_fill && middle + last > source.size()))
        trap(TrapKind::out_of_bounds_table);
    if (exact) pay(last / 8);
    for (Cell i = 0; i < last; ++i) cells[to + i] = is_fill ? callable(middle) : source[middle + i];
}

} // namespace blockloom::plain
