#include "compute/vulkan/command_list.h"

#include "vulkan/commands.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace blockloom::compute {

Result<std::shared_ptr<VulkanCommandList>>
VulkanCommandList::create(std::shared_ptr<VulkanCore> core, Lane lane) {
    std::shared_ptr<VulkanCommandList> made(new VulkanCommandList(std::move(core), lane));
    if (Status status = made->make(); !status.ok()) return status.error();
    if (Status status = made->begin(); !status.ok()) return status.error();
    return made;
}

Status VulkanCommandList::make() {
    const VkDevice device = core_->device->get();
    VkCommandPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool.queueFamilyIndex = core_->lane(lane_).family;
    VkCommandPool handle = VK_NULL_HANDLE;
    VkResult result = vkCreateCommandPool(device, &pool, nullptr, &handle);
    if (result != VK_SUCCESS) return core_->failure("vkCreateCommandPool", result);
    pool_ = vulkan::CommandPool(device, handle);
    VkCommandBufferAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    info.commandPool = handle;
    info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    info.commandBufferCount = 1;
    result = vkAllocateCommandBuffers(device, &info, &buffer_);
    if (result != VK_SUCCESS) return core_->failure("vkAllocateCommandBuffers", result);
    return {};
}

void VulkanCommandList::full_barrier(VkPipelineStageFlags to, VkAccessFlags read) {
    vulkan::memory_barrier(buffer_, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
                           to, read);
}

Status VulkanCommandList::begin() {
    VkCommandBufferBeginInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    const VkResult result = vkBeginCommandBuffer(buffer_, &info);
    if (result != VK_SUCCESS) return core_->failure("vkBeginCommandBuffer", result);
    barrier(); // against the lists before it in the lane
    return {};
}

Status VulkanCommandList::clear() {
    if (!idle()) return Error{misused, "command list: cleared while it is running"};
    const VkDevice device = core_->device->get();
    const VkResult result = vkResetCommandPool(device, pool_.get(), 0);
    if (result != VK_SUCCESS) return core_->failure("vkResetCommandPool", result);
    forget_sets();
    bound_kernel_ = nullptr;
    set_ = VK_NULL_HANDLE;
    labels_.clear();
    kept_buffers_.clear();
    kept_kernels_.clear();
    wrong_.reset();
    ended_ = false;
    last_value_ = 0;
    return begin();
}

void VulkanCommandList::wrong(const std::string& what) {
    if (!wrong_) wrong_ = Error{misused, "command list: " + what};
}

bool VulkanCommandList::recording() {
    if (ended_) wrong("recorded after it was submitted; clear() it first");
    return !ended_;
}

bool VulkanCommandList::fits(const BufferPtr& buffer, std::uint64_t offset, std::uint64_t bytes,
                             const char* what) {
    if (!recording()) return false;
    if (!buffer || buffer->owner() != core_.get())
        wrong(fmt::format("{}: {}", what, buffer ? "a buffer of another provider" : "no buffer"));
    else if (offset > buffer->bytes() || bytes > buffer->bytes() - offset)
        wrong(fmt::format("{}: bytes {} + {} of a buffer of {}", what, offset, bytes,
                          buffer->bytes()));
    else
        return true;
    return false;
}

void VulkanCommandList::copy(const BufferPtr& from, std::uint64_t from_offset, const BufferPtr& to,
                             std::uint64_t to_offset, std::uint64_t bytes) {
    if (!fits(from, from_offset, bytes, "copy from") || !fits(to, to_offset, bytes, "copy to"))
        return;
    if (bytes == 0) return;
    if (from == to && from_offset < to_offset + bytes && to_offset < from_offset + bytes)
        return wrong("copy: the ranges overlap");
    const VkBufferCopy range{from_offset, to_offset, bytes};
    vkCmdCopyBuffer(buffer_, static_cast<const VulkanBuffer&>(*from).get(),
                    static_cast<const VulkanBuffer&>(*to).get(), 1, &range);
    kept_buffers_.push_back(from);
    kept_buffers_.push_back(to);
}

void VulkanCommandList::fill(const BufferPtr& to, std::uint64_t offset, std::uint64_t bytes,
                             std::uint32_t word) {
    if (!fits(to, offset, bytes, "fill")) return;
    if (offset % 4 != 0 || bytes % 4 != 0)
        return wrong(fmt::format("fill: {} + {} bytes, expected multiples of 4", offset, bytes));
    if (bytes == 0) return;
    vkCmdFillBuffer(buffer_, static_cast<const VulkanBuffer&>(*to).get(), offset, bytes, word);
    kept_buffers_.push_back(to);
}

void VulkanCommandList::dispatch(const KernelPtr& kernel, std::span<const Binding> bindings,
                                 std::span<const std::byte> push, Groups groups) {
    if (!recording()) return;
    if (lane_ == Lane::transfer) return wrong("dispatch: not allowed on the transfer lane");
    if (!kernel || kernel->owner() != core_.get())
        return wrong("dispatch: not a kernel of this device");
    const auto& mine = static_cast<const VulkanKernel&>(*kernel);
    if (bindings.size() != mine.buffers() || push.size() != mine.push_bytes())
        return wrong(fmt::format("dispatch of {}: {} buffers and {} push bytes, expected {} and {}",
                                 mine.name(), bindings.size(), push.size(), mine.buffers(),
                                 mine.push_bytes()));
    const Limits& limits = core_->description.limits;
    if (std::max({groups.x, groups.y, groups.z}) > limits.max_groups)
        return wrong(fmt::format("dispatch of {}: {} × {} × {} groups, at most {} each",
                                 mine.name(), groups.x, groups.y, groups.z, limits.max_groups));
    infos_.clear();
    for (const Binding& binding : bindings) {
        const std::uint64_t bytes = binding.bytes != whole_buffer ? binding.bytes
                                    : binding.buffer && binding.offset < binding.buffer->bytes()
                                        ? binding.buffer->bytes() - binding.offset
                                        : 1;
        if (!fits(binding.buffer, binding.offset, bytes, "dispatch")) return;
        if (bytes == 0 || binding.offset % 256 != 0 || bytes > limits.max_binding_bytes)
            return wrong(fmt::format(
                "dispatch of {}: binding {} of {} bytes at {}, expected 1 … {} "
                "at a multiple of 256",
                mine.name(), infos_.size(), bytes, binding.offset, limits.max_binding_bytes));
        infos_.push_back({static_cast<const VulkanBuffer&>(*binding.buffer).get(), binding.offset,
                          (bytes + 3) / 4 * 4});
    }
    if (groups.x == 0 || groups.y == 0 || groups.z == 0) return;
    if (!infos_.empty()) {
        const VkDescriptorSet set = set_for(kernel, bindings, infos_);
        if (set == VK_NULL_HANDLE) return;
        if (bound_kernel_ != &mine || set != set_)
            vkCmdBindDescriptorSets(buffer_, VK_PIPELINE_BIND_POINT_COMPUTE, mine.layout(), 0, 1,
                                    &set, 0, nullptr);
        if (set != set_)
            for (const Binding& binding : bindings) kept_buffers_.push_back(binding.buffer);
        set_ = set;
    }
    if (bound_kernel_ != &mine) {
        vkCmdBindPipeline(buffer_, VK_PIPELINE_BIND_POINT_COMPUTE, mine.pipeline());
        kept_kernels_.push_back(kernel);
        bound_kernel_ = &mine;
    }
    if (!push.empty())
        vkCmdPushConstants(buffer_, mine.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                           static_cast<std::uint32_t>(push.size()), push.data());
    vkCmdDispatch(buffer_, groups.x, groups.y, groups.z);
}

void VulkanCommandList::barrier() {
    if (recording())
        full_barrier(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                     VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
}

Status VulkanCommandList::finish() {
    if (wrong_) return *wrong_;
    if (ended_) return {};
    full_barrier(VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    const VkResult result = vkEndCommandBuffer(buffer_);
    if (result != VK_SUCCESS) return core_->failure("vkEndCommandBuffer", result);
    ended_ = true;
    return {};
}

} // namespace blockloom::compute
