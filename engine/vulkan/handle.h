// Ownership of a device's objects: each is destroyed once, in reverse order of creation.
#pragma once

#include <utility>
#include <vulkan/vulkan.h>

namespace blockloom::vulkan {

/// Owns one object of a device. The device must outlive it.
template <typename T, auto destroy> class Handle {
public:
    Handle() = default;
    Handle(VkDevice device, T object) noexcept : device_(device), object_(object) {}
    Handle(Handle&& other) noexcept
        : device_(other.device_), object_(std::exchange(other.object_, VK_NULL_HANDLE)) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(device_, other.device_);
        std::swap(object_, other.object_);
        return *this;
    }
    ~Handle() {
        if (object_ != VK_NULL_HANDLE) destroy(device_, object_, nullptr);
    }

    [[nodiscard]] T get() const noexcept { return object_; }
    [[nodiscard]] const T* address() const noexcept { return &object_; }
    explicit operator bool() const noexcept { return object_ != VK_NULL_HANDLE; }

private:
    VkDevice device_ = VK_NULL_HANDLE;
    T object_ = VK_NULL_HANDLE;
};

using DeviceMemory = Handle<VkDeviceMemory, vkFreeMemory>;
using BufferHandle = Handle<VkBuffer, vkDestroyBuffer>;
using ImageHandle = Handle<VkImage, vkDestroyImage>;
using ImageView = Handle<VkImageView, vkDestroyImageView>;
using Sampler = Handle<VkSampler, vkDestroySampler>;
using CommandPool = Handle<VkCommandPool, vkDestroyCommandPool>;
using FenceHandle = Handle<VkFence, vkDestroyFence>;
using Semaphore = Handle<VkSemaphore, vkDestroySemaphore>;
using QueryPool = Handle<VkQueryPool, vkDestroyQueryPool>;
using ShaderModule = Handle<VkShaderModule, vkDestroyShaderModule>;
using PipelineLayout = Handle<VkPipelineLayout, vkDestroyPipelineLayout>;
using Pipeline = Handle<VkPipeline, vkDestroyPipeline>;
using PipelineCache = Handle<VkPipelineCache, vkDestroyPipelineCache>;
using RenderPass = Handle<VkRenderPass, vkDestroyRenderPass>;
using Framebuffer = Handle<VkFramebuffer, vkDestroyFramebuffer>;
using DescriptorSetLayout = Handle<VkDescriptorSetLayout, vkDestroyDescriptorSetLayout>;
using DescriptorPool = Handle<VkDescriptorPool, vkDestroyDescriptorPool>;

} // namespace blockloom::vulkan
