#include "scene/vulkan_targets.h"

#include "vulkan/commands.h"
#include "vulkan/status_text.h"

#include <cstring>

namespace blockloom::scene {
namespace {

constexpr VkImageSubresourceLayers whole_colour{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};

Result<vulkan::Framebuffer> make_framebuffer(const vulkan::Device& device, VkRenderPass pass,
                                             const vulkan::DeviceImage& image) {
    const VkImageView view = image.view();
    VkFramebufferCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO;
    info.renderPass = pass;
    info.attachmentCount = 1;
    info.pAttachments = &view;
    info.width = image.width();
    info.height = image.height();
    info.layers = 1;
    VkFramebuffer framebuffer = VK_NULL_HANDLE;
    const VkResult result = vkCreateFramebuffer(device.get(), &info, nullptr, &framebuffer);
    if (result != VK_SUCCESS) return vulkan::vulkan_error("vkCreateFramebuffer", result);
    return vulkan::Framebuffer(device.get(), framebuffer);
}

} // namespace

Result<RenderTargets> RenderTargets::create(const vulkan::Device& device,
                                            const ScenePipelines& pipelines, int width,
                                            int height) {
    const auto w = static_cast<std::uint32_t>(width), h = static_cast<std::uint32_t>(height);
    constexpr VkImageUsageFlags usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                        VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                        VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    RenderTargets made;
    for (vulkan::DeviceImage* image : {&made.base_, &made.over_}) {
        auto created = vulkan::DeviceImage::create(device, w, h, image_format, usage);
        if (!created.ok()) return created.error();
        *image = std::move(*created);
    }
    auto base = make_framebuffer(device, pipelines.clear_pass.get(), made.base_);
    if (!base.ok()) return base.error();
    made.base_frame_ = std::move(*base);
    auto over = make_framebuffer(device, pipelines.over_pass.get(), made.over_);
    if (!over.ok()) return over.error();
    made.over_frame_ = std::move(*over);
    auto pixels =
        vulkan::Buffer::create(device, std::size_t{w} * h * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                               vulkan::MemoryUse::readback);
    if (!pixels.ok()) return pixels.error();
    made.pixels_ = std::move(*pixels);
    return made;
}

void RenderTargets::begin(VkCommandBuffer commands, VkRenderPass pass, VkFramebuffer framebuffer,
                          const VkClearValue* clear) const {
    VkRenderPassBeginInfo info{};
    info.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO;
    info.renderPass = pass;
    info.framebuffer = framebuffer;
    info.renderArea.extent = {base_.width(), base_.height()};
    info.clearValueCount = clear != nullptr ? 1 : 0;
    info.pClearValues = clear;
    vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    const VkViewport viewport{
        0, 0, static_cast<float>(base_.width()), static_cast<float>(base_.height()), 0, 1};
    vkCmdSetViewport(commands, 0, 1, &viewport);
    vkCmdSetScissor(commands, 0, 1, &info.renderArea);
}

void RenderTargets::begin_base(VkCommandBuffer commands, const ScenePipelines& pipelines,
                               Colour ground) const {
    VkClearValue clear{};
    clear.color.float32[0] = static_cast<float>(ground.r) / 255.0F;
    clear.color.float32[1] = static_cast<float>(ground.g) / 255.0F;
    clear.color.float32[2] = static_cast<float>(ground.b) / 255.0F;
    clear.color.float32[3] = 1;
    begin(commands, pipelines.clear_pass.get(), base_frame_.get(), &clear);
}

void RenderTargets::begin_over(VkCommandBuffer commands, const ScenePipelines& pipelines) const {
    vulkan::image_barrier(commands, over_.get(), VK_IMAGE_LAYOUT_UNDEFINED,
                          VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                          VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    VkImageCopy copy{};
    copy.srcSubresource = copy.dstSubresource = whole_colour;
    copy.extent = {base_.width(), base_.height(), 1};
    vkCmdCopyImage(commands, base_.get(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, over_.get(),
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
    vulkan::image_barrier(
        commands, over_.get(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_PIPELINE_STAGE_TRANSFER_BIT,
        VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
    begin(commands, pipelines.over_pass.get(), over_frame_.get(), nullptr);
}

void RenderTargets::read_back(VkCommandBuffer commands, bool over) const {
    VkBufferImageCopy copy{};
    copy.imageSubresource = whole_colour;
    copy.imageExtent = {base_.width(), base_.height(), 1};
    vkCmdCopyImageToBuffer(commands, (over ? over_ : base_).get(),
                           VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, pixels_.get(), 1, &copy);
    vulkan::memory_barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                           VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

Result<Image> RenderTargets::image() const {
    if (const VkResult result = pixels_.invalidate(); result != VK_SUCCESS)
        return vulkan::vulkan_error("vkInvalidateMappedMemoryRanges", result);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(pixels_.data());
    Image image;
    image.width = static_cast<int>(base_.width());
    image.height = static_cast<int>(base_.height());
    image.bgra.assign(bytes, bytes + pixels_.size());
    return image;
}

} // namespace blockloom::scene
