// Buffers and kernels of a Vulkan device.
#pragma once

#include "compute/vulkan/core.h"

namespace blockloom::compute {

class VulkanBuffer final : public Buffer {
public:
    [[nodiscard]] static Result<BufferPtr> create(std::shared_ptr<VulkanCore> core,
                                                  std::uint64_t bytes, BufferUse use);

    [[nodiscard]] VkBuffer get() const noexcept { return buffer_.get(); }

private:
    VulkanBuffer(std::shared_ptr<VulkanCore> core, std::uint64_t bytes, BufferUse use)
        : Buffer(core.get(), bytes, use), core_(std::move(core)) {}

    std::shared_ptr<VulkanCore> core_;
    vulkan::MemoryPool::Piece memory_;
    vulkan::BufferHandle buffer_; // destroyed before its memory
};

class VulkanKernel final : public Kernel {
public:
    [[nodiscard]] static Result<KernelPtr> create(std::shared_ptr<VulkanCore> core,
                                                  const KernelSource& source);

    [[nodiscard]] VkPipeline pipeline() const noexcept { return pipeline_.get(); }
    [[nodiscard]] VkPipelineLayout layout() const noexcept { return layout_.get(); }
    /// Null for a kernel without buffers.
    [[nodiscard]] VkDescriptorSetLayout set_layout() const noexcept { return set_layout_.get(); }

private:
    VulkanKernel(std::shared_ptr<VulkanCore> core, const KernelSource& source)
        : Kernel(core.get(), source), core_(std::move(core)) {}
    Status make_layout();
    Status make_pipeline(const KernelSource& source);

    std::shared_ptr<VulkanCore> core_;
    vulkan::DescriptorSetLayout set_layout_;
    vulkan::PipelineLayout layout_;
    vulkan::Pipeline pipeline_;
};

} // namespace blockloom::compute
