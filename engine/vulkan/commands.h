// A command buffer that is recorded, submitted and waited for repeatedly; and its clock.
#pragma once

#include "base/clock.h"
#include "vulkan/device.h"
#include "vulkan/handle.h"

#include <optional>

namespace blockloom::vulkan {

/// Not thread-safe: one thread records and waits.
class Commands {
public:
    [[nodiscard]] static Result<Commands> create(std::shared_ptr<Device> device);

    /// Restarts recording. The previous recording must have been waited for.
    [[nodiscard]] Result<VkCommandBuffer> begin();
    /// Ends, submits and waits until the device is done.
    Status submit_and_wait();

    /// Nanoseconds of the device's clock between the start and the end of the last submission;
    /// nothing if the queue has no clock.
    [[nodiscard]] std::optional<Nanoseconds> device_time() const;

    /// The device's clock at the end of the last submission, in its own ticks.
    [[nodiscard]] std::optional<std::uint64_t> end_ticks() const;

private:
    std::shared_ptr<Device> device_;
    CommandPool pool_;
    FenceHandle fence_;
    QueryPool queries_;
    VkCommandBuffer buffer_ = VK_NULL_HANDLE;
};

/// Orders all previous commands before all following ones: one barrier over all memory.
void memory_barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkAccessFlags written,
                    VkPipelineStageFlags to, VkAccessFlags read);

/// Changes an image's layout with the given ordering.
void image_barrier(VkCommandBuffer commands, VkImage image, VkImageLayout before,
                   VkImageLayout after, VkPipelineStageFlags from, VkAccessFlags written,
                   VkPipelineStageFlags to, VkAccessFlags read);

} // namespace blockloom::vulkan
