// Shared by the parts of a Vulkan provider; buffers, kernels and lists keep it alive.
#pragma once

#include "compute/provider.h"
#include "compute/vulkan/device_clock.h"
#include "compute/vulkan/pipeline_cache.h"
#include "vulkan/device.h"
#include "vulkan/memory_pool.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

namespace blockloom::compute {

/// One stream of submissions: a timeline semaphore whose value is the last finished one.
struct VulkanLane {
    std::uint32_t family = 0, timestamp_bits = 0;
    bool transfer_queue = false;
    vulkan::Semaphore timeline;
    std::mutex submitting;
    std::atomic<std::uint64_t> submitted = 0;
};

struct VulkanCore {
    [[nodiscard]] static Result<std::shared_ptr<VulkanCore>>
    create(std::shared_ptr<vulkan::Device> device, const ProviderOptions& options);

    [[nodiscard]] VulkanLane& lane(Lane which) noexcept {
        return lanes[static_cast<std::size_t>(which)];
    }
    [[nodiscard]] bool done(Ticket ticket);
    /// The error for a failed call; also records that the device is lost.
    [[nodiscard]] Error failure(const std::string& what, VkResult result);
    [[nodiscard]] Status alive() const;

    // In order of creation: later members are destroyed first.
    std::shared_ptr<vulkan::Device> device;
    Description description;
    std::shared_ptr<vulkan::MemoryPool> pool;
    std::optional<PipelineStore> pipelines;
    std::optional<DeviceClock> clock;
    std::array<VulkanLane, 2> lanes;
    Nanoseconds time_limit = 0; ///< of a submission; 0: none but its caller's
    std::atomic<bool> lost = false;
};

/// Describes a device without opening it (`clock` and host properties stay unset).
[[nodiscard]] Description describe(const vulkan::DeviceInfo& info,
                                   const vulkan::DeviceFeatures& features,
                                   const VkPhysicalDeviceMemoryProperties& memory);

} // namespace blockloom::compute
