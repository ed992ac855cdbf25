#include "vulkan/devices.h"

#include "base/bytes.h"
#include "vulkan/instance.h"
#include "vulkan/queues.h"
#include "vulkan/status_text.h"

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

void judge(DeviceInfo& info, VkPhysicalDevice device, std::uint32_t version) {
    if (version < minimum_version) {
        info.why = info.why_no_compute =
            fmt::format("it supports Vulkan {}, but 1.2 is required", version_text(version));
        return;
    }
    const auto families = queue_families(device);
    const QueueChoice compute = choose_queues(families, VK_QUEUE_COMPUTE_BIT, true);
    if (!compute.found) info.why_no_compute = "it has no compute queue";
    info.compute_queues = !compute.found ? 0 : compute.work == compute.transfer ? 1 : 2;
    if (!choose_queues(families, VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT, false).found)
        info.why = "it has no queue with graphics and compute";
}

/// The device's UUID, its pipeline format and the driver's version: a cache made by one is no good
/// to another.
std::string identity_of(const VkPhysicalDeviceProperties& plain,
                        const VkPhysicalDeviceIDProperties& id) {
    return to_hex(ByteView(id.deviceUUID)) + to_hex(ByteView(plain.pipelineCacheUUID)) +
           fmt::format("{:08x}", plain.driverVersion);
}

DeviceInfo describe(VkPhysicalDevice device, std::uint32_t index) {
    VkPhysicalDeviceProperties plain{};
    vkGetPhysicalDeviceProperties(device, &plain);
    VkPhysicalDeviceDriverProperties driver{};
    driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
    VkPhysicalDeviceIDProperties id{};
    id.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES;
    id.pNext = plain.apiVersion >= VK_API_VERSION_1_2 ? &driver : nullptr;
    VkPhysicalDeviceMaintenance4Properties sizes{};
    sizes.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES;
    if (plain.apiVersion >= VK_API_VERSION_1_3) driver.pNext = &sizes;
    VkPhysicalDeviceSubgroupProperties subgroup{};
    subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
    subgroup.pNext = &id;
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
    info.max_push_bytes = plain.limits.maxPushConstantsSize;
    info.max_storage_buffers = plain.limits.maxPerStageDescriptorStorageBuffers;
    info.max_groups = plain.limits.maxComputeWorkGroupCount[0];
    info.max_buffer_bytes = sizes.maxBufferSize;
    info.identity = identity_of(plain, id);
    judge(info, device, plain.apiVersion);
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
    if (found.empty()) list.why = "Vulkan: a driver is installed, but it reports no device";
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
