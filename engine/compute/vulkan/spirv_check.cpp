#include "compute/vulkan/spirv_check.h"

#include "compute/errors.h"

#include <array>
#include <cstring>
#include <fmt/format.h>

namespace blockloom::compute {
namespace {

constexpr std::uint32_t magic = 0x07230203;
constexpr std::uint32_t op_entry_point = 15, op_execution_mode = 16, op_capability = 17;
constexpr std::uint32_t op_function = 54, op_function_end = 56;
constexpr std::uint32_t model_compute = 5, mode_local_size = 17;

struct Need {
    std::uint32_t capability;
    const char* name;
    bool Features::*flag; ///< null: never enabled
};

constexpr std::array needs{
    Need{9, "Float16", nullptr},
    Need{10, "Float64", nullptr},
    Need{11, "Int64", &Features::int64},
    Need{12, "Int64Atomics", &Features::int64_atomics},
    Need{22, "Int16", &Features::int16},
    Need{39, "Int8", &Features::int8},
    Need{61, "GroupNonUniform", &Features::subgroup_basic},
    Need{62, "GroupNonUniformVote", &Features::subgroup_vote},
    Need{63, "GroupNonUniformArithmetic", &Features::subgroup_arithmetic},
    Need{64, "GroupNonUniformBallot", &Features::subgroup_ballot},
    Need{65, "GroupNonUniformShuffle", &Features::subgroup_shuffle},
    Need{4433, "StorageBuffer16BitAccess", &Features::storage_16bit},
    Need{4448, "StorageBuffer8BitAccess", &Features::storage_8bit},
    Need{4449, "UniformAndStorageBuffer8BitAccess", nullptr},
    Need{5055, "ShaderClockKHR", &Features::shader_device_clock},
    Need{5345, "VulkanMemoryModel", &Features::memory_model},
    Need{5346, "VulkanMemoryModelDeviceScope", &Features::memory_model},
    Need{5347, "PhysicalStorageBufferAddresses", &Features::buffer_address},
};

Error refused(const std::string& name, const std::string& why) {
    return {kernel_refused, fmt::format("kernel {}: {}", name, why)};
}

bool is_main(std::span<const std::uint32_t> instruction) {
    // Words: opcode, model, id, name … ("main" and its final zero take two words)
    return instruction.size() >= 5 && instruction[1] == model_compute &&
           std::memcmp(&instruction[3], "main", 5) == 0;
}

} // namespace

Status check_spirv(const std::string& name, std::span<const std::uint32_t> words,
                   const Features& features, const Limits& limits, std::uint32_t newest_version) {
    if (words.size() < 5) return refused(name, fmt::format("{} words of SPIR-V", words.size()));
    if (words[0] != magic)
        return refused(
            name, fmt::format("SPIR-V starts with {:#010x}, expected {:#010x}", words[0], magic));
    if (words[1] > newest_version)
        return refused(name, fmt::format("SPIR-V version {}.{} is too new", words[1] >> 16 & 0xff,
                                         words[1] >> 8 & 0xff));
    std::uint32_t main_id = 0, last_op = 0;
    bool main_defined = false;
    for (std::size_t at = 5; at < words.size();) {
        const std::uint32_t length = words[at] >> 16, op = words[at] & 0xffff;
        if (length == 0 || length > words.size() - at)
            return refused(name,
                           fmt::format("SPIR-V word {}: an instruction of {} words", at, length));
        const auto instruction = words.subspan(at, length);
        last_op = op;
        if (op == op_entry_point && is_main(instruction)) main_id = instruction[2];
        if (op == op_function && length == 5 && instruction[2] == main_id) main_defined = true;
        if (op == op_capability && length == 2)
            for (const Need& need : needs)
                if (need.capability == instruction[1] &&
                    (need.flag == nullptr || !(features.*need.flag)))
                    return refused(name,
                                   fmt::format("it needs {}, which this device lacks", need.name));
        if (op == op_execution_mode && length == 6 && instruction[2] == mode_local_size) {
            const std::uint64_t invocations =
                std::uint64_t{instruction[3]} * instruction[4] * instruction[5];
            if (invocations > limits.max_workgroup_invocations)
                return refused(name, fmt::format("workgroups of {} invocations, at most {}",
                                                 invocations, limits.max_workgroup_invocations));
        }
        at += length;
    }
    if (!main_defined) return refused(name, "no compute entry point \"main\"");
    // A module that was cut off.
    if (last_op != op_function_end) return refused(name, "SPIR-V ends inside a function");
    return {};
}

} // namespace blockloom::compute
