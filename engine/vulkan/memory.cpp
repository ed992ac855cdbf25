#include "vulkan/memory.h"

#include "vulkan/status_text.h"

#include <fmt/format.h>

namespace blockloom::vulkan {
namespace {

struct Allocation {
    DeviceMemory memory;
    bool coherent = true;
};

Result<Allocation> allocate(const Device& device, const VkMemoryRequirements& needs,
                            MemoryUse use) {
    const auto type = device.memory_type(needs.memoryTypeBits, use);
    if (!type)
        return Error{ErrorCode::unavailable, fmt::format("{}: no memory type fits (allowed {:#x})",
                                                         device.info().name, needs.memoryTypeBits)};
    VkMemoryAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    info.allocationSize = needs.size;
    info.memoryTypeIndex = *type;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    const VkResult result = vkAllocateMemory(device.get(), &info, nullptr, &memory);
    if (result != VK_SUCCESS)
        return Error{ErrorCode::unavailable,
                     fmt::format("{}: {} bytes of memory: {}", device.info().name, needs.size,
                                 result_name(result))};
    return Allocation{DeviceMemory(device.get(), memory), device.coherent(*type)};
}

VkMappedMemoryRange whole(VkDeviceMemory memory) noexcept {
    VkMappedMemoryRange range{};
    range.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE;
    range.memory = memory;
    range.size = VK_WHOLE_SIZE;
    return range;
}

} // namespace

Result<Buffer> Buffer::create(const Device& device, std::size_t bytes, VkBufferUsageFlags usage,
                              MemoryUse use) {
    Buffer made;
    made.device_ = device.get();
    made.size_ = bytes;
    VkBufferCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = bytes;
    info.usage = usage;
    VkBuffer buffer = VK_NULL_HANDLE;
    VkResult result = vkCreateBuffer(device.get(), &info, nullptr, &buffer);
    if (result != VK_SUCCESS) return vulkan_error("vkCreateBuffer", result);
    made.buffer_ = BufferHandle(device.get(), buffer);
    VkMemoryRequirements needs{};
    vkGetBufferMemoryRequirements(device.get(), buffer, &needs);
    auto allocation = allocate(device, needs, use);
    if (!allocation.ok()) return allocation.error();
    made.memory_ = std::move(allocation->memory);
    made.coherent_ = allocation->coherent;
    result = vkBindBufferMemory(device.get(), buffer, made.memory_.get(), 0);
    if (result != VK_SUCCESS) return vulkan_error("vkBindBufferMemory", result);
    if (use != MemoryUse::device) {
        void* address = nullptr;
        result = vkMapMemory(device.get(), made.memory_.get(), 0, VK_WHOLE_SIZE, 0, &address);
        if (result != VK_SUCCESS) return vulkan_error("vkMapMemory", result);
        made.data_ = static_cast<std::byte*>(address);
    }
    return made;
}

VkResult Buffer::flush() const noexcept {
    if (coherent_ || data_ == nullptr) return VK_SUCCESS;
    const VkMappedMemoryRange range = whole(memory_.get());
    return vkFlushMappedMemoryRanges(device_, 1, &range);
}

VkResult Buffer::invalidate() const noexcept {
    if (coherent_ || data_ == nullptr) return VK_SUCCESS;
    const VkMappedMemoryRange range = whole(memory_.get());
    return vkInvalidateMappedMemoryRanges(device_, 1, &range);
}

Result<DeviceImage> DeviceImage::create(const Device& device, std::uint32_t width,
                                        std::uint32_t height, VkFormat format,
                                        VkImageUsageFlags usage) {
    DeviceImage made;
    made.width_ = width;
    made.height_ = height;
    VkImageCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = format;
    info.extent = {width, height, 1};
    info.mipLevels = 1;
    info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.tiling = VK_IMAGE_TILING_OPTIMAL;
    info.usage = usage;
    VkImage image = VK_NULL_HANDLE;
    VkResult result = vkCreateImage(device.get(), &info, nullptr, &image);
    if (result != VK_SUCCESS) return vulkan_error("vkCreateImage", result);
    made.image_ = ImageHandle(device.get(), image);
    VkMemoryRequirements needs{};
    vkGetImageMemoryRequirements(device.get(), image, &needs);
    auto allocation = allocate(device, needs, MemoryUse::device);
    if (!allocation.ok()) return allocation.error();
    made.memory_ = std::move(allocation->memory);
    result = vkBindImageMemory(device.get(), image, made.memory_.get(), 0);
    if (result != VK_SUCCESS) return vulkan_error("vkBindImageMemory", result);

    VkImageViewCreateInfo view{};
    view.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
    view.image = image;
    view.viewType = VK_IMAGE_VIEW_TYPE_2D;
    view.format = format;
    view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    VkImageView handle = VK_NULL_HANDLE;
    result = vkCreateImageView(device.get(), &view, nullptr, &handle);
    if (result != VK_SUCCESS) return vulkan_error("vkCreateImageView", result);
    made.view_ = ImageView(device.get(), handle);
    return made;
}

} // namespace blockloom::vulkan
