// The images that a frame is drawn into, and the buffer from which the host reads it.
#pragma once

#include "scene/renderer.h"
#include "scene/vulkan_pipelines.h"
#include "vulkan/memory.h"

namespace blockloom::scene {

/// `base` keeps the picture of the base list between frames; `over` is a copy with marks and
/// overlay.
class RenderTargets {
public:
    [[nodiscard]] static Result<RenderTargets>
    create(const vulkan::Device& device, const ScenePipelines& pipelines, int width, int height);

    [[nodiscard]] bool fits(int width, int height) const noexcept {
        return static_cast<int>(base_.width()) == width &&
               static_cast<int>(base_.height()) == height;
    }
    /// Begins the pass that clears `base` to a colour.
    void begin_base(VkCommandBuffer commands, const ScenePipelines& pipelines, Colour ground) const;
    /// Copies `base` to `over` and begins the pass that draws over it.
    void begin_over(VkCommandBuffer commands, const ScenePipelines& pipelines) const;
    /// Records the copy of the picture (`over` or `base`) to the host.
    void read_back(VkCommandBuffer commands, bool over) const;
    /// The picture, after the device has finished.
    [[nodiscard]] Result<Image> image() const;

private:
    void begin(VkCommandBuffer commands, VkRenderPass pass, VkFramebuffer framebuffer,
               const VkClearValue* clear) const;

    vulkan::DeviceImage base_, over_;
    vulkan::Framebuffer base_frame_, over_frame_;
    vulkan::Buffer pixels_;
};

} // namespace blockloom::scene
