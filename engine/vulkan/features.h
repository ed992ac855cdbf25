// What a device offers to shaders and to the host beyond drawing, and the structure chain that
// enables it.
#pragma once

#include <memory>
#include <vector>
#include <vulkan/vulkan.h>

namespace blockloom::vulkan {

/// All supported ones are enabled on a device created for compute.
struct DeviceFeatures {
    bool int64 = false, int16 = false, int8 = false;
    bool storage_16bit = false, storage_8bit = false;
    bool int64_atomics = false; ///< in buffers and in shared memory
    bool buffer_address = false;
    bool memory_model = false; ///< with device scope
    bool scalar_layout = false;
    bool subgroup_extended_types = false;
    bool subgroup_uniform_control_flow = false;
    bool maximal_reconvergence = false;
    bool shader_device_clock = false;               ///< a clock shared by all of its shaders
    VkSubgroupFeatureFlags subgroup_operations = 0; ///< in compute shaders
    bool calibrated_timestamps = false;
    bool memory_budget = false;
};

/// Queries a device and holds the structures that vkCreateDevice reads. Not copyable: they point to
/// one another.
class FeatureChain {
public:
    /// With `validating`, extensions newer than the layer are left out because it would not know
    /// them.
    FeatureChain(VkPhysicalDevice device, bool validating);
    FeatureChain(const FeatureChain&) = delete;
    FeatureChain& operator=(const FeatureChain&) = delete;

    [[nodiscard]] const DeviceFeatures& found() const noexcept { return found_; }
    /// For VkDeviceCreateInfo::pNext and ppEnabledExtensionNames; valid while this lives.
    [[nodiscard]] const void* chain() const noexcept { return &features_; }
    [[nodiscard]] const std::vector<const char*>& extensions() const noexcept {
        return extensions_;
    }

private:
    /// VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR, which Debian's headers lack.
    struct MaximalReconvergence {
        VkStructureType type;
        void* next;
        VkBool32 supported;
    };

    DeviceFeatures found_;
    std::vector<const char*> extensions_;
    VkPhysicalDeviceFeatures2 features_{};
    VkPhysicalDeviceVulkan11Features core11_{};
    VkPhysicalDeviceVulkan12Features core12_{};
    VkPhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR uniform_{};
    MaximalReconvergence reconvergence_{};
    VkPhysicalDeviceShaderClockFeaturesKHR clock_{};
};

} // namespace blockloom::vulkan
