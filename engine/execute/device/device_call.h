// A contract's run that waits for a device, and what a device has done for such runs.
#pragma once

#include "alkanes/contract_machine.h"
#include "base/clock.h"
#include "execute/device/read_habits.h"
#include "gpuvm/invocation.h"
#include "state/view.h"

#include <functional>
#include <memory>
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

/// Receives calls that have ended, each once: it must take the run, or what it knows of the
/// ejection.
using CallsEnded = std::function<void(std::span<DeviceCall* const>)>;

/// What the device did so far.
struct DeviceWork {
    std::uint64_t batches = 0, calls = 0, host_calls = 0, instructions = 0;
    std::uint64_t known_reads = 0; ///< of the state, answered on the device
    Nanoseconds pack = 0;          ///< wall time of laying out what goes there
    gpuvm::Times times;            ///< the device's own
};

} // namespace blockloom::execute
