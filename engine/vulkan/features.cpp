#include "vulkan/features.h"

#include <set>
#include <string>

namespace blockloom::vulkan {
namespace {

constexpr const char* maximal_reconvergence_extension = "VK_KHR_shader_maximal_reconvergence";
constexpr auto maximal_reconvergence_type = static_cast<VkStructureType>(1000434000);

std::set<std::string> offered_extensions(VkPhysicalDevice device) {
    std::uint32_t count = 0;
    if (vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr) != VK_SUCCESS)
        return {};
    std::vector<VkExtensionProperties> offered(count);
    if (vkEnumerateDeviceExtensionProperties(device, nullptr, &count, offered.data()) < 0)
        return {};
    std::set<std::string> names;
    for (const VkExtensionProperties& extension : offered) names.insert(extension.extensionName);
    return names;
}

VkSubgroupFeatureFlags compute_subgroup_operations(VkPhysicalDevice device) {
    VkPhysicalDeviceSubgroupProperties subgroup{};
    subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
    VkPhysicalDeviceProperties2 properties{};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties.pNext = &subgroup;
    vkGetPhysicalDeviceProperties2(device, &properties);
    return (subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0
               ? subgroup.supportedOperations
               : 0;
}

} // namespace

FeatureChain::FeatureChain(VkPhysicalDevice device, bool validating) {
    const std::set<std::string> offered = offered_extensions(device);
    const auto take = [&](const char* name) {
        if (!offered.contains(name)) return false;
        extensions_.push_back(name);
        return true;
    };
    found_.calibrated_timestamps = take(VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
    found_.memory_budget = take(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);

    features_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    core11_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
    core12_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    uniform_.sType =
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_FEATURES_KHR;
    reconvergence_.type = maximal_reconvergence_type;
    features_.pNext = &core11_;
    core11_.pNext = &core12_;
    void** last = &core12_.pNext;
    if (take(VK_KHR_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_EXTENSION_NAME)) {
        *last = &uniform_;
        last = &uniform_.pNext;
    }
    clock_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR;
    if (take(VK_KHR_SHADER_CLOCK_EXTENSION_NAME)) {
        *last = &clock_;
        last = &clock_.pNext;
    }
    if (!validating && take(maximal_reconvergence_extension)) *last = &reconvergence_;
    vkGetPhysicalDeviceFeatures2(device, &features_);

    // Only what is used stays enabled: some features (robust access) cost time.
    const VkPhysicalDeviceFeatures core = features_.features;
    features_.features = {};
    found_.int64 = (features_.features.shaderInt64 = core.shaderInt64) != 0;
    found_.int16 = (features_.features.shaderInt16 = core.shaderInt16) != 0;
    VkPhysicalDeviceVulkan11Features in11{};
    in11.sType = core11_.sType;
    in11.pNext = core11_.pNext;
    in11.storageBuffer16BitAccess = core11_.storageBuffer16BitAccess;
    core11_ = in11;
    VkPhysicalDeviceVulkan12Features in12{};
    in12.sType = core12_.sType;
    in12.pNext = core12_.pNext;
    in12.storageBuffer8BitAccess = core12_.storageBuffer8BitAccess;
    in12.shaderInt8 = core12_.shaderInt8;
    const bool atomics =
        core12_.shaderBufferInt64Atomics != 0 && core12_.shaderSharedInt64Atomics != 0;
    in12.shaderBufferInt64Atomics = in12.shaderSharedInt64Atomics = atomics ? VK_TRUE : VK_FALSE;
    in12.scalarBlockLayout = core12_.scalarBlockLayout;
    in12.shaderSubgroupExtendedTypes = core12_.shaderSubgroupExtendedTypes;
    const bool model = core12_.vulkanMemoryModel != 0 && core12_.vulkanMemoryModelDeviceScope != 0;
    in12.vulkanMemoryModel = in12.vulkanMemoryModelDeviceScope = model ? VK_TRUE : VK_FALSE;
    in12.bufferDeviceAddress = core12_.bufferDeviceAddress;
    in12.hostQueryReset = core12_.hostQueryReset; // every 1.2 device has these two
    in12.timelineSemaphore = core12_.timelineSemaphore;
    core12_ = in12;
    clock_.shaderSubgroupClock = VK_FALSE;

    found_.int8 = in12.shaderInt8 != 0;
    found_.storage_16bit = core11_.storageBuffer16BitAccess != 0;
    found_.storage_8bit = in12.storageBuffer8BitAccess != 0;
    found_.int64_atomics = atomics;
    found_.buffer_address = in12.bufferDeviceAddress != 0;
    found_.memory_model = model;
    found_.scalar_layout = in12.scalarBlockLayout != 0;
    found_.subgroup_extended_types = in12.shaderSubgroupExtendedTypes != 0;
    found_.subgroup_uniform_control_flow = uniform_.shaderSubgroupUniformControlFlow != 0;
    found_.maximal_reconvergence = reconvergence_.supported != 0;
    found_.shader_device_clock = clock_.shaderDeviceClock != 0;
    found_.subgroup_operations = compute_subgroup_operations(device);
}

} // namespace blockloom::vulkan
