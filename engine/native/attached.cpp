#include "native/attached.h"

#include "native/code_image.h"

#include <algorithm>
#include <new>

namespace blockloom::native {

static_assert(std::is_trivially_destructible_v<Context> && sizeof(Context) % 8 == 0);

Attached::Attached(wasm::Instance& owner, std::shared_ptr<const NativeCode> compiled,
                   OfferServices offer_services)
    : instance(owner), state(owner.state()), code(std::move(compiled)) {
    const wasm::Module& module = *instance.program().module;
    storage.resize(sizeof(Context) / 8 + state.global_cells.size());
    auto* context = new (storage.data()) Context;
    for (std::size_t i = 0; i < state.global_cells.size(); ++i)
        storage[sizeof(Context) / 8 + i] = reinterpret_cast<std::uintptr_t>(state.global_cells[i]);
    std::size_t most = 1;
    for (const wasm::FunctionType& type : module.types)
        most = std::max({most, type.results.size(), type.parameters.size()});
    results.resize(most);
    cells.resize(most);
    tables.resize(state.tables.size());
    if (state.memory) context->memory = state.memory->data();
    context->tables = tables.data();
    context->functions = code->image().functions.data();
    context->references = state.functions.data();
    context->instance = &instance;
    context->results = results.data();
    context->owner = this;
    offer_services(*context);
    refresh();
}

void Attached::refresh() noexcept {
    Context& now = context();
    if (state.memory) {
        now.memory_size = state.memory->size();
        now.dirty = state.memory->dirty();
    }
    for (std::size_t i = 0; i < tables.size(); ++i)
        tables[i] = {state.tables[i]->cells.data(), state.tables[i]->cells.size()};
}

Attached* attached_to(wasm::Instance& instance) noexcept {
    return static_cast<Attached*>(instance.state().engine_data.get());
}

namespace {

/// Optimised code adds to addresses as if no memory had 4 GiB (address_facts.h).
Tier best_tier(wasm::Instance& instance) {
    const auto& memory = instance.state().memory;
    return memory && memory->most_pages() >= wasm::most_pages ? Tier::quick : Tier::optimised;
}

} // namespace

Result<Attached*> attach(wasm::Instance& instance, std::shared_ptr<const NativeCode> code,
                         OfferServices offer_services) {
    const Tier best = best_tier(instance);
    if (code && code->tier() > best) code.reset();
    // Better code takes the place of the old one; who runs the old one keeps it alive.
    if (Attached* there = attached_to(instance); there && (!code || there->code == code))
        return there;
    if (!code) {
        auto compiled = compile(instance.shared_program(), {}, best);
        if (!compiled) return compiled.error();
        code = *std::move(compiled);
    }
    auto made = std::make_shared<Attached>(instance, std::move(code), offer_services);
    instance.state().engine_data = made;
    return made.get();
}

} // namespace blockloom::native
