#include "wasm/instance.h"

#include "wasm/instance_state.h"

namespace blockloom::wasm {

Instance::Instance() : state_(std::make_unique<InstanceState>()) {}

Instance::~Instance() = default;

std::shared_ptr<Memory> Instance::memory() const noexcept {
    return state_->memory;
}

std::optional<External> Instance::exported(const std::string& name) const {
    for (const Export& item : program_->module->exports) {
        if (item.name != name) continue;
        switch (item.kind) {
        case ExternalKind::function:
            return state_->functions[item.index];
        case ExternalKind::table:
            return state_->tables[item.index];
        case ExternalKind::memory:
            return state_->memory;
        case ExternalKind::global:
            return state_->globals[item.index];
        }
    }
    return std::nullopt;
}

void Instance::reset() noexcept {
    State& state = *state_;
    if (state.own_memory) state.memory->reset();
    for (std::size_t i = 0; i < state.first_globals.size(); ++i)
        state.globals[state.imported_globals + i]->value = state.first_globals[i];
    if (state.tables_changed) {
        for (std::size_t i = 0; i < state.first_tables.size(); ++i)
            state.tables[state.imported_tables + i]->cells = state.first_tables[i];
        state.tables_changed = false;
    }
    if (state.segments_dropped) {
        state.dropped_elements = state.first_dropped_elements;
        state.dropped_data = state.first_dropped_data;
        state.segments_dropped = false;
    }
}

} // namespace blockloom::wasm
