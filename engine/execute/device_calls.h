// Contracts of messages on a device: batches that run until every call of theirs has ended, with
// the host functions that the device cannot answer called here.
#pragma once

#include "alkanes/contract_machine.h"
#include "base/clock.h"
#include "execute/read_habits.h"
#include "gpuvm/batch.h"
#include "state/view.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockloom::execute {

class DeviceRecording;

/// A contract's run that waits for a device, and how it ended.
struct DeviceCall {
    alkanes::Runtime* runtime = nullptr;
    alkanes::Frame* frame = nullptr;
    std::shared_ptr<const alkanes::Contract> contract;
    std::uint64_t fuel = 0;
    Hash256 txid{};
    std::uint32_t height = 0, transaction = 0; ///< of its block, in it: for the recording
    HabitKey kind;                             ///< by DeviceCalls::look_ahead, as `known`
    void* waiter = nullptr;                    ///< for whom `ended` is told

    /// Values that it may ask for: the device answers with them. By DeviceCalls::look_ahead.
    struct Known {
        std::string name; ///< of a storage key
        state::Value value;
    };
    std::vector<Known> known;

    std::optional<alkanes::MachineRun> ran;
    std::vector<std::uint32_t> reads; ///< places in `known` that the device answered with, in order
    std::string ejection;             ///< why the device did not run it to its end: a code

    /// Logs those reads as the host function would have done.
    [[nodiscard]] Status log_reads();
};

/// What the device did so far.
struct DeviceWork {
    std::uint64_t batches = 0, calls = 0, host_calls = 0, instructions = 0;
    std::uint64_t known_reads = 0; ///< of the state, answered on the device
    Nanoseconds pack = 0;          ///< wall time of laying out what goes there
    gpuvm::Times times;            ///< the device's own
};

/// One thread at a time. It runs in the calls' runtimes while nobody else does.
class DeviceCalls {
public:
    /// Told of calls that have ended, once of each: it must take the run, or what it knows of the
    /// ejection.
    using Ended = std::function<void(std::span<DeviceCall* const>)>;

    /// Error: `unavailable` where the device cannot run programs.
    [[nodiscard]] static Result<std::unique_ptr<DeviceCalls>> make(compute::ProviderPtr provider,
                                                                   const gpuvm::Options& options);
    ~DeviceCalls();

    /// Runs work(0) … work(count - 1), in any order, on several threads; not set: one by one. Host
    /// functions of calls with different runtimes are called so, and lanes made ready.
    std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)> spread;

    /// Hears of the waves of every submission and of the calls in them; null: nobody. They tell
    /// where the options asked for wave times.
    DeviceRecording* recording = nullptr;

    /// Reads what the call will probably read. Thread-safe while nothing runs.
    void look_ahead(DeviceCall& call) const;

    /// Runs all calls. Fails only where the work is cancelled; `ended` has been told of all then
    /// too.
    Status run(std::vector<DeviceCall*> calls, const std::stop_token& stop, const Ended& ended);

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
    /// Calls of each kind of which nothing is known yet run first, in a small batch.
    [[nodiscard]] std::vector<DeviceCall*> pilots(std::vector<DeviceCall*>& calls) const;
    Status run_batches(std::span<DeviceCall* const> calls, const std::stop_token& stop,
                       const Ended& ended);
    Result<std::uint32_t> program_of(const DeviceCall& call);
    /// work(i) of all below `count`, `grain` of them by one thread at a time.
    void for_each(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t)>& work) const;
    void fail(const Error& error, std::size_t calls);

    std::unique_ptr<gpuvm::Machine> machine_;
    std::unique_ptr<gpuvm::Batch> batch_;
    std::map<ProgramKey, Program> programs_;
    ReadHabits habits_;
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
        const std::shared_ptr<const alkanes::Contract>& contract, std::uint64_t fuel) override;

    std::string ejection;

private:
    DeviceCalls& device_;
};

} // namespace blockloom::execute
