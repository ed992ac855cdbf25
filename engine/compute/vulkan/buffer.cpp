#include "compute/vulkan/objects.h"

#include <array>
#include <fmt/format.h>

namespace blockloom::compute {
namespace {

vulkan::MemoryUse memory_use(BufferUse use) {
    switch (use) {
    case BufferUse::upload:
        return vulkan::MemoryUse::upload;
    case BufferUse::download:
        return vulkan::MemoryUse::readback;
    case BufferUse::device:
        break;
    }
    return vulkan::MemoryUse::device;
}

} // namespace

Result<BufferPtr> VulkanBuffer::create(std::shared_ptr<VulkanCore> core, std::uint64_t bytes,
                                       BufferUse use) {
    const Description& about = core->description;
    if (bytes == 0) return Error{misused, fmt::format("{}: a buffer of 0 bytes", about.name)};
    const auto too_much = [&](const std::string& why) {
        return Error{out_of_memory,
                     fmt::format("{}: {} bytes of memory: {}", about.name, bytes, why)};
    };
    if (bytes > about.limits.max_buffer_bytes)
        return too_much(fmt::format("a buffer has at most {}", about.limits.max_buffer_bytes));
    const bool addressed = about.features.buffer_address;
    const std::array<std::uint32_t, 2> families{core->lanes[0].family, core->lanes[1].family};
    VkBufferCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = (bytes + 3) / 4 * 4; // kernels read whole words
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    if (addressed) info.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    if (families[0] != families[1]) {
        info.sharingMode = VK_SHARING_MODE_CONCURRENT;
        info.queueFamilyIndexCount = 2;
        info.pQueueFamilyIndices = families.data();
    }
    const std::shared_ptr<VulkanBuffer> made(new VulkanBuffer(core, bytes, use));
    const VkDevice device = core->device->get();
    VkBuffer handle = VK_NULL_HANDLE;
    VkResult result = vkCreateBuffer(device, &info, nullptr, &handle);
    if (result != VK_SUCCESS) return core->failure("vkCreateBuffer", result);
    made->buffer_ = vulkan::BufferHandle(device, handle);
    VkMemoryRequirements needs{};
    vkGetBufferMemoryRequirements(device, handle, &needs);
    result = core->pool->allocate(needs, memory_use(use), made->memory_);
    if (result != VK_SUCCESS) {
        const Error error = core->failure(fmt::format("{} bytes of memory", bytes), result);
        if (error.code != out_of_memory) return error;
        const vulkan::PoolUse used = core->pool->use();
        return Error{out_of_memory, fmt::format("{} ({} in use, {} reserved)", error.message,
                                                used.in_use, used.reserved)};
    }
    result = vkBindBufferMemory(device, handle, made->memory_.memory(), made->memory_.offset());
    if (result != VK_SUCCESS) return core->failure("vkBindBufferMemory", result);
    if (use != BufferUse::device) made->mapped_ = {made->memory_.data(), bytes};
    if (addressed) {
        VkBufferDeviceAddressInfo where{};
        where.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
        where.buffer = handle;
        made->address_ = vkGetBufferDeviceAddress(device, &where);
    }
    return BufferPtr(made);
}

} // namespace blockloom::compute
