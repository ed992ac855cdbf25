#include "compute/vulkan/objects.h"
#include "compute/vulkan/spirv_check.h"
#include "vulkan/status_text.h"

#include <fmt/format.h>

namespace blockloom::compute {
namespace {

// A pipeline that took this long to compile is worth saving immediately.
constexpr Nanoseconds slow_compile = 100'000'000;

std::uint32_t newest_spirv(const vulkan::Device& device) {
    const std::uint32_t version =
        std::min(device.properties().apiVersion, device.instance().version());
    return version >= VK_API_VERSION_1_3 ? 0x00010600 : 0x00010500;
}

} // namespace

Result<KernelPtr> VulkanKernel::create(std::shared_ptr<VulkanCore> core,
                                       const KernelSource& source) {
    const Limits& limits = core->description.limits;
    const auto refused = [&](const std::string& why) {
        return Error{kernel_refused, fmt::format("kernel {}: {}", source.name, why)};
    };
    if (source.spirv.empty()) return refused("it has no SPIR-V");
    if (source.buffers > limits.max_bindings)
        return refused(fmt::format("{} buffers, at most {}", source.buffers, limits.max_bindings));
    if (source.push_bytes > limits.max_push_bytes || source.push_bytes % 4 != 0)
        return refused(fmt::format("{} push bytes, expected a multiple of 4 up to {}",
                                   source.push_bytes, limits.max_push_bytes));
    if (Status fine = check_spirv(source.name, source.spirv, core->description.features, limits,
                                  newest_spirv(*core->device));
        !fine.ok())
        return fine.error();
    const std::shared_ptr<VulkanKernel> made(new VulkanKernel(std::move(core), source));
    if (Status status = made->make_layout(); !status.ok()) return status.error();
    if (Status status = made->make_pipeline(source); !status.ok()) return status.error();
    return KernelPtr(made);
}

Status VulkanKernel::make_layout() {
    const VkDevice device = core_->device->get();
    if (buffers_ > 0) {
        std::vector<VkDescriptorSetLayoutBinding> bindings(buffers_);
        for (std::uint32_t i = 0; i < buffers_; ++i)
            bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
                           nullptr};
        VkDescriptorSetLayoutCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
        info.bindingCount = buffers_;
        info.pBindings = bindings.data();
        VkDescriptorSetLayout handle = VK_NULL_HANDLE;
        const VkResult result = vkCreateDescriptorSetLayout(device, &info, nullptr, &handle);
        if (result != VK_SUCCESS) return core_->failure("vkCreateDescriptorSetLayout", result);
        set_layout_ = vulkan::DescriptorSetLayout(device, handle);
    }
    const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes_};
    VkPipelineLayoutCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    info.setLayoutCount = buffers_ > 0 ? 1 : 0;
    info.pSetLayouts = set_layout_.address();
    info.pushConstantRangeCount = push_bytes_ > 0 ? 1 : 0;
    info.pPushConstantRanges = &push;
    VkPipelineLayout handle = VK_NULL_HANDLE;
    const VkResult result = vkCreatePipelineLayout(device, &info, nullptr, &handle);
    if (result != VK_SUCCESS) return core_->failure("vkCreatePipelineLayout", result);
    layout_ = vulkan::PipelineLayout(device, handle);
    return {};
}

Status VulkanKernel::make_pipeline(const KernelSource& source) {
    const VkDevice device = core_->device->get();
    VkShaderModuleCreateInfo code{};
    code.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    code.codeSize = source.spirv.size_bytes();
    code.pCode = source.spirv.data();
    VkShaderModule handle = VK_NULL_HANDLE;
    const auto refused = [&](const char* call, VkResult result) {
        const Error error = core_->failure(fmt::format("kernel {}: {}", source.name, call), result);
        const bool typed = error.code == device_lost || error.code == out_of_memory;
        return Error{typed ? error.code : kernel_refused, error.message};
    };
    VkResult result = vkCreateShaderModule(device, &code, nullptr, &handle);
    if (result != VK_SUCCESS) return refused("vkCreateShaderModule", result);
    const vulkan::ShaderModule module(device, handle);

    std::vector<VkSpecializationMapEntry> entries;
    std::vector<std::uint32_t> values;
    for (const SpecConstant& constant : source.constants) {
        entries.push_back({constant.id, static_cast<std::uint32_t>(values.size() * 4), 4});
        values.push_back(constant.value);
    }
    const VkSpecializationInfo special{static_cast<std::uint32_t>(entries.size()), entries.data(),
                                       values.size() * 4, values.data()};
    VkComputePipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = handle;
    info.stage.pName = "main";
    info.stage.pSpecializationInfo = entries.empty() ? nullptr : &special;
    info.layout = layout_.get();
    VkPipeline pipeline = VK_NULL_HANDLE;
    Stopwatch watch;
    result =
        vkCreateComputePipelines(device, core_->pipelines->get(), 1, &info, nullptr, &pipeline);
    if (result != VK_SUCCESS) return refused("vkCreateComputePipelines", result);
    pipeline_ = vulkan::Pipeline(device, pipeline);
    if (watch.lap() > slow_compile) core_->pipelines->save();
    return {};
}

} // namespace blockloom::compute
