#include "wasm/plain/plain_machine.h"

#include "wasm/host_functions.h"
#include "wasm/plain/plain_run.h"

#include <algorithm>

namespace blockloom::plain {

using wasm::ConstantExpression;

Machine::Machine(std::shared_ptr<const wasm::Module> module, const Exports* provider,
                 const PlainLimits& limits)
    : module_(std::move(module)), limits_(limits) {
    link(provider);
    Run run(limits_.fuel, limits_.frames);
    try {
        for (std::uint32_t i = 0; i < module_->elements.size(); ++i) {
            const wasm::ElementSegment& segment = module_->elements[i];
            if (segment.mode == wasm::ElementSegment::Mode::passive) continue;
            if (segment.mode == wasm::ElementSegment::Mode::active)
                run.table_init(*this, i, segment.table, evaluate(segment.place), 0,
                               segment.items.size());
            dropped_elements_[i] = true;
        }
        for (std::uint32_t i = 0; i < module_->data.size(); ++i) {
            if (!module_->data[i].active) continue;
            run.memory_init(*this, i, evaluate(module_->data[i].place), 0, module_->data[i].size);
            dropped_data_[i] = true;
        }
    } catch (const Stopped& stopped) {
        start_ = stopped.result;
        return;
    }
    if (module_->start) start_ = invoke(*module_->start, {}, limits_.fuel);
}

void Machine::link(const Exports* provider) {
    const wasm::Module& module = *module_;
    for (const wasm::Import& import : module.imports) {
        switch (import.kind) {
        case wasm::ExternalKind::function:
            if (import.module == "host")
                functions_.push_back({nullptr, 0, module.types[import.type], import.name});
            else
                functions_.push_back(provider->functions.at(import.name));
            break;
        case wasm::ExternalKind::table:
            tables_.push_back(provider->tables.at(import.name));
            break;
        case wasm::ExternalKind::memory:
            memory_ = provider->memories.at(import.name);
            break;
        case wasm::ExternalKind::global:
            globals_.push_back(provider->globals.at(import.name));
            break;
        }
    }
    for (std::uint32_t i = module.imported_functions; i < module.functions.size(); ++i) {
        functions_.push_back({this, i, module.types[module.functions[i]], {}});
        code_.push_back(read_code(module, i, limits_.rule));
    }
    for (const wasm::Global& global : module.globals)
        globals_.push_back(std::make_shared<Cell>(evaluate(global.start)));
    for (std::size_t i = module.imported_tables; i < module.tables.size(); ++i) {
        const wasm::Limits& limits = module.tables[i].limits;
        auto table = std::make_shared<PlainTable>();
        table->cells.resize(limits.min);
        table->most = limits.max;
        tables_.push_back(std::move(table));
    }
    if (module.memories.size() > module.imported_memories) {
        memory_ = std::make_shared<PlainMemory>();
        memory_->bytes.resize(std::size_t{module.memories.front().min} * 65'536);
        memory_->most_pages =
            std::min<std::uint64_t>(module.memories.front().max, limits_.memory_pages);
    }
    dropped_data_.resize(module.data.size());
    dropped_elements_.resize(module.elements.size());
}

Cell Machine::evaluate(const ConstantExpression& expression) const {
    switch (expression.kind) {
    case ConstantExpression::Kind::value:
        return expression.value;
    case ConstantExpression::Kind::global_get:
        return *globals_[expression.index];
    case ConstantExpression::Kind::ref_func:
        return reinterpret_cast<std::uintptr_t>(&functions_[expression.index]);
    default:
        return 0;
    }
}

PlainResult Machine::invoke(std::uint32_t function, std::span<const Cell> arguments,
                            std::uint64_t fuel) {
    Run run(fuel, limits_.frames);
    PlainResult result;
    std::vector<Cell> stack(arguments.begin(), arguments.end());
    try {
        run.call(functions_[function], stack);
        result.results = stack;
    } catch (const Stopped& stopped) {
        result = stopped.result;
    }
    result.fuel_used = fuel - run.left();
    result.steps = run.steps();
    return result;
}

Exports Machine::exports() {
    Exports result;
    for (const wasm::Export& item : module_->exports) {
        switch (item.kind) {
        case wasm::ExternalKind::function:
            result.functions[item.name] = functions_[item.index];
            break;
        case wasm::ExternalKind::table:
            result.tables[item.name] = tables_[item.index];
            break;
        case wasm::ExternalKind::memory:
            result.memories[item.name] = memory_;
            break;
        case wasm::ExternalKind::global:
            result.globals[item.name] = globals_[item.index];
            break;
        }
    }
    return result;
}

} // namespace blockloom::plain
