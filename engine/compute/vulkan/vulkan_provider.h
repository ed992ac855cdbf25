// A Vulkan device as a provider.
#pragma once

#include "compute/provider.h"

#include <vector>

namespace blockloom::compute {

/// Descriptions of the Vulkan devices of this machine; if there are none, `why` states the reason.
struct VulkanDevices {
    std::vector<Description> devices;
    std::string why;
};

[[nodiscard]] VulkanDevices list_vulkan_devices();

/// Opens the device listed as `index`. `unavailable` with the reason.
[[nodiscard]] Result<ProviderPtr> open_vulkan(std::uint32_t index, const ProviderOptions& options);

} // namespace blockloom::compute
