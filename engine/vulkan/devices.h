// The Vulkan devices of this machine, what they can do, and why one cannot be used.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <vector>
#include <vulkan/vulkan.h>

namespace blockloom::vulkan {

/// In order of preference.
enum class DeviceType : std::uint8_t { discrete, integrated, virtual_gpu, cpu, other };

/// "discrete GPU", "CPU", …
[[nodiscard]] const char* name_of(DeviceType type) noexcept;

struct MemoryHeap {
    std::uint64_t bytes = 0;
    bool device_local = false;
};

struct DeviceInfo {
    std::uint32_t index = 0; ///< the driver's enumeration order; BLOCKLOOM_DEVICE refers to it
    std::string name;
    DeviceType type = DeviceType::other;
    std::string api_version; ///< "1.3.230"
    std::string driver;      ///< "llvmpipe (LLVM 15.0.6), Mesa 22.3.6"
    std::vector<MemoryHeap> heaps;
    std::uint32_t max_image_size = 0;            ///< pixels along one side
    std::uint64_t max_storage_buffer_bytes = 0;  ///< one binding
    std::uint32_t max_workgroup_invocations = 0; ///< compute
    std::uint32_t max_shared_bytes = 0;          ///< compute, one workgroup
    std::uint32_t subgroup_size = 0;
    std::uint32_t max_push_bytes = 0;
    std::uint32_t max_storage_buffers = 0; ///< of one compute shader
    std::uint32_t max_groups = 0;          ///< of one dispatch, along x
    std::uint32_t compute_queues = 0;      ///< 2: copies have a separate queue
    std::uint64_t max_buffer_bytes = 0;    ///< 0: not reported by the driver
    std::string identity;       ///< device UUID and driver in hexadecimal: the key of caches
    std::string why;            ///< why it cannot draw; empty: it can
    std::string why_no_compute; ///< why it cannot compute; empty: it can

    [[nodiscard]] bool usable() const noexcept { return why.empty(); }
};

struct DeviceList {
    std::vector<DeviceInfo> devices;
    std::string why;      ///< why there are none at all; empty if there are some
    int chosen = -1;      ///< index in `devices` of the chosen one; -1: none
    std::string why_none; ///< why none is chosen although there are some
};

/// Never fails and never throws: without a loader, driver or device the list is empty and states
/// the reason.
[[nodiscard]] DeviceList list_devices();

/// The devices of an instance, described; `chosen` set as list_devices() does:
/// BLOCKLOOM_DEVICE=index, else the first of the best type.
[[nodiscard]] DeviceList describe_devices(VkInstance instance,
                                          std::vector<VkPhysicalDevice>* handles = nullptr);

/// Chooses by the rules above from plain data; `asked` is the value of BLOCKLOOM_DEVICE, or null.
void choose_device(DeviceList& list, const char* asked);

} // namespace blockloom::vulkan
