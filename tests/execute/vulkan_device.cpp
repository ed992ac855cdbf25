#include "execute/vulkan_device.h"

#include "compute/selection.h"

#include <ranges>

namespace blockloom::tests {

compute::ProviderPtr open_vulkan_device() {
    const compute::Settings settings;
    const auto devices = compute::list_devices(settings);
    for (const compute::Description& device : devices | std::views::reverse) {
        if (device.backend != "vulkan" || !device.usable()) continue;
        if (auto opened = compute::open_device(device, settings)) return *std::move(opened);
    }
    return nullptr;
}

} // namespace blockloom::tests
