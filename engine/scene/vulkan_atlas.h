// The glyph atlas on the device.
#pragma once

#include "scene/glyph_atlas.h"
#include "scene/vulkan_pipelines.h"
#include "vulkan/memory.h"

namespace blockloom::scene {

/// Follows a GlyphAtlas: new rows are uploaded before the frame that needs them.
class DeviceAtlas {
public:
    [[nodiscard]] static Result<DeviceAtlas> create(const vulkan::Device& device,
                                                    const ScenePipelines& pipelines);

    /// Records the upload of changes. Outside a render pass; nothing may be in flight.
    Status update(const vulkan::Device& device, VkCommandBuffer commands, GlyphAtlas& atlas);
    [[nodiscard]] VkDescriptorSet set() const noexcept { return set_; }

private:
    Status grow(const vulkan::Device& device, std::uint32_t height);

    vulkan::DescriptorPool pool_;
    VkDescriptorSet set_ = VK_NULL_HANDLE;
    vulkan::Sampler sampler_;
    vulkan::DeviceImage image_;
    vulkan::Buffer staging_;
    bool fresh_ = true; ///< the image has no content yet
};

} // namespace blockloom::scene
