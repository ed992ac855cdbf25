// What one thread needs to run contracts: instances kept ready, and the frame that runs now.
#pragma once

#include "alkanes/contract.h"
#include "native/runner.h"
#include "wasm/instance_pool.h"
#include "wasm/run.h"

#include <memory>
#include <unordered_map>
#include <variant>

namespace blockloom::alkanes {

class ContractMachine;
/// Is called when a task of a transaction begins that has one before it.
class TaskWatch {
public:
    virtual ~TaskWatch() = default;
    virtual void next_task() = 0;
};
struct Frame;
class Profiler;

/// One a thread; the contracts are shared. Must outlive what it leases.
class Runtime {
public:
    /// When the native engine runs a contract. Where it does not, the interpreter stands in for
    /// it: the answers are the same.
    enum class MachineCode : std::uint8_t {
        when_ready, ///< as soon as its machine code is there
        awaited,    ///< always, but for what the compiler refuses
        required    ///< always: what the compiler refuses is ejected
    };
    /// What contracts import; looks at `running` (host_functions.h).
    using HostImports = wasm::Imports (*)(Frame* const& running);
    explicit Runtime(HostImports host_imports, std::shared_ptr<Contracts> contracts,
                     Engine engine = Engine::interpreter,
                     MachineCode machine_code = MachineCode::required);
    ~Runtime();
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;

    [[nodiscard]] Contracts& contracts() const noexcept { return *contracts_; }
    [[nodiscard]] Engine engine() const noexcept { return engine_; }

    /// The frame whose contract calls the host: set around each run, also by nested calls.
    Frame* running = nullptr;

    /// Set: runs the contracts that messages name; those that contracts call run here.
    ContractMachine* machine = nullptr;

    /// Set: learns where the tasks of a transaction part.
    TaskWatch* tasks = nullptr;

    /// Set: learns what every function of a contract took that the interpreter runs.
    Profiler* profiler = nullptr;

private:
    struct Pool;

public:
    /// A clean instance of a contract with what runs it.
    class Machine {
    public:
        [[nodiscard]] wasm::Instance& instance() const noexcept { return lease_.instance(); }
        [[nodiscard]] wasm::Interpreter& interpreter() const noexcept {
            return lease_.interpreter();
        }
        [[nodiscard]] Engine engine() const noexcept {
            return runner_ != nullptr ? Engine::native : Engine::interpreter;
        }
        /// An error: this machine could not run it to its end, which says nothing of the contract.
        [[nodiscard]] Result<wasm::RunResult> invoke(std::uint32_t function,
                                                     const wasm::RunLimits& limits);

    private:
        friend class Runtime;
        Machine(wasm::InstancePool::Lease lease, native::Runner* runner) noexcept
            : lease_(std::move(lease)), runner_(runner) {}
        wasm::InstancePool::Lease lease_;
        native::Runner* runner_; ///< null: the interpreter runs it
    };

    /// Why no machine may run the contract: found in its module alone, the same everywhere.
    struct Refusal {
        std::string text;
        bool ejected = false; ///< beyond a limit of this engine; else: no contract may be like that
    };

    /// `contract.program` must be there. An error: this machine lacks memory or threads, or `stop`
    /// was asked for while code was waited for.
    [[nodiscard]] Result<std::variant<Machine, Refusal>>
    acquire(const std::shared_ptr<const Contract>& contract, const std::stop_token& stop = {});

private:
    /// Instances hold a megabyte of stack each: beyond as many pools idle ones are dropped.
    static constexpr std::size_t most_pools = 128;

    std::shared_ptr<Contracts> contracts_;
    Engine engine_;
    MachineCode machine_code_;
    wasm::Imports imports_;
    std::unordered_map<const Contract*, std::unique_ptr<Pool>> pools_;
};

} // namespace blockloom::alkanes
