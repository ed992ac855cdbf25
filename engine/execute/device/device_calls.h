// Contracts of messages on a device: batches that run until every call of theirs has ended, with
// the host functions that the device cannot answer called here.
#pragma once

#include "execute/device/device_call.h"
#include "execute/device/device_programs.h"
#include "execute/device/spread.h"

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace blockloom::execute {

class DeviceRecording;

/// One thread at a time. It runs in the calls' runtimes while nobody else does.
class DeviceCalls {
public:
    /// Error: `unavailable` where the device cannot run programs.
    [[nodiscard]] static Result<std::unique_ptr<DeviceCalls>> make(compute::ProviderPtr provider,
                                                                   const gpuvm::Options& options);
    ~DeviceCalls();

    /// Host functions of calls with different runtimes are called so, and lanes made ready.
    Spread spread;

    /// Hears of the waves of every submission and of the calls in them; null: nobody. They tell
    /// where the options asked for wave times.
    DeviceRecording* recording = nullptr;

    /// Reads what the call will probably read. Thread-safe while nothing runs.
    void look_ahead(DeviceCall& call) const;

    /// Runs all calls. Fails only where the work is cancelled; `ended` has been told of all then
    /// too.
    Status run(std::vector<DeviceCall*> calls, const std::stop_token& stop,
               const CallsEnded& ended);

    /// Calls that may run at once.
    [[nodiscard]] std::size_t most_calls() const { return programs_->most_calls(); }
    /// Why the device is of no more use: every call is ejected; empty: it is.
    [[nodiscard]] const std::string& lost() const noexcept { return lost_; }
    /// The last failure of the device, whether it lives on or not; empty: there was none.
    [[nodiscard]] const std::string& failure() const noexcept { return failure_; }
    /// Failures of the device since the last asking, in words.
    [[nodiscard]] std::vector<std::string> take_notes() { return std::exchange(notes_, {}); }
    [[nodiscard]] const DeviceWork& work() const noexcept { return work_; }

private:
    DeviceCalls() = default;
    /// Calls of each kind of which nothing is known yet run first, in a small batch.
    [[nodiscard]] std::vector<DeviceCall*> pilots(std::vector<DeviceCall*>& calls) const;
    Status run_batches(std::span<DeviceCall* const> calls, const std::stop_token& stop,
                       const CallsEnded& ended);
    void fail(const Error& error, std::size_t calls);

    std::unique_ptr<DevicePrograms> programs_;
    ReadHabits habits_;
    std::string lost_, failure_;
    std::vector<std::string> notes_;
    DeviceWork work_;
};

} // namespace blockloom::execute
