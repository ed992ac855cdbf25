// What a provider costs over bare Vulkan in the same process, dispatch against dispatch in turns,
// and how fast bytes go there and back. The device: BLOCKLOOM_DEVICE, else the best one.
#include "compute/cpu/cpu_provider.h"
#include "compute/selection.h"
#include "compute_turns.h"
#include "vulkan/commands.h"
#include "vulkan/memory.h"

#include <benchmark/benchmark.h>

#include <array>
#include <cstring>
#include <fmt/format.h>
#include <shaders/compute_probe.comp.h>

namespace {

using namespace blockloom;
using namespace blockloom::compute;

constexpr Nanoseconds long_time = 60'000'000'000;

struct Push {
    std::uint32_t seed = 1, rounds = 1;
};

using blockloom::must;

void must(VkResult result) {
    if (result != VK_SUCCESS) give_up(fmt::format("VkResult {}", static_cast<int>(result)));
}

/// Opened once; null where there is no Vulkan device.
const ProviderPtr& device_provider() {
    static const ProviderPtr open = []() -> ProviderPtr {
        auto settings = must(read_settings());
        settings.backend.choose("vulkan", "bench");
        auto opened = open_provider(settings);
        if (!opened.ok()) return nullptr;
        fmt::print(stderr, "device: {}\n", opened->provider->description().name);
        return std::move(opened->provider);
    }();
    return open;
}

/// The least that Vulkan asks for: one command buffer, one set made ahead, a timeline.
class Bare {
public:
    explicit Bare(std::uint32_t index) {
        device_ = must(vulkan::Device::create(must(vulkan::Instance::create(false)),
                                              {.index = index, .compute = true}));
        buffer_ = must(vulkan::Buffer::create(*device_, 4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                              vulkan::MemoryUse::device));
        make_pipeline();
        make_set();
        make_commands();
    }
    ~Bare() {
        const VkDevice d = device_->get();
        vkDeviceWaitIdle(d);
        vkDestroySemaphore(d, timeline_, nullptr);
        vkDestroyCommandPool(d, commands_, nullptr);
        vkDestroyDescriptorPool(d, sets_, nullptr);
        vkDestroyPipeline(d, pipeline_, nullptr);
        vkDestroyPipelineLayout(d, layout_, nullptr);
        vkDestroyDescriptorSetLayout(d, set_layout_, nullptr);
    }
    Bare(const Bare&) = delete;
    Bare& operator=(const Bare&) = delete;

    void record(int dispatches) {
        must(vkResetCommandPool(device_->get(), commands_, 0));
        VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, 0,
                                       nullptr};
        must(vkBeginCommandBuffer(list_, &begin));
        constexpr auto all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
        constexpr auto any = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
        vkCmdBindPipeline(list_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
        vkCmdBindDescriptorSets(list_, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set_, 0,
                                nullptr);
        const Push push;
        for (int i = 0; i < dispatches; ++i) {
            vulkan::memory_barrier(list_, all, VK_ACCESS_MEMORY_WRITE_BIT, all, any);
            vkCmdPushConstants(list_, layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
            vkCmdDispatch(list_, 1, 1, 1);
        }
        vulkan::memory_barrier(list_, all, VK_ACCESS_MEMORY_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                               VK_ACCESS_HOST_READ_BIT);
        must(vkEndCommandBuffer(list_));
    }

    void submit_and_wait() {
        ++value_;
        VkTimelineSemaphoreSubmitInfo timeline{};
        timeline.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
        timeline.signalSemaphoreValueCount = 1;
        timeline.pSignalSemaphoreValues = &value_;
        VkSubmitInfo work{};
        work.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
        work.pNext = &timeline;
        work.commandBufferCount = 1;
        work.pCommandBuffers = &list_;
        work.signalSemaphoreCount = 1;
        work.pSignalSemaphores = &timeline_;
        must(vkQueueSubmit(device_->queue(), 1, &work, VK_NULL_HANDLE));
        VkSemaphoreWaitInfo wait{};
        wait.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
        wait.semaphoreCount = 1;
        wait.pSemaphores = &timeline_;
        wait.pValues = &value_;
        must(vkWaitSemaphores(device_->get(), &wait, UINT64_MAX));
    }

private:
    void make_pipeline() {
        const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                   VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
        const VkDescriptorSetLayoutCreateInfo sets{
            VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr, 0, 1, &binding};
        must(vkCreateDescriptorSetLayout(device_->get(), &sets, nullptr, &set_layout_));
        const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(Push)};
        const VkPipelineLayoutCreateInfo layout{
            VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, nullptr, 0, 1, &set_layout_, 1, &push};
        must(vkCreatePipelineLayout(device_->get(), &layout, nullptr, &layout_));
        const VkShaderModuleCreateInfo code{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0,
                                            sizeof compute_probe_comp_spv, compute_probe_comp_spv};
        VkShaderModule module = VK_NULL_HANDLE;
        must(vkCreateShaderModule(device_->get(), &code, nullptr, &module));
        VkComputePipelineCreateInfo pipeline{};
        pipeline.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
        pipeline.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
        pipeline.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
        pipeline.stage.module = module;
        pipeline.stage.pName = "main";
        pipeline.layout = layout_;
        must(vkCreateComputePipelines(device_->get(), VK_NULL_HANDLE, 1, &pipeline, nullptr,
                                      &pipeline_));
        vkDestroyShaderModule(device_->get(), module, nullptr);
    }

    void make_set() {
        const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
        const VkDescriptorPoolCreateInfo pool{
            VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, 1, 1, &size};
        must(vkCreateDescriptorPool(device_->get(), &pool, nullptr, &sets_));
        const VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                               nullptr, sets_, 1, &set_layout_};
        must(vkAllocateDescriptorSets(device_->get(), &info, &set_));
        const VkDescriptorBufferInfo where{buffer_.get(), 0, VK_WHOLE_SIZE};
        VkWriteDescriptorSet write{};
        write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
        write.dstSet = set_;
        write.descriptorCount = 1;
        write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        write.pBufferInfo = &where;
        vkUpdateDescriptorSets(device_->get(), 1, &write, 0, nullptr);
    }

    void make_commands() {
        const VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr, 0,
                                           device_->family()};
        must(vkCreateCommandPool(device_->get(), &pool, nullptr, &commands_));
        const VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                               nullptr, commands_, VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                               1};
        must(vkAllocateCommandBuffers(device_->get(), &info, &list_));
        VkSemaphoreTypeCreateInfo type{};
        type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
        type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
        const VkSemaphoreCreateInfo semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type, 0};
        must(vkCreateSemaphore(device_->get(), &semaphore, nullptr, &timeline_));
    }

    std::shared_ptr<vulkan::Device> device_;
    vulkan::Buffer buffer_;
    VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkPipeline pipeline_ = VK_NULL_HANDLE;
    VkDescriptorPool sets_ = VK_NULL_HANDLE;
    VkDescriptorSet set_ = VK_NULL_HANDLE;
    VkCommandPool commands_ = VK_NULL_HANDLE;
    VkCommandBuffer list_ = VK_NULL_HANDLE;
    VkSemaphore timeline_ = VK_NULL_HANDLE;
    std::uint64_t value_ = 0;
};

/// range(0): dispatches in a list; range(1): 1 records it each time, 0 submits it again.
void dispatch_over_bare(benchmark::State& state) {
    const ProviderPtr& on = device_provider();
    if (!on) return state.SkipWithError("no Vulkan device");
    const auto dispatches = static_cast<int>(state.range(0));
    const bool record_each_time = state.range(1) == 1;
    Bare bare(on->description().index);
    const auto kernel = must(on->kernel({.name = "probe",
                                         .spirv = compute_probe_comp_spv,
                                         .host = {},
                                         .buffers = 1,
                                         .push_bytes = sizeof(Push),
                                         .constants = {}}));
    const auto buffer = must(on->allocate(4096, BufferUse::device));
    const auto list = must(on->commands());
    const std::array bindings{Binding{buffer}};
    const Push push;
    const auto record = [&] {
        must(list->clear());
        for (int i = 0; i < dispatches; ++i) {
            if (i > 0) list->barrier(); // a list starts with one
            list->dispatch(kernel, bindings, std::as_bytes(std::span(&push, 1)), {});
        }
    };
    const auto with_provider = [&] {
        if (record_each_time) record();
        must(on->wait(must(on->submit(list)), long_time));
    };
    const auto with_bare = [&] {
        if (record_each_time) bare.record(dispatches);
        bare.submit_and_wait();
    };
    record();
    bare.record(dispatches);
    const double over = compare_in_turns(state, with_bare, with_provider);
    state.counters["per_dispatch_us"] = over / dispatches;
}
BENCHMARK(dispatch_over_bare)
    ->ArgNames({"dispatches", "record"})
    ->ArgsProduct({{1, 64}, {0, 1}})
    ->Iterations(2000)
    ->Unit(benchmark::kMicrosecond);

enum class Way { up, down, inside, host_write };

/// range(0): MiB.
void copy(benchmark::State& state, Way way, Lane lane) {
    const ProviderPtr& on = device_provider();
    if (!on) return state.SkipWithError("no Vulkan device");
    const auto bytes = static_cast<std::uint64_t>(state.range(0)) << 20;
    const auto host =
        must(on->allocate(bytes, way == Way::down ? BufferUse::download : BufferUse::upload));
    const auto there = must(on->allocate(bytes, BufferUse::device));
    const auto beside = must(on->allocate(way == Way::inside ? bytes : 4, BufferUse::device));
    const auto list = must(on->commands(lane));
    if (way == Way::up) list->copy(host, 0, there, 0, bytes);
    if (way == Way::down) list->copy(there, 0, host, 0, bytes);
    if (way == Way::inside) list->copy(there, 0, beside, 0, bytes);
    const std::vector<std::byte> source(way == Way::host_write ? bytes : 0, std::byte{1});
    for (auto _ : state) {
        if (way == Way::host_write)
            std::memcpy(host->mapped().data(), source.data(), bytes);
        else
            must(on->wait(must(on->submit(list)), long_time));
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}
BENCHMARK_CAPTURE(copy, up, Way::up, Lane::work)->Arg(1)->Arg(16)->Arg(256)->UseRealTime();
BENCHMARK_CAPTURE(copy, up_transfer_lane, Way::up, Lane::transfer)->Arg(256)->UseRealTime();
BENCHMARK_CAPTURE(copy, down, Way::down, Lane::work)->Arg(1)->Arg(16)->Arg(256)->UseRealTime();
BENCHMARK_CAPTURE(copy, device, Way::inside, Lane::work)->Arg(256)->UseRealTime();
BENCHMARK_CAPTURE(copy, host_write, Way::host_write, Lane::work)->Arg(16)->Arg(256)->UseRealTime();

/// Pieces of pooled memory: what a batch pays for its buffers.
void allocate(benchmark::State& state) {
    const ProviderPtr& on = device_provider();
    if (!on) return state.SkipWithError("no Vulkan device");
    for (auto _ : state)
        benchmark::DoNotOptimize(
            must(on->allocate(static_cast<std::uint64_t>(state.range(0)), BufferUse::device)));
}
BENCHMARK(allocate)->Arg(4096)->Arg(16 << 20)->UseRealTime();

/// What `auto` compares.
void throughput(benchmark::State& state, bool device) {
    const ProviderPtr on = device ? device_provider() : open_processor();
    if (!on) return state.SkipWithError("no Vulkan device");
    Throughput found;
    for (auto _ : state) found = must(measure_throughput(*on));
    state.counters["Gops"] = found.operations_per_second / 1e9;
    state.counters["copy_GBps"] = found.copy_bytes_per_second / 1e9;
    state.counters["reference_ms"] = found.reference_seconds() * 1e3;
}
BENCHMARK_CAPTURE(throughput, processor, false)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(throughput, vulkan, true)->Iterations(1)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
