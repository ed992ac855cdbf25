// What a thread needs to run contracts: pooled instances, and the current frame.
#pragma once

#include "alkanes/contract.h"
#include "native/runner.h"
#include "state/overlay_pool.h"
#include "wasm/instance_pool.h"
#include "wasm/run.h"

#include <memory>
#include <unordered_map>
#include <variant>

namespace blockloom::alkanes {

class ContractMachine;
/// Called when a task of a transaction begins, except for the first.
class TaskWatch {
public:
    virtual ~TaskWatch() = default;
    virtual void next_task() = 0;
};
struct Frame;
class Profiler;
class ReadWatch;

/// One per thread; the contracts are shared. Must outlive its leases.
class Runtime {
public:
    /// When the native engine runs a contract. When it does not, the interpreter does, with the
    /// same results.
    enum class MachineCode : std::uint8_t {
        when_ready, ///< as soon as its machine code is ready
        awaited,    ///< always, except for what the compiler refuses
        required    ///< always: what the compiler refuses is ejected
    };
    /// The imports of contracts; they read `running` (host_functions.h).
    using HostImports = wasm::Imports (*)(Frame* const& running);
    explicit Runtime(HostImports host_imports, std::shared_ptr<Contracts> contracts,
                     Engine engine = Engine::interpreter,
                     MachineCode machine_code = MachineCode::required);
    ~Runtime();
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;

    [[nodiscard]] Contracts& contracts() const noexcept { return *contracts_; }
    [[nodiscard]] Engine engine() const noexcept { return engine_; }

    /// The frame whose contract is calling the host: set around each run, including nested calls.
    Frame* running = nullptr;

    /// If set, it runs the contracts that messages target; contracts called by contracts run here.
    ContractMachine* machine = nullptr;

    /// If set, it is notified where the next task of a transaction begins.
    TaskWatch* tasks = nullptr;

    /// If set, it is notified of what contracts read through their host functions.
    ReadWatch* reads = nullptr;

    /// If set, it receives the fuel of every contract function that the interpreter runs.
    Profiler* profiler = nullptr;

    /// For the transactions of this thread.
    state::OverlayPool overlays;

    /// As Contracts::find, without its lock once this runtime has found the contract.
    [[nodiscard]] std::shared_ptr<const Contract> find_contract(const Hash256& hash, CodeForm form,
                                                                wasm::FuelRule fuel);
    /// The limits of a run. Its fuel is valid until the next call of this function: a run reads it
    /// when it begins.
    [[nodiscard]] const wasm::RunLimits& limits(std::uint64_t fuel, const std::stop_token& stop);

private:
    struct Pool;

public:
    /// A clean instance of a contract with its engine.
    class Machine {
    public:
        [[nodiscard]] wasm::Instance& instance() const noexcept { return lease_.instance(); }
        [[nodiscard]] wasm::Interpreter& interpreter() const noexcept {
            return lease_.interpreter();
        }
        [[nodiscard]] Engine engine() const noexcept {
            return runner_ != nullptr ? Engine::native : Engine::interpreter;
        }
        /// The result is valid until the next run of this instance. An error means that this
        /// machine could not finish the run; it says nothing about the contract.
        [[nodiscard]] Result<const wasm::RunResult*> invoke(std::uint32_t function,
                                                            const wasm::RunLimits& limits);

    private:
        friend class Runtime;
        Machine(wasm::InstancePool::Lease lease, native::Runner* runner,
                wasm::RunResult& result) noexcept
            : lease_(std::move(lease)), runner_(runner), result_(&result) {}
        wasm::InstancePool::Lease lease_;
        native::Runner* runner_;  ///< null: the interpreter runs it
        wasm::RunResult* result_; ///< its memory is reused
    };

    /// Why no engine may run the contract: depends on its module only, so it is the same
    /// everywhere.
    struct Refusal {
        std::string text;
        bool ejected =
            false; ///< true: it exceeds a limit of this engine; false: no contract may be like that
    };

    /// `contract.program` must not be null. Fails if this machine lacks memory or threads, or a
    /// stop was requested while waiting for code.
    [[nodiscard]] Result<std::variant<Machine, Refusal>>
    acquire(const std::shared_ptr<const Contract>& contract, const std::stop_token& stop = {});

private:
    /// Each instance holds a megabyte of stack: beyond this many pools, idle ones are dropped.
    static constexpr std::size_t most_pools = 128;
    /// Beyond this many, found contracts are forgotten.
    static constexpr std::size_t most_found = 1024;

    std::shared_ptr<Contracts> contracts_;
    Engine engine_;
    MachineCode machine_code_;
    wasm::Imports imports_;
    std::unordered_map<const Contract*, std::unique_ptr<Pool>> pools_;
    /// Each has a count of owners of its own, so that threads do not share one.
    std::unordered_map<ContractName, std::shared_ptr<const Contract>, ContractName::Hasher> found_;
    wasm::RunLimits limits_;
};

} // namespace blockloom::alkanes
