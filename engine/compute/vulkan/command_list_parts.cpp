// Descriptor sets and timestamps of a command list.
#include "compute/vulkan/command_list.h"

#include <algorithm>
#include <array>

namespace blockloom::compute {
namespace {

constexpr std::uint32_t sets_of_a_pool = 64;
constexpr std::uint32_t buffers_of_a_pool = 512;
constexpr std::size_t most_kept_sets = 16; ///< from one recording to the next

bool same(std::span<const VkDescriptorBufferInfo> a, std::span<const VkDescriptorBufferInfo> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.buffer == y.buffer && x.offset == y.offset && x.range == y.range;
    });
}

VkResult add_pool(const VulkanCore& core, std::uint32_t buffers,
                  std::vector<vulkan::DescriptorPool>& pools) {
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, buffers};
    VkDescriptorPoolCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    info.maxSets = sets_of_a_pool;
    info.poolSizeCount = 1;
    info.pPoolSizes = &size;
    VkDescriptorPool handle = VK_NULL_HANDLE;
    const VkResult result = vkCreateDescriptorPool(core.device->get(), &info, nullptr, &handle);
    if (result == VK_SUCCESS) pools.emplace_back(core.device->get(), handle);
    return result;
}

} // namespace

void VulkanCommandList::forget_sets() {
    const auto used = [](const Set& set) { return set.used; };
    if (sets_.size() <= most_kept_sets && std::all_of(sets_.begin(), sets_.end(), used)) {
        for (Set& set : sets_) set.used = false;
        return;
    }
    for (const vulkan::DescriptorPool& pool : set_pools_)
        vkResetDescriptorPool(core_->device->get(), pool.get(), 0);
    set_pool_ = 0;
    sets_.clear();
}

VkDescriptorSet VulkanCommandList::set_for(const KernelPtr& kernel,
                                           std::span<const Binding> bindings,
                                           std::span<const VkDescriptorBufferInfo> infos) {
    // Slice after slice binds the same buffers to the same kernel, and so does the next recording.
    const auto found = std::find_if(sets_.rbegin(), sets_.rend(), [&](const Set& set) {
        return set.kernel == kernel && same(set.infos, infos) &&
               std::equal(set.buffers.begin(), set.buffers.end(), bindings.begin(), bindings.end(),
                          [](const std::weak_ptr<Buffer>& had, const Binding& wanted) {
                              return !had.owner_before(wanted.buffer) &&
                                     !wanted.buffer.owner_before(had);
                          });
    });
    if (found != sets_.rend()) {
        found->used = true;
        return found->set;
    }
    const VkDescriptorSet made = make_set(static_cast<const VulkanKernel&>(*kernel), infos);
    if (made == VK_NULL_HANDLE) return made;
    Set& set = sets_.emplace_back();
    set.set = made;
    set.kernel = kernel;
    set.infos.assign(infos.begin(), infos.end());
    for (const Binding& binding : bindings) set.buffers.push_back(binding.buffer);
    set.used = true;
    return made;
}

VkDescriptorSet VulkanCommandList::make_set(const VulkanKernel& kernel,
                                            std::span<const VkDescriptorBufferInfo> infos) {
    const VkDevice device = core_->device->get();
    const auto count = static_cast<std::uint32_t>(infos.size());
    const VkDescriptorSetLayout layout = kernel.set_layout();
    VkDescriptorSet set = VK_NULL_HANDLE;
    VkResult result = VK_ERROR_OUT_OF_POOL_MEMORY;
    for (bool fresh = false; set == VK_NULL_HANDLE;) {
        if (set_pool_ == set_pools_.size()) {
            if (fresh) break;
            fresh = true;
            result = add_pool(*core_, std::max(count, buffers_of_a_pool), set_pools_);
            if (result != VK_SUCCESS) break;
        }
        VkDescriptorSetAllocateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
        info.descriptorPool = set_pools_[set_pool_].get();
        info.descriptorSetCount = 1;
        info.pSetLayouts = &layout;
        result = vkAllocateDescriptorSets(device, &info, &set);
        if (result != VK_SUCCESS) {
            set = VK_NULL_HANDLE;
            ++set_pool_; // full
        }
    }
    if (set == VK_NULL_HANDLE) {
        if (!wrong_) wrong_ = core_->failure("vkAllocateDescriptorSets", result);
        return set;
    }
    std::vector<VkWriteDescriptorSet> writes(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
        writes[i].dstSet = set;
        writes[i].dstBinding = i;
        writes[i].descriptorCount = 1;
        writes[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        writes[i].pBufferInfo = &infos[i];
    }
    vkUpdateDescriptorSets(device, count, writes.data(), 0, nullptr);
    return set;
}

void VulkanCommandList::timestamp(std::string label) {
    if (!recording() || core_->clock->source() == ClockSource::none ||
        core_->lane(lane_).timestamp_bits == 0)
        return;
    const auto at = static_cast<std::uint32_t>(labels_.size());
    if (at / query_group == queries_.size()) {
        VkQueryPoolCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
        info.queryType = VK_QUERY_TYPE_TIMESTAMP;
        info.queryCount = query_group;
        VkQueryPool handle = VK_NULL_HANDLE;
        const VkResult result = vkCreateQueryPool(core_->device->get(), &info, nullptr, &handle);
        if (result != VK_SUCCESS) {
            if (!wrong_) wrong_ = core_->failure("vkCreateQueryPool", result);
            return;
        }
        queries_.emplace_back(core_->device->get(), handle);
    }
    vkCmdWriteTimestamp(buffer_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                        queries_[at / query_group].get(), at % query_group);
    labels_.push_back(std::move(label));
}

void VulkanCommandList::prepare() {
    // From the host: a queue for copies cannot reset queries.
    for (std::size_t first = 0; first < labels_.size(); first += query_group)
        vkResetQueryPool(core_->device->get(), queries_[first / query_group].get(), 0, query_group);
}

Result<std::vector<Timestamp>> VulkanCommandList::timestamps() const {
    if (last_value_ == 0 || !idle()) {
        if (Status alive = core_->alive(); !alive.ok()) return alive.error();
        return Error{misused, "command list: timestamps requested before the submission is done"};
    }
    core_->clock->follow();
    std::vector<Timestamp> taken;
    taken.reserve(labels_.size());
    std::array<std::uint64_t, query_group> ticks{};
    for (std::uint32_t i = 0; i < labels_.size(); ++i) {
        if (i % query_group == 0) {
            const auto count =
                std::min(query_group, static_cast<std::uint32_t>(labels_.size()) - i);
            const VkResult result = vkGetQueryPoolResults(
                core_->device->get(), queries_[i / query_group].get(), 0, count,
                count * sizeof ticks[0], ticks.data(), sizeof ticks[0], VK_QUERY_RESULT_64_BIT);
            if (result != VK_SUCCESS) return core_->failure("vkGetQueryPoolResults", result);
        }
        taken.push_back({labels_[i], core_->clock->to_host(ticks[i % query_group],
                                                           core_->lane(lane_).timestamp_bits)});
    }
    return taken;
}

} // namespace blockloom::compute
