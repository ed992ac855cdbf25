// Buffers and images with their own memory.
#pragma once

#include "vulkan/device.h"
#include "vulkan/handle.h"

#include <cstddef>

namespace blockloom::vulkan {

/// A buffer; those for upload and readback stay mapped.
class Buffer {
public:
    Buffer() = default;
    /// `bytes` of at least 1.
    [[nodiscard]] static Result<Buffer> create(const Device& device, std::size_t bytes,
                                               VkBufferUsageFlags usage, MemoryUse use);

    [[nodiscard]] VkBuffer get() const noexcept { return buffer_.get(); }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// Host address of the whole buffer; null for MemoryUse::device.
    [[nodiscard]] std::byte* data() const noexcept { return data_; }
    /// Makes the host's writes visible to the device, or the device's to the host. No cost if the
    /// memory is coherent.
    [[nodiscard]] VkResult flush() const noexcept;
    [[nodiscard]] VkResult invalidate() const noexcept;

private:
    VkDevice device_ = VK_NULL_HANDLE;
    DeviceMemory memory_;
    BufferHandle buffer_;
    std::size_t size_ = 0;
    std::byte* data_ = nullptr;
    bool coherent_ = true;
};

/// A two-dimensional image of one level and sample, with a view of all of it.
class DeviceImage {
public:
    DeviceImage() = default;
    [[nodiscard]] static Result<DeviceImage> create(const Device& device, std::uint32_t width,
                                                    std::uint32_t height, VkFormat format,
                                                    VkImageUsageFlags usage);

    [[nodiscard]] VkImage get() const noexcept { return image_.get(); }
    [[nodiscard]] VkImageView view() const noexcept { return view_.get(); }
    [[nodiscard]] std::uint32_t width() const noexcept { return width_; }
    [[nodiscard]] std::uint32_t height() const noexcept { return height_; }

private:
    DeviceMemory memory_;
    ImageHandle image_;
    ImageView view_;
    std::uint32_t width_ = 0, height_ = 0;
};

} // namespace blockloom::vulkan
