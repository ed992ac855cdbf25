#include "compute/vulkan/vulkan_provider.h"

#include "base/progress.h"
#include "compute/vulkan/command_list.h"
#include "compute/vulkan/compiled_kernels.h"
#include "vulkan/features.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <utility>

namespace blockloom::compute {
namespace {

// How often a wait checks for a stop request.
constexpr Nanoseconds stop_grain = 2'000'000;

class VulkanProvider final : public Provider {
public:
    explicit VulkanProvider(std::shared_ptr<VulkanCore> core) : core_(std::move(core)) {}
    ~VulkanProvider() override;

    const Description& description() const noexcept override { return core_->description; }
    MemoryUse memory() const override;
    Result<BufferPtr> allocate(std::uint64_t bytes, BufferUse use) override;
    Result<KernelPtr> kernel(const KernelSource& source) override;
    Result<CommandListPtr> commands(Lane lane) override;
    Result<Ticket> submit(const CommandListPtr& list, std::span<const Ticket> after) override;
    Status wait(Ticket ticket, Nanoseconds timeout, const std::stop_token& stop) override;
    bool done(Ticket ticket) override;
    std::optional<std::uint64_t> validation_messages() const noexcept override {
        const vulkan::Instance& instance = core_->device->instance();
        return instance.validating() ? std::optional(instance.messages()) : std::nullopt;
    }

private:
    using Flying = std::deque<std::pair<std::uint64_t, CommandListPtr>>;

    Status start(VulkanCommandList& list, std::span<const Ticket> after, std::uint64_t value);
    void drop_landed(Lane lane);

    std::shared_ptr<VulkanCore> core_;
    CompiledKernels kernels_;
    std::array<Flying, 2> flying_; ///< kept alive until done; under the lane's lock
};

VulkanProvider::~VulkanProvider() {
    // There is no wait for a lost device: the driver has abandoned its work.
    if (!core_->lost) vkDeviceWaitIdle(core_->device->get());
    core_->pipelines->save();
}

MemoryUse VulkanProvider::memory() const {
    const vulkan::PoolUse used = core_->pool->use();
    return {used.in_use, used.peak, used.reserved, core_->device->memory_budget().budget};
}

Result<BufferPtr> VulkanProvider::allocate(std::uint64_t bytes, BufferUse use) {
    if (Status alive = core_->alive(); !alive.ok()) return alive.error();
    return VulkanBuffer::create(core_, bytes, use);
}

Result<KernelPtr> VulkanProvider::kernel(const KernelSource& source) {
    if (Status alive = core_->alive(); !alive.ok()) return alive.error();
    return kernels_.get(core_, source);
}

Result<CommandListPtr> VulkanProvider::commands(Lane lane) {
    if (Status alive = core_->alive(); !alive.ok()) return alive.error();
    auto made = VulkanCommandList::create(core_, one_of_two(lane));
    if (!made.ok()) return made.error();
    return CommandListPtr(std::move(*made));
}

Result<Ticket> VulkanProvider::submit(const CommandListPtr& list, std::span<const Ticket> after) {
    if (Status alive = core_->alive(); !alive.ok()) return alive.error();
    auto* mine = dynamic_cast<VulkanCommandList*>(list.get());
    if (mine == nullptr || mine->core() != core_.get())
        return Error{misused, "submit: not a command list of this provider"};
    if (Status finished = mine->finish(); !finished.ok()) return finished.error();
    const Lane which = mine->lane();
    VulkanLane& lane = core_->lane(which);
    const std::lock_guard lock(lane.submitting);
    if (!mine->idle()) return Error{misused, "submit: the command list is still running"};
    const std::uint64_t value = lane.submitted + 1;
    if (Status started = start(*mine, after, value); !started.ok()) return started.error();
    lane.submitted = value;
    mine->submitted(value);
    drop_landed(which);
    flying_[static_cast<std::size_t>(which)].emplace_back(value, list);
    return Ticket{which, value};
}

Status VulkanProvider::start(VulkanCommandList& list, std::span<const Ticket> after,
                             std::uint64_t value) {
    // One value of each lane is enough: the latest. Its own lane is in order anyway.
    const Lane other = list.lane() == Lane::work ? Lane::transfer : Lane::work;
    std::uint64_t awaited = 0;
    for (const Ticket& ticket : after) {
        if (ticket.value > core_->lane(ticket.lane).submitted)
            return Error{misused, "submit: after a ticket that was never issued"};
        if (ticket.lane == other) awaited = std::max(awaited, ticket.value);
    }
    list.prepare();
    VulkanLane& lane = core_->lane(list.lane());
    VkTimelineSemaphoreSubmitInfo timeline{};
    timeline.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
    timeline.waitSemaphoreValueCount = awaited == 0 ? 0 : 1;
    timeline.pWaitSemaphoreValues = &awaited;
    timeline.signalSemaphoreValueCount = 1;
    timeline.pSignalSemaphoreValues = &value;
    constexpr VkPipelineStageFlags everything = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkCommandBuffer buffer = list.get();
    VkSubmitInfo work{};
    work.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    work.pNext = &timeline;
    work.waitSemaphoreCount = timeline.waitSemaphoreValueCount;
    work.pWaitSemaphores = core_->lane(other).timeline.address();
    work.pWaitDstStageMask = &everything;
    work.commandBufferCount = 1;
    work.pCommandBuffers = &buffer;
    work.signalSemaphoreCount = 1;
    work.pSignalSemaphores = lane.timeline.address();
    const VkResult result = lane.transfer_queue
                                ? core_->device->submit_transfer(work, VK_NULL_HANDLE)
                                : core_->device->submit(work, VK_NULL_HANDLE);
    if (result != VK_SUCCESS) return core_->failure("vkQueueSubmit", result);
    return {};
}

void VulkanProvider::drop_landed(Lane lane) {
    Flying& flying = flying_[static_cast<std::size_t>(lane)];
    while (!flying.empty() && core_->done({lane, flying.front().first})) flying.pop_front();
}

Status VulkanProvider::wait(Ticket ticket, Nanoseconds timeout, const std::stop_token& stop) {
    if (ticket.value == 0) return {};
    if (Status alive = core_->alive(); !alive.ok()) return alive;
    VulkanLane& lane = core_->lane(ticket.lane);
    if (ticket.value > lane.submitted)
        return Error{misused, "wait: for a ticket that was never issued"};
    VkSemaphoreWaitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
    info.semaphoreCount = 1;
    info.pSemaphores = lane.timeline.address();
    info.pValues = &ticket.value;
    if (core_->time_limit != 0) timeout = std::min(timeout, core_->time_limit);
    const Nanoseconds start = now_ns();
    const Nanoseconds grain = stop.stop_possible() ? stop_grain : timeout;
    for (;;) {
        const Nanoseconds left = timeout - (now_ns() - start);
        const auto slice = static_cast<std::uint64_t>(std::clamp(left, Nanoseconds{0}, grain));
        const VkResult result = vkWaitSemaphores(core_->device->get(), &info, slice);
        if (result == VK_SUCCESS) break;
        if (result != VK_TIMEOUT) return core_->failure("vkWaitSemaphores", result);
        if (stop.stop_requested()) return cancelled_error();
        if (left <= 0)
            return Error{timed_out, fmt::format("{}: a submission did not finish within {} ms",
                                                core_->description.name, timeout / 1'000'000)};
    }
    const std::lock_guard lock(lane.submitting);
    drop_landed(ticket.lane);
    return {};
}

bool VulkanProvider::done(Ticket ticket) {
    return core_->done(ticket);
}

} // namespace

VulkanDevices list_vulkan_devices() {
    VulkanDevices found;
    const auto instance = vulkan::Instance::create(false);
    if (!instance.ok()) {
        found.why = instance.error().message;
        return found;
    }
    std::vector<VkPhysicalDevice> handles;
    const vulkan::DeviceList list = vulkan::describe_devices((*instance)->get(), &handles);
    found.why = list.why;
    for (const vulkan::DeviceInfo& info : list.devices) {
        VkPhysicalDeviceMemoryProperties memory{};
        vkGetPhysicalDeviceMemoryProperties(handles[info.index], &memory);
        vulkan::DeviceFeatures features;
        // An older device does not support these queries.
        if (info.why_no_compute.empty())
            features = vulkan::FeatureChain(handles[info.index], false).found();
        found.devices.push_back(describe(info, features, memory));
    }
    return found;
}

Result<ProviderPtr> open_vulkan(std::uint32_t index, const ProviderOptions& options) {
    auto instance = vulkan::Instance::create(options.validation);
    if (!instance.ok()) return instance.error();
    auto device = vulkan::Device::create(std::move(*instance), {.index = index, .compute = true});
    if (!device.ok()) return device.error();
    auto core = VulkanCore::create(std::move(*device), options);
    if (!core.ok()) return core.error();
    return ProviderPtr(std::make_shared<VulkanProvider>(std::move(*core)));
}

} // namespace blockloom::compute
