// A Vulkan device as a provider.
#pragma once

#include "compute/provider.h"

#include <vector>

namespace blockloom::compute {

/// The Vulkan devices of this machine, described; one without any usable device gives none and the
/// reason in `why`.
struct VulkanDevices {
    std::vector<Description> devices;
    std::string why;
};

[[nodiscard]] VulkanDevices list_vulkan_devices();

/// Opens the device that is listed as `index`. `unavailable` with the reason.
[[nodiscard]] Result<ProviderPtr> open_vulkan(std::uint32_t index, const ProviderOptions& options);

} // namespace blockloom::compute
