// A logical device with the one queue that we use.
#pragma once

#include "vulkan/devices.h"
#include "vulkan/instance.h"

#include <memory>
#include <mutex>
#include <optional>

namespace blockloom::vulkan {

/// How the host meets a buffer's memory.
enum class MemoryUse : std::uint8_t {
    device,   ///< never seen by the host
    upload,   ///< written by the host, read by the device
    readback, ///< written by the device, read by the host
};

/// Owns the VkDevice. Submitting is thread-safe; everything made from it must go before it.
class Device {
public:
    /// The chosen device of `instance` (see choose_device()).
    [[nodiscard]] static Result<std::shared_ptr<Device>> create(std::shared_ptr<Instance> instance);

    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    [[nodiscard]] VkDevice get() const noexcept { return device_; }
    [[nodiscard]] VkPhysicalDevice physical() const noexcept { return physical_; }
    [[nodiscard]] VkQueue queue() const noexcept { return queue_; }
    [[nodiscard]] std::uint32_t family() const noexcept { return family_; }
    [[nodiscard]] const Instance& instance() const noexcept { return *instance_; }
    [[nodiscard]] const DeviceInfo& info() const noexcept { return info_; }
    [[nodiscard]] const VkPhysicalDeviceLimits& limits() const noexcept {
        return properties_.limits;
    }
    [[nodiscard]] const VkPhysicalDeviceProperties& properties() const noexcept {
        return properties_;
    }
    /// Bits of a timestamp that count; 0: the queue has no clock.
    [[nodiscard]] std::uint32_t timestamp_bits() const noexcept { return timestamp_bits_; }

    /// The memory type for `use` among the allowed ones; for host uses always visible to the host.
    [[nodiscard]] std::optional<std::uint32_t> memory_type(std::uint32_t allowed,
                                                           MemoryUse use) const noexcept;
    [[nodiscard]] bool coherent(std::uint32_t memory_type) const noexcept;

    /// vkQueueSubmit under a lock: several renderers may share the device.
    [[nodiscard]] VkResult submit(const VkSubmitInfo& work, VkFence fence);

private:
    Device() = default;

    std::shared_ptr<Instance> instance_;
    DeviceInfo info_;
    VkPhysicalDevice physical_ = VK_NULL_HANDLE;
    VkPhysicalDeviceProperties properties_{};
    VkPhysicalDeviceMemoryProperties memory_{};
    VkDevice device_ = VK_NULL_HANDLE;
    VkQueue queue_ = VK_NULL_HANDLE;
    std::uint32_t family_ = 0, timestamp_bits_ = 0;
    std::mutex submitting_;
};

} // namespace blockloom::vulkan
