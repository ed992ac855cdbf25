// A logical device with the one or two queues that we use.
#pragma once

#include "vulkan/devices.h"
#include "vulkan/features.h"
#include "vulkan/instance.h"
#include "vulkan/queues.h"

#include <memory>
#include <mutex>
#include <optional>

namespace blockloom::vulkan {

/// How the host accesses a buffer's memory.
enum class MemoryUse : std::uint8_t {
    device,   ///< not accessible to the host
    upload,   ///< written by the host, read by the device
    readback, ///< written by the device, read by the host
};

/// What a device is created for.
struct DeviceRequest {
    std::optional<std::uint32_t> index; ///< as devices are listed; none: see choose_device()
    bool compute = false; ///< all of DeviceFeatures, and a second queue for copies; no graphics
};

/// The driver's report on this process's memory on the device.
struct MemoryBudget {
    std::uint64_t budget = 0; ///< bytes that this process may use of the device's heaps
    std::uint64_t used = 0;   ///< bytes that it has there; 0 unless `exact`
    bool exact = false;       ///< reported by VK_EXT_memory_budget; else the size of the heaps
};

/// Owns the VkDevice. Submitting is thread-safe; everything created from it must be destroyed
/// before it.
class Device {
public:
    /// `unavailable` with the reason if the device does not exist or lacks what is requested.
    [[nodiscard]] static Result<std::shared_ptr<Device>> create(std::shared_ptr<Instance> instance,
                                                                const DeviceRequest& request = {});

    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    [[nodiscard]] VkDevice get() const noexcept { return device_; }
    [[nodiscard]] VkPhysicalDevice physical() const noexcept { return physical_; }
    [[nodiscard]] VkQueue queue() const noexcept { return work_.handle; }
    [[nodiscard]] std::uint32_t family() const noexcept { return work_.place.family; }
    /// Family of the queue for copies; the same as family() if there is only one queue.
    [[nodiscard]] std::uint32_t transfer_family() const noexcept { return transfer_.place.family; }
    [[nodiscard]] bool has_transfer_queue() const noexcept {
        return transfer_.place != work_.place;
    }
    [[nodiscard]] const Instance& instance() const noexcept { return *instance_; }
    [[nodiscard]] const DeviceInfo& info() const noexcept { return info_; }
    [[nodiscard]] const VkPhysicalDeviceLimits& limits() const noexcept {
        return properties_.limits;
    }
    [[nodiscard]] const VkPhysicalDeviceProperties& properties() const noexcept {
        return properties_;
    }
    /// The number of valid bits of a timestamp; 0: the queue has no clock.
    [[nodiscard]] std::uint32_t timestamp_bits() const noexcept { return work_.timestamp_bits; }
    [[nodiscard]] std::uint32_t transfer_timestamp_bits() const noexcept {
        return transfer_.timestamp_bits;
    }
    /// The enabled features; all false unless the device was created for compute.
    [[nodiscard]] const DeviceFeatures& features() const noexcept { return features_; }
    [[nodiscard]] const VkPhysicalDeviceMemoryProperties& memory_properties() const noexcept {
        return memory_;
    }
    [[nodiscard]] MemoryBudget memory_budget() const;

    /// The memory type for `use` among the allowed ones; for host uses it is always host-visible,
    /// and with `coherent_only` it never needs flushing.
    [[nodiscard]] std::optional<std::uint32_t>
    memory_type(std::uint32_t allowed, MemoryUse use, bool coherent_only = false) const noexcept;
    [[nodiscard]] bool coherent(std::uint32_t memory_type) const noexcept;

    /// vkQueueSubmit under a lock: several renderers may share the device.
    [[nodiscard]] VkResult submit(const VkSubmitInfo& work, VkFence fence);
    /// The same on the queue for copies.
    [[nodiscard]] VkResult submit_transfer(const VkSubmitInfo& work, VkFence fence);

private:
    struct Queue {
        QueuePlace place;
        VkQueue handle = VK_NULL_HANDLE;
        std::uint32_t timestamp_bits = 0;
    };

    Device() = default;
    Status make(const DeviceRequest& request);

    std::shared_ptr<Instance> instance_;
    DeviceInfo info_;
    VkPhysicalDevice physical_ = VK_NULL_HANDLE;
    VkPhysicalDeviceProperties properties_{};
    VkPhysicalDeviceMemoryProperties memory_{};
    VkDevice device_ = VK_NULL_HANDLE;
    DeviceFeatures features_;
    Queue work_, transfer_;
    std::mutex submitting_, submitting_transfer_;
};

} // namespace blockloom::vulkan
