#include "alkanes/runtime.h"

#include "alkanes/host_functions.h"

namespace blockloom::alkanes {
namespace {

/// spec/alkanes.md D.2.
wasm::InstanceLimits contract_limits() {
    wasm::InstanceLimits limits;
    limits.memory_pages = 664;
    limits.embedder_pages = 512;
    limits.call_depth = 1024;
    limits.stack_cells = 131'072;
    return limits;
}

} // namespace

struct Runtime::Pool {
    Pool(std::shared_ptr<const Contract> code, const wasm::Imports& imports)
        : contract(std::move(code)), instances(contract->program, imports, contract_limits()) {}

    std::shared_ptr<const Contract> contract; ///< keeps the key of `pools_` alive
    wasm::InstancePool instances;
};

Runtime::Runtime(std::shared_ptr<Contracts> contracts, Engine engine)
    : contracts_(std::move(contracts)), engine_(engine), imports_(host_imports(running)) {}

Runtime::~Runtime() = default;

wasm::RunResult Runtime::Machine::invoke(std::uint32_t function, const wasm::RunLimits& limits) {
    return lease_.interpreter().invoke(function, {}, limits);
}

std::variant<Runtime::Machine, Runtime::Refusal>
Runtime::acquire(const std::shared_ptr<const Contract>& contract) {
    if (engine_ == Engine::native) return Refusal{"the native engine is not built in", true};
    auto found = pools_.find(contract.get());
    if (found == pools_.end()) {
        if (pools_.size() >= most_pools)
            std::erase_if(pools_, [](const auto& entry) {
                return entry.second->instances.idle() == entry.second->instances.made();
            });
        found = pools_.emplace(contract.get(), std::make_unique<Pool>(contract, imports_)).first;
    }
    Pool& pool = *found->second;
    auto lease = pool.instances.acquire();
    if (auto* error = std::get_if<wasm::LinkError>(&lease)) return Refusal{error->text};
    return Machine(pool, std::get<wasm::InstancePool::Lease>(std::move(lease)));
}

} // namespace blockloom::alkanes
