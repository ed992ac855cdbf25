// The three graphics pipelines of the scene and the two render passes they run in.
#pragma once

#include "scene/camera_pixels.h"
#include "vulkan/device.h"
#include "vulkan/handle.h"

#include <array>
#include <memory>

namespace blockloom::scene {

/// Never an sRGB format: colours are written as they are.
inline constexpr VkFormat image_format = VK_FORMAT_B8G8R8A8_UNORM;

/// Push constants: shaders/scene_frame.glsl.
struct FrameConstants {
    std::array<float, 2> centre_high{}, centre_low{}, scale{}, offset{}, viewport{};
    float ratio = 1;

    [[nodiscard]] static FrameConstants of(const FrameRequest& request, Space space) noexcept;
};

/// Made once per renderer.
struct ScenePipelines {
    vulkan::RenderPass clear_pass; ///< clears, draws, leaves the image to be copied from
    vulkan::RenderPass over_pass;  ///< draws over what is there, leaves it to be copied from
    vulkan::DescriptorSetLayout items_layout, atlas_layout;
    vulkan::PipelineLayout layout;
    vulkan::Pipeline lines, boxes, glyphs;

    [[nodiscard]] static Result<ScenePipelines> create(const vulkan::Device& device,
                                                       VkPipelineCache cache);
};

} // namespace blockloom::scene
