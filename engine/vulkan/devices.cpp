#include "vulkan/devices.h"

#include "vulkan/instance.h"
#include "vulkan/status_text.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>

namespace blockloom::vulkan {
namespace {

DeviceType type_of(VkPhysicalDeviceType type) noexcept {
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return DeviceType::discrete;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return DeviceType::integrated;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return DeviceType::virtual_gpu;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return DeviceType::cpu;
    default:
        return DeviceType::other;
    }
}

std::string reason_against(VkPhysicalDevice device, const VkPhysicalDeviceProperties& properties) {
    if (properties.apiVersion < minimum_version)
        return fmt::format("it offers Vulkan {}, 1.2 is needed",
                           version_text(properties.apiVersion));
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
    constexpr VkQueueFlags needed = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    const bool found =
        std::any_of(families.begin(), families.end(), [](const VkQueueFamilyProperties& family) {
            return (family.queueFlags & needed) == needed && family.queueCount > 0;
        });
    return found ? std::string() : "it has no queue for graphics and compute";
}

DeviceInfo describe(VkPhysicalDevice device, std::uint32_t index) {
    VkPhysicalDeviceProperties plain{};
    vkGetPhysicalDeviceProperties(device, &plain);
    VkPhysicalDeviceDriverProperties driver{};
    driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
    VkPhysicalDeviceSubgroupProperties subgroup{};
    subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
    subgroup.pNext = plain.apiVersion >= VK_API_VERSION_1_2 ? &driver : nullptr;
    VkPhysicalDeviceProperties2 properties{};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties.pNext = &subgroup;
    if (plain.apiVersion >= VK_API_VERSION_1_1) vkGetPhysicalDeviceProperties2(device, &properties);

    DeviceInfo info;
    info.index = index;
    info.name = plain.deviceName;
    info.type = type_of(plain.deviceType);
    info.api_version = version_text(plain.apiVersion);
    info.driver = fmt::format("{}{}{}", driver.driverName, driver.driverInfo[0] == 0 ? "" : ", ",
                              driver.driverInfo);
    VkPhysicalDeviceMemoryProperties memory{};
    vkGetPhysicalDeviceMemoryProperties(device, &memory);
    for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i)
        info.heaps.push_back({memory.memoryHeaps[i].size, (memory.memoryHeaps[i].flags &
                                                           VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0});
    info.max_image_size = plain.limits.maxImageDimension2D;
    info.max_storage_buffer_bytes = plain.limits.maxStorageBufferRange;
    info.max_workgroup_invocations = plain.limits.maxComputeWorkGroupInvocations;
    info.max_shared_bytes = plain.limits.maxComputeSharedMemorySize;
    info.subgroup_size = subgroup.subgroupSize;
    info.why = reason_against(device, plain);
    return info;
}

} // namespace

const char* name_of(DeviceType type) noexcept {
    switch (type) {
    case DeviceType::discrete:
        return "discrete GPU";
    case DeviceType::integrated:
        return "integrated GPU";
    case DeviceType::virtual_gpu:
        return "virtual GPU";
    case DeviceType::cpu:
        return "CPU";
    case DeviceType::other:
        break;
    }
    return "other";
}

void choose_device(DeviceList& list, const char* asked) {
    list.chosen = -1;
    list.why_none.clear();
    if (list.devices.empty()) return;
    if (asked != nullptr && *asked != 0) {
        std::uint32_t index = 0;
        const char* end = asked + std::strlen(asked);
        const auto [rest, error] = std::from_chars(asked, end, index);
        if (error != std::errc() || rest != end || index >= list.devices.size()) {
            list.why_none =
                fmt::format("BLOCKLOOM_DEVICE: expected an index of 0 … {}, found \"{}\"",
                            list.devices.size() - 1, asked);
        } else if (!list.devices[index].usable()) {
            list.why_none = fmt::format("BLOCKLOOM_DEVICE={}: {} cannot be used: {}", index,
                                        list.devices[index].name, list.devices[index].why);
        } else {
            list.chosen = static_cast<int>(index);
        }
        return;
    }
    for (std::size_t i = 0; i < list.devices.size(); ++i) {
        if (!list.devices[i].usable()) continue;
        if (list.chosen < 0 ||
            list.devices[i].type < list.devices[static_cast<std::size_t>(list.chosen)].type)
            list.chosen = static_cast<int>(i);
    }
    if (list.chosen < 0)
        list.why_none = fmt::format("no Vulkan device can be used; the first, {}: {}",
                                    list.devices.front().name, list.devices.front().why);
}

DeviceList describe_devices(VkInstance instance, std::vector<VkPhysicalDevice>* handles) {
    DeviceList list;
    std::uint32_t count = 0;
    VkResult result = vkEnumeratePhysicalDevices(instance, &count, nullptr);
    std::vector<VkPhysicalDevice> found(count);
    if (result == VK_SUCCESS && count > 0)
        result = vkEnumeratePhysicalDevices(instance, &count, found.data());
    if (result < 0) {
        list.why = vulkan_error("vkEnumeratePhysicalDevices", result).message;
        return list;
    }
    found.resize(count);
    if (found.empty()) list.why = "Vulkan: a driver is installed, but it found no device";
    for (std::uint32_t i = 0; i < count; ++i) list.devices.push_back(describe(found[i], i));
    choose_device(list, std::getenv("BLOCKLOOM_DEVICE"));
    if (handles != nullptr) *handles = std::move(found);
    return list;
}

DeviceList list_devices() {
    const auto instance = Instance::create(false);
    if (!instance.ok()) {
        DeviceList none;
        none.why = instance.error().message;
        return none;
    }
    return describe_devices((*instance)->get());
}

} // namespace blockloom::vulkan
