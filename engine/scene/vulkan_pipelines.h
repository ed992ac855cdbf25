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

    [[nodiscard]] static FrameConstants of(const FrameRequest& request, Space space,
                                           float shift) noexcept;
};

/// Push constants of shaders/scene_density.frag.
struct DensityConstants {
    std::array<float, 4> colour{};
    std::int32_t stride = 0, first = 0;
};

/// Made once per renderer.
struct ScenePipelines {
    vulkan::RenderPass clear_pass; ///< clears, draws, leaves the image to be copied from
    vulkan::RenderPass over_pass;  ///< draws over what is there, leaves it to be copied from
    vulkan::DescriptorSetLayout items_layout, atlas_layout, density_layout_of_set;
    vulkan::PipelineLayout layout, density_layout;
    vulkan::Pipeline lines, boxes, plain_boxes, glyphs, density;

    [[nodiscard]] static Result<ScenePipelines> create(const vulkan::Device& device,
                                                       VkPipelineCache cache);
};

} // namespace blockloom::scene
