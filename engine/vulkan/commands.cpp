#include "vulkan/commands.h"

#include "vulkan/status_text.h"

#include <array>
#include <cmath>

namespace blockloom::vulkan {

Result<Commands> Commands::create(std::shared_ptr<Device> device) {
    Commands made;
    made.device_ = std::move(device);
    const VkDevice handle = made.device_->get();
    VkCommandPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    pool.queueFamilyIndex = made.device_->family();
    VkCommandPool pool_handle = VK_NULL_HANDLE;
    VkResult result = vkCreateCommandPool(handle, &pool, nullptr, &pool_handle);
    if (result != VK_SUCCESS) return vulkan_error("vkCreateCommandPool", result);
    made.pool_ = CommandPool(handle, pool_handle);

    VkCommandBufferAllocateInfo buffer{};
    buffer.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    buffer.commandPool = pool_handle;
    buffer.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    buffer.commandBufferCount = 1;
    result = vkAllocateCommandBuffers(handle, &buffer, &made.buffer_);
    if (result != VK_SUCCESS) return vulkan_error("vkAllocateCommandBuffers", result);

    VkFenceCreateInfo fence{};
    fence.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
    VkFence fence_handle = VK_NULL_HANDLE;
    result = vkCreateFence(handle, &fence, nullptr, &fence_handle);
    if (result != VK_SUCCESS) return vulkan_error("vkCreateFence", result);
    made.fence_ = FenceHandle(handle, fence_handle);

    if (made.device_->timestamp_bits() > 0) {
        VkQueryPoolCreateInfo queries{};
        queries.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
        queries.queryType = VK_QUERY_TYPE_TIMESTAMP;
        queries.queryCount = 2;
        VkQueryPool query_handle = VK_NULL_HANDLE;
        result = vkCreateQueryPool(handle, &queries, nullptr, &query_handle);
        if (result != VK_SUCCESS) return vulkan_error("vkCreateQueryPool", result);
        made.queries_ = QueryPool(handle, query_handle);
    }
    return made;
}

Result<VkCommandBuffer> Commands::begin() {
    VkCommandBufferBeginInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    const VkResult result = vkBeginCommandBuffer(buffer_, &info);
    if (result != VK_SUCCESS) return vulkan_error("vkBeginCommandBuffer", result);
    if (queries_) {
        vkCmdResetQueryPool(buffer_, queries_.get(), 0, 2);
        vkCmdWriteTimestamp(buffer_, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries_.get(), 0);
    }
    return buffer_;
}

Status Commands::submit_and_wait() {
    if (queries_)
        vkCmdWriteTimestamp(buffer_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_.get(), 1);
    VkResult result = vkEndCommandBuffer(buffer_);
    if (result != VK_SUCCESS) return vulkan_error("vkEndCommandBuffer", result);
    VkSubmitInfo work{};
    work.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    work.commandBufferCount = 1;
    work.pCommandBuffers = &buffer_;
    result = device_->submit(work, fence_.get());
    if (result != VK_SUCCESS) return vulkan_error("vkQueueSubmit", result);
    result = vkWaitForFences(device_->get(), 1, fence_.address(), VK_TRUE, UINT64_MAX);
    if (result != VK_SUCCESS) return vulkan_error("vkWaitForFences", result);
    result = vkResetFences(device_->get(), 1, fence_.address());
    if (result != VK_SUCCESS) return vulkan_error("vkResetFences", result);
    return {};
}

std::optional<Nanoseconds> Commands::device_time() const {
    if (!queries_) return std::nullopt;
    std::array<std::uint64_t, 2> ticks{};
    if (vkGetQueryPoolResults(device_->get(), queries_.get(), 0, 2, sizeof ticks, ticks.data(),
                              sizeof ticks[0], VK_QUERY_RESULT_64_BIT) != VK_SUCCESS)
        return std::nullopt;
    const std::uint32_t bits = device_->timestamp_bits();
    const std::uint64_t mask = bits >= 64 ? UINT64_MAX : (std::uint64_t{1} << bits) - 1;
    const auto passed = static_cast<double>((ticks[1] - ticks[0]) & mask);
    return static_cast<Nanoseconds>(
        std::llround(passed * static_cast<double>(device_->limits().timestampPeriod)));
}

std::optional<std::uint64_t> Commands::end_ticks() const {
    std::uint64_t ticks = 0;
    if (!queries_ ||
        vkGetQueryPoolResults(device_->get(), queries_.get(), 1, 1, sizeof ticks, &ticks,
                              sizeof ticks, VK_QUERY_RESULT_64_BIT) != VK_SUCCESS)
        return std::nullopt;
    return ticks;
}

void memory_barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkAccessFlags written,
                    VkPipelineStageFlags to, VkAccessFlags read) {
    VkMemoryBarrier barrier{};
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = written;
    barrier.dstAccessMask = read;
    vkCmdPipelineBarrier(commands, from, to, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

void image_barrier(VkCommandBuffer commands, VkImage image, VkImageLayout before,
                   VkImageLayout after, VkPipelineStageFlags from, VkAccessFlags written,
                   VkPipelineStageFlags to, VkAccessFlags read) {
    VkImageMemoryBarrier barrier{};
    barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
    barrier.srcAccessMask = written;
    barrier.dstAccessMask = read;
    barrier.oldLayout = before;
    barrier.newLayout = after;
    barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdPipelineBarrier(commands, from, to, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

} // namespace blockloom::vulkan
