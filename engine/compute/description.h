// What a device is and can do, as plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace blockloom::compute {

enum class DeviceKind : std::uint8_t {
    processor,   ///< the host's own cores, without any driver
    gpu,         ///< memory of its own
    shared_gpu,  ///< shares the host's memory
    virtual_gpu, ///< a part of one
    software,    ///< a driver that runs on the host's cores (lavapipe)
    other,
};

/// "processor", "discrete GPU", "software", …
[[nodiscard]] const char* name_of(DeviceKind kind) noexcept;

/// How a timestamp of the device becomes a time of the host's steady clock.
enum class ClockSource : std::uint8_t {
    none,       ///< the device has no clock
    host,       ///< it is the host's clock
    calibrated, ///< the driver samples both clocks together (VK_EXT_calibrated_timestamps)
    measured,   ///< offset found by the narrowest of several empty submissions
};

/// "none", "host", …
[[nodiscard]] const char* name_of(ClockSource source) noexcept;

struct Limits {
    std::uint64_t max_buffer_bytes = 0;  ///< one buffer
    std::uint64_t max_binding_bytes = 0; ///< what one binding of a kernel can reach
    std::uint32_t max_bindings = 0;      ///< storage buffers of one kernel
    std::uint32_t max_push_bytes = 0;
    std::uint32_t max_workgroup_invocations = 0;
    std::uint32_t max_groups = 0;       ///< of one dispatch, along x
    std::uint32_t max_shared_bytes = 0; ///< of one workgroup
    std::uint32_t subgroup_size = 0;
    std::uint32_t queues = 0; ///< 2: copies may run beside kernels
    std::uint32_t cores = 0;  ///< threads that run kernels; 0: not told
};

/// What shaders may use. A kernel that needs more is refused by kernel().
struct Features {
    bool int64 = false, int16 = false, int8 = false;
    bool storage_16bit = false, storage_8bit = false;
    bool int64_atomics = false;
    bool buffer_address = false; ///< Buffer::address() is not 0
    bool memory_model = false;
    bool scalar_layout = false;
    bool subgroup_basic = false, subgroup_vote = false, subgroup_arithmetic = false;
    bool subgroup_ballot = false, subgroup_shuffle = false;
    bool subgroup_extended_types = false; ///< subgroup operations on 8, 16 and 64 bits
    bool subgroup_uniform_control_flow = false;
    bool maximal_reconvergence = false;
    bool shader_device_clock = false;        ///< kernels can tell when they ran, on one clock
    bool host_visible_device_memory = false; ///< uploads are written straight into device memory
    bool memory_budget = false;              ///< MemoryUse::budget is the driver's word
};

/// Names of the features that are there and of those that are not, in the order above.
[[nodiscard]] std::vector<std::string> present(const Features& features);
[[nodiscard]] std::vector<std::string> missing(const Features& features);

struct Description {
    std::string backend;     ///< "cpu", "vulkan"
    std::uint32_t index = 0; ///< among the devices of its backend
    std::string name;
    DeviceKind kind = DeviceKind::other;
    std::string driver;   ///< name and version in words; empty: none
    std::string api;      ///< "Vulkan 1.3.230"
    std::string identity; ///< hexadecimal, of this device and driver: what caches are kept under
    std::uint64_t memory_bytes = 0;
    Limits limits;
    Features features;
    ClockSource clock = ClockSource::none;
    std::string why; ///< why it cannot be used; empty: it can

    [[nodiscard]] bool usable() const noexcept { return why.empty(); }
};

/// Bytes of device memory. `budget`: what this process may use in all; `reserved` includes what
/// the pool keeps for reuse.
struct MemoryUse {
    std::uint64_t in_use = 0, peak = 0, reserved = 0, budget = 0;
};

} // namespace blockloom::compute
