#include "compute/vulkan/core.h"

#include "vulkan/status_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::compute {
namespace {

DeviceKind kind_of(vulkan::DeviceType type) {
    switch (type) {
    case vulkan::DeviceType::discrete:
        return DeviceKind::gpu;
    case vulkan::DeviceType::integrated:
        return DeviceKind::shared_gpu;
    case vulkan::DeviceType::virtual_gpu:
        return DeviceKind::virtual_gpu;
    case vulkan::DeviceType::cpu:
        return DeviceKind::software;
    case vulkan::DeviceType::other:
        break;
    }
    return DeviceKind::other;
}

Limits limits_of(const vulkan::DeviceInfo& info, std::uint64_t memory) {
    Limits limits;
    limits.max_buffer_bytes =
        info.max_buffer_bytes == 0 ? memory : std::min(memory, info.max_buffer_bytes);
    limits.max_binding_bytes = info.max_storage_buffer_bytes;
    limits.max_bindings = info.max_storage_buffers;
    limits.max_push_bytes = info.max_push_bytes;
    limits.max_workgroup_invocations = info.max_workgroup_invocations;
    limits.max_groups = info.max_groups;
    limits.max_shared_bytes = info.max_shared_bytes;
    limits.subgroup_size = info.subgroup_size;
    limits.queues = info.compute_queues;
    return limits;
}

Result<vulkan::Semaphore> make_timeline(VkDevice device) {
    VkSemaphoreTypeCreateInfo type{};
    type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    VkSemaphoreCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
    info.pNext = &type;
    VkSemaphore semaphore = VK_NULL_HANDLE;
    const VkResult result = vkCreateSemaphore(device, &info, nullptr, &semaphore);
    if (result != VK_SUCCESS) return vulkan::vulkan_error("vkCreateSemaphore", result);
    return vulkan::Semaphore(device, semaphore);
}

} // namespace

Description describe(const vulkan::DeviceInfo& info, const vulkan::DeviceFeatures& features,
                     const VkPhysicalDeviceMemoryProperties& memory) {
    Description made;
    made.backend = "vulkan";
    made.index = info.index;
    made.name = info.name;
    made.kind = kind_of(info.type);
    made.driver = info.driver;
    made.api = "Vulkan " + info.api_version;
    made.identity = info.identity;
    for (const vulkan::MemoryHeap& heap : info.heaps)
        if (heap.device_local) made.memory_bytes += heap.bytes;
    made.limits = limits_of(info, made.memory_bytes);
    made.why = info.why_no_compute;

    Features& to = made.features;
    to.int64 = features.int64;
    to.int16 = features.int16;
    to.int8 = features.int8;
    to.storage_16bit = features.storage_16bit;
    to.storage_8bit = features.storage_8bit;
    to.int64_atomics = features.int64_atomics;
    to.buffer_address = features.buffer_address;
    to.memory_model = features.memory_model;
    to.scalar_layout = features.scalar_layout;
    const auto subgroup = [&](VkSubgroupFeatureFlags flag) {
        return (features.subgroup_operations & flag) != 0;
    };
    to.subgroup_basic = subgroup(VK_SUBGROUP_FEATURE_BASIC_BIT);
    to.subgroup_vote = subgroup(VK_SUBGROUP_FEATURE_VOTE_BIT);
    to.subgroup_arithmetic = subgroup(VK_SUBGROUP_FEATURE_ARITHMETIC_BIT);
    to.subgroup_ballot = subgroup(VK_SUBGROUP_FEATURE_BALLOT_BIT);
    to.subgroup_shuffle = subgroup(VK_SUBGROUP_FEATURE_SHUFFLE_BIT);
    to.subgroup_extended_types = features.subgroup_extended_types;
    to.subgroup_uniform_control_flow = features.subgroup_uniform_control_flow;
    to.maximal_reconvergence = features.maximal_reconvergence;
    to.shader_device_clock = features.shader_device_clock;
    to.memory_budget = features.memory_budget;
    constexpr VkMemoryPropertyFlags direct = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT |
                                             VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                             VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i)
        if ((memory.memoryTypes[i].propertyFlags & direct) == direct)
            to.host_visible_device_memory = true;
    return made;
}

Result<std::shared_ptr<VulkanCore>> VulkanCore::create(std::shared_ptr<vulkan::Device> device,
                                                       const ProviderOptions& options) {
    auto made = std::make_shared<VulkanCore>();
    made->device = std::move(device);
    const vulkan::Device& on = *made->device;
    made->description = describe(on.info(), on.features(), on.memory_properties());
    made->pool = std::make_shared<vulkan::MemoryPool>(made->device, options.memory_limit);
    made->pipelines.emplace(on, options.cache_folder);
    made->time_limit = options.time_limit;
    made->clock.emplace(made->device, true);
    made->description.clock = made->clock->source();
    for (VulkanLane& lane : made->lanes) {
        auto timeline = make_timeline(on.get());
        if (!timeline.ok()) return timeline.error();
        lane.timeline = std::move(*timeline);
    }
    made->lanes[0].family = on.family();
    made->lanes[0].timestamp_bits = on.timestamp_bits();
    made->lanes[1].family = on.transfer_family();
    made->lanes[1].timestamp_bits = on.transfer_timestamp_bits();
    made->lanes[1].transfer_queue = on.has_transfer_queue();
    return made;
}

bool VulkanCore::done(Ticket ticket) {
    if (ticket.value == 0) return true;
    if (lost) return false;
    std::uint64_t reached = 0;
    const VkResult result =
        vkGetSemaphoreCounterValue(device->get(), lane(ticket.lane).timeline.get(), &reached);
    if (result != VK_SUCCESS) {
        if (result == VK_ERROR_DEVICE_LOST) lost = true;
        return false;
    }
    return reached >= ticket.value;
}

Error VulkanCore::failure(const std::string& what, VkResult result) {
    ErrorCode code = ErrorCode::unavailable;
    if (result == VK_ERROR_DEVICE_LOST) {
        lost = true;
        code = device_lost;
    } else if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY) {
        code = out_of_memory;
    } else if (result == VK_TIMEOUT) {
        code = timed_out;
    }
    return {code, fmt::format("{}: {}: {}", description.name, what, vulkan::result_name(result))};
}

Status VulkanCore::alive() const {
    if (!lost) return {};
    return Error{device_lost, fmt::format("{}: the device was lost", description.name)};
}

} // namespace blockloom::compute
