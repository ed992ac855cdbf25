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
    /// Ends the recording; the first mistake of it.
    [[nodiscard]] Status finish();
    /// Called right before each submission, when idle: clears the queries.
    void prepare();
    void submitted(std::uint64_t value) noexcept { last_value_ = value; }
    [[nodiscard]] VkCommandBuffer get() const noexcept { return buffer_; }

private:
    /// Timestamps of one list come in groups of this many.
    static constexpr std::uint32_t query_group = 64;

    explicit VulkanCommandList(std::shared_ptr<VulkanCore> core, Lane lane)
        : core_(std::move(core)), lane_(lane) {}
    Status make();
    Status begin();
    void wrong(const std::string& what);
    [[nodiscard]] bool recording();
    /// Remembers a mistake and answers false unless the range lies in a buffer of this device.
    [[nodiscard]] bool fits(const BufferPtr& buffer, std::uint64_t offset, std::uint64_t bytes,
                            const char* what);
    /// A descriptor set, and what it stands for. Handles are given again; who they belonged to is
    /// told by the pointers.
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
    /// Sets that were used last stay for the next recording, which often binds the same; if others
    /// lie among them all go.
    void forget_sets();
    void full_barrier(VkPipelineStageFlags to, VkAccessFlags read);

    std::shared_ptr<VulkanCore> core_;
    Lane lane_;
    vulkan::CommandPool pool_;
    VkCommandBuffer buffer_ = VK_NULL_HANDLE;
    std::vector<vulkan::DescriptorPool> set_pools_;
    std::size_t set_pool_ = 0; ///< the one that sets come from
    std::vector<vulkan::QueryPool> queries_;
    std::vector<std::string> labels_;
    std::optional<Error> wrong_;
    bool ended_ = false;
    std::uint64_t last_value_ = 0;

    // What the command buffer has bound: repeating it costs time.
    const VulkanKernel* bound_kernel_ = nullptr;
    VkDescriptorSet set_ = VK_NULL_HANDLE;
    std::vector<Set> sets_;
    std::vector<VkDescriptorBufferInfo> infos_;
    std::vector<BufferPtr> kept_buffers_;
    std::vector<KernelPtr> kept_kernels_;
};

} // namespace blockloom::compute
