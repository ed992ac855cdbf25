#include "kernels.h"

#include <algorithm>
#include <cstring>
#include <shaders/mix.comp.h>
#include <shaders/needs_double.comp.h>
#include <shaders/through_address.comp.h>

namespace blockloom::compute_tests {
namespace {

template <typename T> T pushed(const compute::HostGroup& group) {
    T value;
    std::memcpy(&value, group.push.data(), sizeof value);
    return value;
}

void mix_group(const compute::HostGroup& group) {
    const auto push = pushed<MixPush>(group);
    std::uint32_t rounds = 1, salt = 0; // the shader's defaults
    for (const compute::SpecConstant& constant : group.constants) {
        if (constant.id == 3) rounds = constant.value;
        if (constant.id == 7) salt = constant.value;
    }
    const auto* from = reinterpret_cast<const std::uint32_t*>(group.buffers[0].data());
    auto* to = reinterpret_cast<std::uint32_t*>(group.buffers[1].data());
    const std::uint32_t first = (group.index[1] * group.count[0] + group.index[0]) * 64;
    for (std::uint32_t at = first; at < std::min(first + 64, push.count); ++at)
        to[at] = mixed(from[at], rounds, salt, push.add);
}

void double_one(const compute::HostGroup& group) {
    const auto address = pushed<std::uint64_t>(group);
    *reinterpret_cast<std::uint64_t*>(address + 8 * std::uint64_t{group.index[0]}) *= 2;
}

} // namespace

std::uint32_t mixed(std::uint32_t value, std::uint32_t rounds, std::uint32_t salt,
                    std::uint32_t add) {
    for (std::uint32_t i = 0; i < rounds; ++i) value = value * 1664525U + 1013904223U + add;
    return value ^ salt;
}

compute::KernelSource mix_kernel(std::uint32_t rounds, std::uint32_t salt) {
    return {.name = "mix",
            .spirv = mix_comp_spv,
            .host = mix_group,
            .buffers = 2,
            .push_bytes = sizeof(MixPush),
            .constants = {{7, salt}, {3, rounds}}};
}

compute::KernelSource doubling_kernel() {
    return {.name = "double",
            .spirv = through_address_comp_spv,
            .host = double_one,
            .buffers = 0,
            .push_bytes = 8,
            .constants = {}};
}

compute::KernelSource refused_kernel() {
    return {.name = "doubles",
            .spirv = needs_double_comp_spv,
            .host = {},
            .buffers = 1,
            .push_bytes = 0,
            .constants = {}};
}

} // namespace blockloom::compute_tests
