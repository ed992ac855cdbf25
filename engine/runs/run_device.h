// On what a run's rounds are executed: as the user, the configuration and this machine allow.
#pragma once

#include "compute/selection.h"
#include "execute/replay.h"

#include <functional>
#include <string>
#include <vector>

namespace blockloom::runs {

/// Opens what the settings name.
using DeviceOpener = std::function<Result<compute::Opened>(const compute::Settings&)>;

/// What the user asked for; everything else comes from the configuration (docs/compute.md).
struct DeviceWish {
    std::string backend = "auto";         ///< "auto", "cpu", "vulkan"
    std::vector<std::uint32_t> devices{}; ///< of the backend; empty: the configured one
    std::uint32_t slice = 0;              ///< instructions a device runs at a time; 0: by device
    bool batch_min_given = false;         ///< by the user: the configured one does not count
    std::string place{};                  ///< who named the backend, for messages: "--backend"
    std::string device_place{};           ///< who named the devices: "--device"
    DeviceOpener open = compute::open_provider;
};

/// What the rounds are executed on.
struct RunDevice {
    std::string backend = "cpu";
    std::string name;   ///< of the device, of several "A + B", of the CPU its model
    std::string reason; ///< why it is this one, in a sentence; empty: nothing was chosen
};

/// Opens the device and sets in `how` everything that depends on it. The serial strategy is always
/// the CPU's. A configuration that cannot be read is an error on the CPU, too. Fails where a
/// backend or device that was named cannot be used: nothing else stands in for it.
[[nodiscard]] Result<RunDevice> open_run_device(const DeviceWish& wish,
                                                execute::ReplayOptions& how);

} // namespace blockloom::runs
