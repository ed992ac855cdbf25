#include "wasm/instantiate.h"

#include "wasm/instance_state.h"
#include "wasm/run.h"

#include <fmt/format.h>

namespace blockloom::wasm {
namespace {

LinkError refused(std::string why) {
    LinkError error;
    error.text = std::move(why);
    return error;
}

LinkError unlinkable(const Import& import, const std::string& why) {
    return refused(fmt::format("import \"{}\" \"{}\": {}", import.module, import.name, why));
}

/// Whether what exists (now `size`, at most `most`) satisfies what is imported.
bool limits_match(std::uint64_t size, bool has_max, std::uint64_t most, const Limits& wanted) {
    if (size < wanted.min) return false;
    return !wanted.has_max || (has_max && most <= wanted.max);
}

/// Resolves one import into the state; an error text, or nothing.
std::optional<std::string> link(InstanceState& state, const Module& module, const Import& import,
                                const External& found) {
    switch (import.kind) {
    case ExternalKind::function: {
        const auto* function = std::get_if<FunctionReference>(&found);
        if (function == nullptr) return "incompatible import type: expected a function";
        if (!(function->type == module.types[import.type]))
            return fmt::format("incompatible import type: expected {}, found {}",
                               to_text(module.types[import.type]), to_text(function->type));
        state.functions.push_back(*function);
        return std::nullopt;
    }
    case ExternalKind::table: {
        const auto* table = std::get_if<std::shared_ptr<Table>>(&found);
        if (table == nullptr) return "incompatible import type: expected a table";
        const Table& there = **table;
        if (there.element != import.table.element ||
            !limits_match(there.cells.size(), there.limits.has_max, there.limits.max,
                          import.table.limits))
            return "incompatible import type: another table type";
        state.tables.push_back(*table);
        return std::nullopt;
    }
    case ExternalKind::memory: {
        const auto* memory = std::get_if<std::shared_ptr<Memory>>(&found);
        if (memory == nullptr) return "incompatible import type: expected a memory";
        const std::optional<std::uint32_t> most = (*memory)->declared_max();
        if (!limits_match((*memory)->pages(), most.has_value(), most.value_or(0), import.memory))
            return "incompatible import type: another memory size";
        state.memory = *memory;
        return std::nullopt;
    }
    case ExternalKind::global: {
        const auto* global = std::get_if<std::shared_ptr<GlobalCell>>(&found);
        if (global == nullptr) return "incompatible import type: expected a global";
        if ((*global)->type.type != import.global.type ||
            (*global)->type.is_mutable != import.global.is_mutable)
            return "incompatible import type: another global type";
        state.globals.push_back(*global);
        return std::nullopt;
    }
    }
    return "unknown kind";
}

LinkError trapped(std::shared_ptr<Instance> instance, Trap trap) {
    LinkError error = refused(name_of(trap.kind));
    error.trapped = true;
    error.trap = std::move(trap);
    error.survivor = std::move(instance);
    return error;
}

Trap trap_at(TrapKind kind, std::uint32_t offset) {
    Trap trap;
    trap.kind = kind;
    trap.offset = offset;
    return trap;
}

/// Runs the start function within its own limits; why it did not return, or nothing.
std::optional<Trap> run_start(Instance& instance, std::uint32_t function, std::uint64_t& used) {
    RunLimits limits;
    limits.fuel = instance.limits().start_fuel;
    limits.stop = instance.limits().start_stop;
    RunResult run = Interpreter(instance).invoke(function, {}, limits);
    used = run.fuel_used;
    if (run.outcome == Outcome::returned) return std::nullopt;
    if (run.outcome == Outcome::trapped) return std::move(run.trap);
    Trap trap = trap_at(TrapKind::host, 0);
    trap.function = function;
    trap.text = "start function: a host function yields, but instantiation cannot be resumed";
    return trap;
}

} // namespace

Instantiated instantiate(std::shared_ptr<const Program> program, const Imports& imports,
                         const InstanceLimits& limits) {
    const Module& module = *program->module;
    std::shared_ptr<Instance> instance(new Instance);
    instance->program_ = program;
    instance->limits_ = limits;
    InstanceState& state = *instance->state_;
    state.functions.reserve(module.functions.size());
    for (const Import& import : module.imports) {
        const auto found = imports.find({import.module, import.name});
        if (found == imports.end()) return unlinkable(import, "unknown import");
        if (const auto why = link(state, module, import, found->second))
            return unlinkable(import, *why);
    }
    state.imported_tables = state.tables.size();
    state.imported_globals = state.globals.size();
    for (std::uint32_t i = module.imported_functions; i < module.functions.size(); ++i) {
        const std::uint32_t type = module.functions[i];
        state.functions.push_back(
            {instance.get(), i, program->canonical_type[type], nullptr, module.types[type]});
    }
    for (const Global& global : module.globals)
        state.globals.push_back(
            std::make_shared<GlobalCell>(GlobalCell{global.type, state.evaluate(global.start)}));
    for (const auto& global : state.globals) state.global_cells.push_back(&global->value);
    std::uint64_t own_cells = 0;
    state.most_table_cells = limits.table_cells;
    for (std::size_t i = module.imported_tables; i < module.tables.size(); ++i) {
        const TableType& type = module.tables[i];
        own_cells += type.limits.min;
        if (own_cells > limits.table_cells) {
            LinkError error = refused(fmt::format("tables: expected at most {} elements, found {}",
                                                  limits.table_cells, own_cells));
            error.too_many_cells = true;
            return error;
        }
        state.tables.push_back(std::make_shared<Table>(
            Table{type.element, type.limits, std::vector<Cell>(type.limits.min)}));
    }
    if (module.memories.size() > module.imported_memories) {
        const Limits& wanted = module.memories.front();
        const std::uint32_t most = std::min(wanted.max, limits.memory_pages);
        if (wanted.min > limits.memory_pages)
            return refused(fmt::format("memory: expected at most {} pages, found {}",
                                       limits.memory_pages, wanted.min));
        auto memory = Memory::reserve(wanted.min, most);
        if (!memory) return memory.error();
        state.memory = std::make_shared<Memory>(*std::move(memory));
        if (wanted.has_max) state.memory->declare_max(wanted.max);
        state.own_memory = true;
    }
    state.dropped_elements.resize(module.elements.size());
    state.dropped_data.resize(module.data.size());

    for (std::uint32_t i = 0; i < module.elements.size(); ++i) {
        const ElementSegment& segment = module.elements[i];
        if (segment.mode == ElementSegment::Mode::passive) continue;
        if (segment.mode == ElementSegment::Mode::active &&
            !table_init(state, module, i, segment.table,
                        static_cast<std::uint32_t>(state.evaluate(segment.place)), 0,
                        segment.items.size()))
            return trapped(instance, trap_at(TrapKind::out_of_bounds_table, segment.offset));
        state.dropped_elements[i] = true;
    }
    for (std::uint32_t i = 0; i < module.data.size(); ++i) {
        const DataSegment& segment = module.data[i];
        if (!segment.active) continue;
        const ByteView bytes = state.data(module, i);
        if (!memory_init(*state.memory, bytes,
                         static_cast<std::uint32_t>(state.evaluate(segment.place)), 0,
                         bytes.size()))
            return trapped(instance, trap_at(TrapKind::out_of_bounds_memory, segment.offset));
        state.dropped_data[i] = true;
    }
    if (module.start) {
        if (auto trap = run_start(*instance, *module.start, instance->start_fuel_used_))
            return trapped(instance, *std::move(trap));
    }
    if (state.own_memory && state.memory->pages() < limits.embedder_pages)
        state.memory->grow(limits.embedder_pages - state.memory->pages());

    // What there is now is what `reset` goes back to.
    if (state.own_memory) state.memory->keep_as_image();
    for (std::size_t i = state.imported_globals; i < state.globals.size(); ++i)
        state.first_globals.push_back(state.globals[i]->value);
    for (std::size_t i = state.imported_tables; i < state.tables.size(); ++i)
        state.first_tables.push_back(state.tables[i]->cells);
    state.first_dropped_elements = state.dropped_elements;
    state.first_dropped_data = state.dropped_data;
    state.tables_changed = state.segments_dropped = false;
    return instance;
}

} // namespace blockloom::wasm
