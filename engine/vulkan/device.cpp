#include "vulkan/device.h"

#include "vulkan/status_text.h"

#include <array>
#include <fmt/format.h>
#include <vector>

namespace blockloom::vulkan {

namespace {

/// Position in the list of the device that `request` means.
Result<std::size_t> position(const DeviceList& list, const DeviceRequest& request) {
    if (list.devices.empty()) return Error{ErrorCode::unavailable, list.why};
    if (!request.index) {
        if (list.chosen < 0) return Error{ErrorCode::unavailable, list.why_none};
        return static_cast<std::size_t>(list.chosen);
    }
    if (*request.index >= list.devices.size())
        return Error{ErrorCode::unavailable,
                     fmt::format("Vulkan: expected a device index of 0 … {}, found {}",
                                 list.devices.size() - 1, *request.index)};
    const DeviceInfo& info = list.devices[*request.index];
    const std::string& why = request.compute ? info.why_no_compute : info.why;
    if (!why.empty())
        return Error{ErrorCode::unavailable, fmt::format("{} cannot be used: {}", info.name, why)};
    return std::size_t{*request.index};
}

} // namespace

Result<std::shared_ptr<Device>> Device::create(std::shared_ptr<Instance> instance,
                                               const DeviceRequest& request) {
    std::vector<VkPhysicalDevice> handles;
    const DeviceList list = describe_devices(instance->get(), &handles);
    const auto at = position(list, request);
    if (!at.ok()) return at.error();
    std::shared_ptr<Device> made(new Device);
    made->instance_ = std::move(instance);
    made->info_ = list.devices[*at];
    made->physical_ = handles[made->info_.index];
    vkGetPhysicalDeviceProperties(made->physical_, &made->properties_);
    vkGetPhysicalDeviceMemoryProperties(made->physical_, &made->memory_);
    if (const Status status = made->make(request); !status.ok()) return status.error();
    return made;
}

Status Device::make(const DeviceRequest& request) {
    const std::vector<VkQueueFamilyProperties> families = queue_families(physical_);
    const VkQueueFlags needed =
        request.compute ? VK_QUEUE_COMPUTE_BIT : VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    const QueueChoice choice = choose_queues(families, needed, request.compute);
    if (!choice.found)
        return Error{ErrorCode::unavailable,
                     fmt::format("{}: no queue has the required capabilities", info_.name)};
    work_.place = choice.work;
    transfer_.place = choice.transfer;
    const std::array<float, 2> priorities{1, 1};
    std::vector<VkDeviceQueueCreateInfo> queues(1);
    queues[0].sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queues[0].queueFamilyIndex = work_.place.family;
    queues[0].queueCount = 1;
    queues[0].pQueuePriorities = priorities.data();
    if (transfer_.place.family != work_.place.family) {
        queues.push_back(queues[0]);
        queues[1].queueFamilyIndex = transfer_.place.family;
    } else if (has_transfer_queue()) {
        queues[0].queueCount = 2;
    }
    VkDeviceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.queueCreateInfoCount = static_cast<std::uint32_t>(queues.size());
    info.pQueueCreateInfos = queues.data();
    std::optional<FeatureChain> chain;
    if (request.compute) {
        chain.emplace(physical_, instance_->validating());
        features_ = chain->found();
        info.pNext = chain->chain();
        info.enabledExtensionCount = static_cast<std::uint32_t>(chain->extensions().size());
        info.ppEnabledExtensionNames = chain->extensions().data();
    }
    const VkResult result = vkCreateDevice(physical_, &info, nullptr, &device_);
    if (result != VK_SUCCESS) return vulkan_error("vkCreateDevice", result);
    for (Queue* queue : {&work_, &transfer_}) {
        vkGetDeviceQueue(device_, queue->place.family, queue->place.index, &queue->handle);
        queue->timestamp_bits = families[queue->place.family].timestampValidBits;
    }
    return {};
}

Device::~Device() {
    if (device_ == VK_NULL_HANDLE) return;
    vkDeviceWaitIdle(device_);
    vkDestroyDevice(device_, nullptr);
}

std::optional<std::uint32_t> Device::memory_type(std::uint32_t allowed, MemoryUse use,
                                                 bool coherent_only) const noexcept {
    constexpr VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    constexpr VkMemoryPropertyFlags visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    constexpr VkMemoryPropertyFlags flushed = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    constexpr VkMemoryPropertyFlags cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    // Best first. Reading uncached memory over the bus is slow, so readback asks for a cached one.
    using Wishes = std::array<VkMemoryPropertyFlags, 3>;
    const Wishes wishes = use == MemoryUse::device ? Wishes{local, 0, 0}
                          : use == MemoryUse::upload
                              ? Wishes{local | visible | flushed, visible | flushed, visible}
                              : Wishes{visible | cached | flushed, visible | cached, visible};
    for (const VkMemoryPropertyFlags wish : wishes)
        for (std::uint32_t i = 0; i < memory_.memoryTypeCount; ++i)
            if ((allowed >> i & 1U) != 0 && (memory_.memoryTypes[i].propertyFlags & wish) == wish &&
                (!coherent_only || use == MemoryUse::device || this->coherent(i)))
                return i;
    return std::nullopt;
}

bool Device::coherent(std::uint32_t memory_type) const noexcept {
    return (memory_.memoryTypes[memory_type].propertyFlags &
            VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
}

MemoryBudget Device::memory_budget() const {
    VkPhysicalDeviceMemoryBudgetPropertiesEXT reported{};
    reported.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT;
    VkPhysicalDeviceMemoryProperties2 properties{};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2;
    if (features_.memory_budget) properties.pNext = &reported;
    vkGetPhysicalDeviceMemoryProperties2(physical_, &properties);
    MemoryBudget budget{0, 0, features_.memory_budget};
    for (std::uint32_t i = 0; i < memory_.memoryHeapCount; ++i)
        if ((memory_.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0) {
            budget.budget += budget.exact ? reported.heapBudget[i] : memory_.memoryHeaps[i].size;
            budget.used += budget.exact ? reported.heapUsage[i] : 0;
        }
    return budget;
}

VkResult Device::submit_transfer(const VkSubmitInfo& work, VkFence fence) {
    if (!has_transfer_queue()) return submit(work, fence);
    const std::lock_guard lock(submitting_transfer_);
    return vkQueueSubmit(transfer_.handle, 1, &work, fence);
}

VkResult Device::submit(const VkSubmitInfo& work, VkFence fence) {
    const std::lock_guard lock(submitting_);
    return vkQueueSubmit(work_.handle, 1, &work, fence);
}

} // namespace blockloom::vulkan
