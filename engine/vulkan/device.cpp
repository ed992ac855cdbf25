#include "vulkan/device.h"

#include "vulkan/status_text.h"

#include <array>
#include <vector>

namespace blockloom::vulkan {

Result<std::shared_ptr<Device>> Device::create(std::shared_ptr<Instance> instance) {
    std::vector<VkPhysicalDevice> handles;
    DeviceList list = describe_devices(instance->get(), &handles);
    if (list.chosen < 0)
        return Error{ErrorCode::unavailable, list.why.empty() ? list.why_none : list.why};
    std::shared_ptr<Device> made(new Device);
    made->instance_ = std::move(instance);
    made->info_ = list.devices[static_cast<std::size_t>(list.chosen)];
    made->physical_ = handles[made->info_.index];
    vkGetPhysicalDeviceProperties(made->physical_, &made->properties_);
    vkGetPhysicalDeviceMemoryProperties(made->physical_, &made->memory_);

    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(made->physical_, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(made->physical_, &count, families.data());
    constexpr VkQueueFlags needed = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    for (std::uint32_t i = count; i-- > 0;)
        if ((families[i].queueFlags & needed) == needed && families[i].queueCount > 0)
            made->family_ = i;
    made->timestamp_bits_ = families[made->family_].timestampValidBits;

    const float priority = 1;
    VkDeviceQueueCreateInfo queue{};
    queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueFamilyIndex = made->family_;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    const VkResult result = vkCreateDevice(made->physical_, &info, nullptr, &made->device_);
    if (result != VK_SUCCESS) return vulkan_error("vkCreateDevice", result);
    vkGetDeviceQueue(made->device_, made->family_, 0, &made->queue_);
    return made;
}

Device::~Device() {
    if (device_ == VK_NULL_HANDLE) return;
    vkDeviceWaitIdle(device_);
    vkDestroyDevice(device_, nullptr);
}

std::optional<std::uint32_t> Device::memory_type(std::uint32_t allowed,
                                                 MemoryUse use) const noexcept {
    constexpr VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    constexpr VkMemoryPropertyFlags visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    constexpr VkMemoryPropertyFlags coherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    constexpr VkMemoryPropertyFlags cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    // Best first. Reading uncached memory over the bus is slow, so readback asks for a cached one.
    using Wishes = std::array<VkMemoryPropertyFlags, 3>;
    const Wishes wishes = use == MemoryUse::device ? Wishes{local, 0, 0}
                          : use == MemoryUse::upload
                              ? Wishes{local | visible | coherent, visible | coherent, visible}
                              : Wishes{visible | cached | coherent, visible | cached, visible};
    for (const VkMemoryPropertyFlags wish : wishes)
        for (std::uint32_t i = 0; i < memory_.memoryTypeCount; ++i)
            if ((allowed >> i & 1U) != 0 && (memory_.memoryTypes[i].propertyFlags & wish) == wish)
                return i;
    return std::nullopt;
}

bool Device::coherent(std::uint32_t memory_type) const noexcept {
    return (memory_.memoryTypes[memory_type].propertyFlags &
            VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
}

VkResult Device::submit(const VkSubmitInfo& work, VkFence fence) {
    const std::lock_guard lock(submitting_);
    return vkQueueSubmit(queue_, 1, &work, fence);
}

} // namespace blockloom::vulkan
