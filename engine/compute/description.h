// A device and its capabilities, as plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace blockloom::compute {

enum class DeviceKind : std::uint8_t {
    processor,   ///< the host's own cores, without any driver
    gpu,         ///< has its own memory
    shared_gpu,  ///< shares the host's memory
    virtual_gpu, ///< a part of a GPU
    software,    ///< a driver that runs on the host's cores (lavapipe)
    other,
};

/// "processor", "discrete GPU", "software", …
[[nodiscard]] const char* name_of(DeviceKind kind) noexcept;

/// How a timestamp of the device is converted to the host's steady clock.
enum class ClockSource : std::uint8_t {
    none,       ///< the device has no clock
    host,       ///< it is the host's clock
    calibrated, ///< the driver samples both clocks together (VK_EXT_calibrated_timestamps)
    measured,   ///< the offset was measured with the shortest of several empty submissions
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
    std::uint32_t cores = 0;  ///< threads that run kernels; 0: unknown
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
    bool shader_device_clock = false;        ///< kernels can record when they ran, on one clock
    bool host_visible_device_memory = false; ///< uploads are written straight into device memory
    bool memory_budget = false;              ///< MemoryUse::budget is reported by the driver
};

/// Names of the features that are present and of those that are absent, in the order above.
[[nodiscard]] std::vector<std::string> present(const Features& features);
[[nodiscard]] std::vector<std::string> missing(const Features& features);

struct Description {
    std::string backend;     ///< "cpu", "vulkan"
    std::uint32_t index = 0; ///< index among the devices of its backend
    std::string name;
    DeviceKind kind = DeviceKind::other;
    std::string driver;   ///< name and version in words; empty: none
    std::string api;      ///< "Vulkan 1.3.230"
    std::string identity; ///< hexadecimal id of this device and driver: the key of caches
    std::uint64_t memory_bytes = 0;
    Limits limits;
    Features features;
    ClockSource clock = ClockSource::none;
    std::string why; ///< why it cannot be used; empty: it is usable

    [[nodiscard]] bool usable() const noexcept { return why.empty(); }
};

/// Machine code and notes of how to compile, kept on disk in a folder of one device and driver.
struct KeptKernels {
    std::string folder;
    std::string
        why; ///< why nothing is read from there, such as "another user's"; empty: it is used
    std::uint64_t programs = 0, notes = 0; ///< files
    std::uint64_t bytes = 0;               ///< of both
    std::uint64_t limit = 0;               ///< beyond it those used longest ago are removed
};

/// Bytes of device memory. `budget`: what this process may use in all; `reserved` includes memory
/// that the pool keeps for reuse.
struct MemoryUse {
    std::uint64_t in_use = 0, peak = 0, reserved = 0, budget = 0;
};

} // namespace blockloom::compute
