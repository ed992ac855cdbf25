// A Vulkan command buffer as a CommandList.
#pragma once

#include "compute/vulkan/objects.h"

#include <optional>

namespace blockloom::compute {

class VulkanCommandList final : public CommandList {
public:
    [[nodiscard]] static Result<std::shared_ptr<VulkanCommandList>>
    create(std::shared_ptr<VulkanCore> core, Lane lane);

    Status clear() override;
    void copy(const BufferPtr& from, std::uint64_t from_offset, const BufferPtr& to,
              std::uint64_t to_offset, std::uint64_t bytes) override;
    void fill(const BufferPtr& to, std::uint64_t offset, std::uint64_t bytes,
              std::uint32_t word) override;
    void dispatch(const KernelPtr& kernel, std::span<const Binding> bindings,
                  std::span<const std::byte> push, Groups groups) override;
    void barrier() override;
    void timestamp(std::string label) override;
    [[nodiscard]] Result<std::vector<Timestamp>> timestamps() const override;

    [[nodiscard]] const VulkanCore* core() const noexcept { return core_.get(); }
    [[nodiscard]] Lane lane() const noexcept { return lane_; }
    /// True unless the last submission is still running.
    [[nodiscard]] bool idle() const { return core_->done({lane_, last_value_}); }
    /// Ends the recording; returns its first error.
    [[nodiscard]] Status finish();
    /// Called right before each submission, when idle: resets the queries.
    void prepare();
    void submitted(std::uint64_t value) noexcept { last_value_ = value; }
    [[nodiscard]] VkCommandBuffer get() const noexcept { return buffer_; }

private:
    /// Timestamp queries of a list are allocated in groups of this many.
    static constexpr std::uint32_t query_group = 64;

    explicit VulkanCommandList(std::shared_ptr<VulkanCore> core, Lane lane)
        : core_(std::move(core)), lane_(lane) {}
    Status make();
    Status begin();
    void wrong(const std::string& what);
    [[nodiscard]] bool recording();
    /// Records an error and returns false unless the range is in a buffer of this device.
    [[nodiscard]] bool fits(const BufferPtr& buffer, std::uint64_t offset, std::uint64_t bytes,
                            const char* what);
    /// A descriptor set and what it is bound to. Handles are reused; the pointers identify the
    /// objects they belonged to.
    struct Set {
        VkDescriptorSet set = VK_NULL_HANDLE;
        KernelPtr kernel; ///< whose layout it has
        std::vector<VkDescriptorBufferInfo> infos;
        std::vector<std::weak_ptr<Buffer>> buffers;
        bool used = false; ///< since the last clear()
    };
    [[nodiscard]] VkDescriptorSet set_for(const KernelPtr& kernel,
                                          std::span<const Binding> bindings,
                                          std::span<const VkDescriptorBufferInfo> infos);
    [[nodiscard]] VkDescriptorSet make_set(const VulkanKernel& kernel,
                                           std::span<const VkDescriptorBufferInfo> infos);
    /// Sets of the last recording are kept for the next one, which often binds the same; if there
    /// are others among them, all are freed.
    void forget_sets();
    void full_barrier(VkPipelineStageFlags to, VkAccessFlags read);

    std::shared_ptr<VulkanCore> core_;
    Lane lane_;
    vulkan::CommandPool pool_;
    VkCommandBuffer buffer_ = VK_NULL_HANDLE;
    std::vector<vulkan::DescriptorPool> set_pools_;
    std::size_t set_pool_ = 0; ///< the pool that sets are allocated from
    std::vector<vulkan::QueryPool> queries_;
    std::vector<std::string> labels_;
    std::optional<Error> wrong_;
    bool ended_ = false;
    std::uint64_t last_value_ = 0;

    // What is bound in the command buffer: binding it again would cost time.
    const VulkanKernel* bound_kernel_ = nullptr;
    VkDescriptorSet set_ = VK_NULL_HANDLE;
    std::vector<Set> sets_;
    std::vector<VkDescriptorBufferInfo> infos_;
    std::vector<BufferPtr> kept_buffers_;
    std::vector<KernelPtr> kept_kernels_;
};

} // namespace blockloom::compute
