// The connection to the Vulkan loader: no surface, no window.
#pragma once

#include "base/result.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vulkan/vulkan.h>

namespace blockloom::vulkan {

/// The lowest version that a device must offer.
inline constexpr std::uint32_t minimum_version = VK_API_VERSION_1_2;

/// One instance. With `validation` the Khronos layer is requested; its warnings and errors are
/// counted and written to standard error. Thread-safe once created.
class Instance {
public:
    /// `unavailable` with the reason if there is no loader, no driver or no version 1.2. A missing
    /// validation layer is no failure: `validating()` reports it.
    [[nodiscard]] static Result<std::shared_ptr<Instance>> create(bool validation);
    /// Whether the environment requests validation: BLOCKLOOM_VALIDATION=1.
    [[nodiscard]] static bool validation_asked() noexcept;

    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    [[nodiscard]] VkInstance get() const noexcept { return instance_; }
    [[nodiscard]] std::uint32_t version() const noexcept { return version_; }
    [[nodiscard]] bool validating() const noexcept { return messenger_ != VK_NULL_HANDLE; }
    /// Warnings and errors of the validation layer so far.
    [[nodiscard]] std::uint64_t messages() const noexcept { return messages_; }
    /// The same over all instances of the process: tests check it at their end.
    [[nodiscard]] static std::uint64_t all_messages() noexcept;

private:
    Instance() = default;
    static VkBool32 VKAPI_PTR heard(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                    VkDebugUtilsMessageTypeFlagsEXT type,
                                    const VkDebugUtilsMessengerCallbackDataEXT* data, void* self);

    VkInstance instance_ = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    std::uint32_t version_ = 0;
    std::atomic<std::uint64_t> messages_ = 0;
};

} // namespace blockloom::vulkan
