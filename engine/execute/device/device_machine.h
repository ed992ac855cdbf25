// Single contract calls on a device.
#pragma once

#include "execute/device/device_calls.h"

#include <string>

namespace blockloom::execute {

/// For single calls: each contract runs on its own, immediately. If the device cannot run it, the
/// call fails and `ejection` says why.
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
