#include "runs/run_probes.h"

namespace blockloom::runs {
namespace {

/// A Vulkan identity begins with the device's own, 16 bytes; the driver's follows.
constexpr std::size_t identity_digits = 32;

std::unique_ptr<profile::UsageProbe> probe_of(const compute::Description& device) {
    if (device.kind == compute::DeviceKind::software ||
        device.kind == compute::DeviceKind::processor)
        return profile::silent_probe(device.name,
                                     "a software device: it uses the host's resources");
    return profile::device_probe({device.name, device.identity.substr(0, identity_digits)});
}

} // namespace

std::vector<std::unique_ptr<profile::UsageProbe>> probes_of(const execute::ReplayOptions& options) {
    std::vector<std::unique_ptr<profile::UsageProbe>> probes;
    probes.push_back(profile::host_probe());
    if (options.device != nullptr) probes.push_back(probe_of(options.device->description()));
    for (const auto& device : options.more_devices)
        probes.push_back(probe_of(device->description()));
    return probes;
}

} // namespace blockloom::runs
