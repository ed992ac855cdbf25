// What executes a run's rounds, by the user's choice, the configuration and this machine.
#pragma once

#include "compute/selection.h"
#include "execute/replay.h"

#include <functional>
#include <string>
#include <vector>

namespace blockloom::runs {

/// Opens what the settings name.
using DeviceOpener = std::function<Result<compute::Opened>(const compute::Settings&)>;

/// What the user asked for; the rest comes from the configuration (docs/compute.md).
struct DeviceWish {
    std::string backend = "auto";         ///< "auto", "cpu", "vulkan"
    std::vector<std::uint32_t> devices{}; ///< of the backend; empty: the configured one
    std::uint32_t slice = 0;              ///< instructions a device runs at a time; 0: by device
    bool batch_min_given = false;         ///< by the user: overrides the configuration
    std::string place{};                  ///< what named the backend, for messages: "--backend"
    std::string device_place{};           ///< what named the devices: "--device"
    DeviceOpener open = compute::open_provider;
};

/// What executes the rounds.
struct RunDevice {
    std::string backend = "cpu";
    std::string name;   ///< of the device; several: "A + B"; CPU: its model
    std::string reason; ///< why it was chosen, in a sentence; empty: there was no choice
};

/// Opens the device and sets everything in `how` that depends on it. The serial strategy always
/// runs on the CPU. An unreadable configuration is an error on the CPU, too. Fails if a backend or
/// device that was named cannot be used: there is no silent fallback.
[[nodiscard]] Result<RunDevice> open_run_device(const DeviceWish& wish,
                                                execute::ReplayOptions& how);

} // namespace blockloom::runs
