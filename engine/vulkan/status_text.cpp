#include "vulkan/status_text.h"

#include <fmt/format.h>

namespace blockloom::vulkan {

std::string result_name(VkResult result) {
    switch (result) {
#define BLOCKLOOM_NAME(code)                                                                       \
    case code:                                                                                     \
        return #code
        BLOCKLOOM_NAME(VK_SUCCESS);
        BLOCKLOOM_NAME(VK_NOT_READY);
        BLOCKLOOM_NAME(VK_TIMEOUT);
        BLOCKLOOM_NAME(VK_INCOMPLETE);
        BLOCKLOOM_NAME(VK_ERROR_OUT_OF_HOST_MEMORY);
        BLOCKLOOM_NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY);
        BLOCKLOOM_NAME(VK_ERROR_INITIALIZATION_FAILED);
        BLOCKLOOM_NAME(VK_ERROR_DEVICE_LOST);
        BLOCKLOOM_NAME(VK_ERROR_MEMORY_MAP_FAILED);
        BLOCKLOOM_NAME(VK_ERROR_LAYER_NOT_PRESENT);
        BLOCKLOOM_NAME(VK_ERROR_EXTENSION_NOT_PRESENT);
        BLOCKLOOM_NAME(VK_ERROR_FEATURE_NOT_PRESENT);
        BLOCKLOOM_NAME(VK_ERROR_INCOMPATIBLE_DRIVER);
        BLOCKLOOM_NAME(VK_ERROR_TOO_MANY_OBJECTS);
        BLOCKLOOM_NAME(VK_ERROR_FORMAT_NOT_SUPPORTED);
        BLOCKLOOM_NAME(VK_ERROR_FRAGMENTED_POOL);
        BLOCKLOOM_NAME(VK_ERROR_OUT_OF_POOL_MEMORY);
        BLOCKLOOM_NAME(VK_ERROR_UNKNOWN);
#undef BLOCKLOOM_NAME
    default:
        return fmt::format("VkResult {}", static_cast<int>(result));
    }
}

Error vulkan_error(const char* call, VkResult result) {
    return {ErrorCode::unavailable, fmt::format("{}: {}", call, result_name(result))};
}

std::string version_text(std::uint32_t version) {
    return fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
                       VK_API_VERSION_PATCH(version));
}

} // namespace blockloom::vulkan
