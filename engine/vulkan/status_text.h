// Vulkan's result codes as text.
#pragma once

#include "base/result.h"

#include <string>
#include <vulkan/vulkan.h>

namespace blockloom::vulkan {

/// "VK_ERROR_DEVICE_LOST", or "VkResult N" for an unknown one.
[[nodiscard]] std::string result_name(VkResult result);

/// "CALL: VK_ERROR_…" with the code `unavailable`: the device has failed, not the input.
[[nodiscard]] Error vulkan_error(const char* call, VkResult result);

/// "1.3.230"
[[nodiscard]] std::string version_text(std::uint32_t version);

} // namespace blockloom::vulkan
