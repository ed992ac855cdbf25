// Contracts of messages on a device: batches that run until every call of theirs has ended, with
// the host functions that the device cannot answer called here.
#pragma once

#include "alkanes/contract_machine.h"
#include "gpuvm/batch.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockloom::execute {

/// A contract's run that waits for a device, and how it ended.
struct DeviceCall {
    alkanes::Runtime* runtime = nullptr;
    alkanes::Frame* frame = nullptr;
    std::shared_ptr<const alkanes::Contract> contract;
    std::uint64_t fuel = 0;

    std::optional<alkanes::MachineRun> ran;
    std::string ejection; ///< why the device did not run it to its end: a code
};

/// What the device did so far.
struct DeviceWork {
    std::uint64_t batches = 0, calls = 0, host_calls = 0, instructions = 0;
    gpuvm::Times times;
};

/// For one thread: the thread of the calls' runtimes.
class DeviceCalls {
public:
    /// Error: `unavailable` where the device cannot run programs.
    [[nodiscard]] static Result<std::unique_ptr<DeviceCalls>> make(compute::ProviderPtr provider,
                                                                   const gpuvm::Options& options);
    ~DeviceCalls();

    /// Runs all calls. `ended` is told of each, once: it must take the run, or what it knows of the
    /// ejection. Fails only where the work is cancelled; `ended` has been told of all then too.
    Status run(std::vector<DeviceCall*> calls, const std::stop_token& stop,
               const std::function<void(DeviceCall&)>& ended);

    /// Calls that may run at once.
    [[nodiscard]] std::size_t most_calls() const;
    /// Why the device is of no more use: every call is ejected; empty: it is.
    [[nodiscard]] const std::string& lost() const noexcept { return lost_; }
    /// The last failure of the device, whether it lives on or not; empty: there was none.
    [[nodiscard]] const std::string& failure() const noexcept { return failure_; }
    /// Failures of the device since the last asking, in words.
    [[nodiscard]] std::vector<std::string> take_notes() { return std::exchange(notes_, {}); }
    [[nodiscard]] const DeviceWork& work() const noexcept { return work_; }

private:
    class BatchRun;
    /// Programs differ by what answers their imports.
    struct ProgramKey {
        const alkanes::Contract* contract = nullptr;
        bool deducts = false, record = false;
        auto operator<=>(const ProgramKey&) const = default;
    };
    struct Program {
        std::uint32_t number = 0;
        std::shared_ptr<const alkanes::Contract> contract; ///< keeps the key alive
    };

    DeviceCalls() = default;
    Result<std::uint32_t> program_of(const DeviceCall& call);
    void fail(const Error& error, std::size_t calls);

    std::unique_ptr<gpuvm::Machine> machine_;
    std::unique_ptr<gpuvm::Batch> batch_;
    std::map<ProgramKey, Program> programs_;
    std::string lost_, failure_;
    std::vector<std::string> notes_;
    DeviceWork work_;
};

/// For single calls: each contract runs alone, at once. What the device cannot run is an error, and
/// `ejection` says why.
class DeviceMachine final : public alkanes::ContractMachine {
public:
    explicit DeviceMachine(DeviceCalls& device) : device_(device) {}

    [[nodiscard]] Result<alkanes::MachineRun>
    run(alkanes::Runtime& runtime, alkanes::Frame& frame,
        const std::shared_ptr<const alkanes::Contract>& contract, alkanes::Runtime::Machine clean,
        std::uint64_t fuel) override;

    std::string ejection;

private:
    DeviceCalls& device_;
};

} // namespace blockloom::execute
