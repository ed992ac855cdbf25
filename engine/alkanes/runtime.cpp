#include "alkanes/runtime.h"

#include "base/progress.h"

namespace blockloom::alkanes {
namespace {

/// docs/alkanes-protocol.md#modules. Table instructions pay by nothing but their number: what one
/// may move is bounded here, far above the 414 elements of real contracts.
wasm::InstanceLimits contract_limits() {
    wasm::InstanceLimits limits;
    limits.memory_pages = 664;
    limits.embedder_pages = 512;
    limits.call_depth = 1024;
    limits.stack_cells = 131'072;
    limits.table_cells = 8192;
    return limits;
}

} // namespace

struct Runtime::Pool {
    Pool(std::shared_ptr<const Contract> known, const wasm::Imports& imports)
        : contract(std::move(known)), instances(contract->program, imports, contract_limits()) {}

    std::shared_ptr<const Contract> contract; ///< keeps the key of `pools_` alive
    wasm::InstancePool instances;
    /// What an instance is run by, and the result of its latest run.
    struct Runner {
        std::unique_ptr<native::Runner> native; ///< null: not yet
        wasm::RunResult result;
    };
    std::unordered_map<const wasm::Instance*, Runner> runners;

    std::shared_ptr<const native::NativeCode> code; ///< once it is there
    std::uint32_t asked = 0;                        ///< for better code

    /// Better code than the quick one is asked for now and then only.
    [[nodiscard]] bool has_best_code() noexcept {
        if (code == nullptr) return false;
        return code->tier() == native::Tier::optimised || ++asked % 16 != 0;
    }
    /// Taken when no runner works with the old code, that is, while no instance is leased. The
    /// first code may come while a contract that calls itself is being interpreted: its runner,
    /// which has the result, stays.
    void take(std::shared_ptr<const native::NativeCode> found) {
        if (found == nullptr || found == code) return;
        if (code != nullptr) {
            if (instances.idle() != instances.made()) return;
            runners.clear();
        }
        code = std::move(found);
    }

    Runner& runner_of(wasm::Instance& instance) {
        Runner& runner = runners[&instance];
        if (runner.native == nullptr && code != nullptr)
            runner.native = std::make_unique<native::Runner>(instance, code);
        return runner;
    }
};

Runtime::Runtime(HostImports host_imports, std::shared_ptr<Contracts> contracts, Engine engine,
                 MachineCode machine_code)
    : contracts_(std::move(contracts)), engine_(engine), machine_code_(machine_code),
      imports_(host_imports(running)) {}

Runtime::~Runtime() = default;

Result<const wasm::RunResult*> Runtime::Machine::invoke(std::uint32_t function,
                                                        const wasm::RunLimits& limits) {
    if (runner_ == nullptr)
        *result_ = lease_.interpreter().invoke(function, {}, limits);
    else if (const Status ran = runner_->invoke(function, {}, limits, *result_); !ran)
        return ran.error();
    return result_;
}

std::shared_ptr<const Contract> Runtime::find_contract(const Hash256& hash, CodeForm form,
                                                       wasm::FuelRule fuel) {
    const ContractName name{hash, form, fuel};
    if (const auto known = found_.find(name); known != found_.end()) return known->second;
    auto shared = contracts_->find(hash, form, fuel);
    if (shared == nullptr) return nullptr;
    if (found_.size() >= most_found) found_.clear();
    const Contract* const contract = shared.get();
    std::shared_ptr<const Contract> own(
        std::make_shared<const std::shared_ptr<const Contract>>(std::move(shared)), contract);
    found_.emplace(name, own);
    return own;
}

const wasm::RunLimits& Runtime::limits(std::uint64_t fuel, const std::stop_token& stop) {
    limits_.fuel = fuel;
    // A token's copies share a count with all threads.
    if (!(limits_.stop == stop)) limits_.stop = stop;
    return limits_;
}

Result<std::variant<Runtime::Machine, Runtime::Refusal>>
Runtime::acquire(const std::shared_ptr<const Contract>& contract, const std::stop_token& stop) {
    auto found = pools_.find(contract.get());
    if (found == pools_.end()) {
        if (pools_.size() >= most_pools)
            std::erase_if(pools_, [](const auto& entry) {
                return entry.second->instances.idle() == entry.second->instances.made();
            });
        found = pools_.emplace(contract.get(), std::make_unique<Pool>(contract, imports_)).first;
    }
    Pool& pool = *found->second;
    if (engine_ == Engine::native && !pool.has_best_code()) {
        const bool wait = machine_code_ != MachineCode::when_ready;
        auto answer = contracts_->machine_code(*contract, wait, stop);
        if (answer.code == nullptr && wait) {
            if (stop.stop_requested()) return cancelled_error();
            if (answer.why.code != ErrorCode::unavailable) return answer.why;
            if (machine_code_ == MachineCode::required)
                return std::variant<Machine, Refusal>(Refusal{answer.why.message, true});
        }
        pool.take(std::move(answer.code));
    }
    auto lease = pool.instances.acquire();
    if (const auto* error = std::get_if<Error>(&lease)) return *error;
    if (auto* error = std::get_if<wasm::LinkError>(&lease))
        return std::variant<Machine, Refusal>(Refusal{error->text, error->too_many_cells});
    auto& taken = std::get<wasm::InstancePool::Lease>(lease);
    Pool::Runner& runner = pool.runner_of(taken.instance());
    return std::variant<Machine, Refusal>(
        Machine(std::move(taken), runner.native.get(), runner.result));
}

} // namespace blockloom::alkanes
