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
struct Frame;
class Profiler;

/// One a thread; the contracts are shared. Must outlive what it leases.
class Runtime {
public:
    /// `wait_for_code`: the native engine runs a contract only when its machine code is there, and
    /// ejects what cannot be compiled. Otherwise the interpreter stands in for it: the answers are
    /// the same.
    explicit Runtime(std::shared_ptr<Contracts> contracts, Engine engine = Engine::interpreter,
                     bool wait_for_code = true);
    ~Runtime();
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;

    [[nodiscard]] Contracts& contracts() const noexcept { return *contracts_; }
    [[nodiscard]] Engine engine() const noexcept { return engine_; }

    /// The frame whose contract calls the host: set around each run, also by nested calls.
    Frame* running = nullptr;

    /// Set: runs the contracts that messages name; those that contracts call run here.
    ContractMachine* machine = nullptr;

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
        [[nodiscard]] wasm::RunResult invoke(std::uint32_t function, const wasm::RunLimits& limits);

    private:
        friend class Runtime;
        Machine(wasm::InstancePool::Lease lease, native::Runner* runner) noexcept
            : lease_(std::move(lease)), runner_(runner) {}
        wasm::InstancePool::Lease lease_;
        native::Runner* runner_; ///< null: the interpreter runs it
    };

    /// Why there is no machine.
    struct Refusal {
        std::string text;
        bool ejected = false; ///< this engine cannot; else: no contract may be like that
    };

    /// `contract.program` must be there. A refusal says nothing of the contract where `stop` was
    /// asked for while its code was waited for.
    [[nodiscard]] std::variant<Machine, Refusal>
    acquire(const std::shared_ptr<const Contract>& contract, const std::stop_token& stop = {});

private:
    /// Instances hold a megabyte of stack each: beyond as many pools idle ones are dropped.
    static constexpr std::size_t most_pools = 128;

    std::shared_ptr<Contracts> contracts_;
    Engine engine_;
    bool wait_for_code_;
    wasm::Imports imports_;
    std::unordered_map<const Contract*, std::unique_ptr<Pool>> pools_;
};

} // namespace blockloom::alkanes
