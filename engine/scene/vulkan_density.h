// Fields of optical depths (engine/scene/line_density.h) on the device, each drawn in one pass.
#pragma once

#include "scene/line_density.h"
#include "scene/vulkan_pipelines.h"
#include "vulkan/memory.h"

namespace blockloom::scene {

/// Keeps as many fields as a list needs, of one image size.
class DeviceDensities {
public:
    /// Adds lines to field `index`. Nothing that reads it may be in flight.
    Status gather(const vulkan::Device& device, const ScenePipelines& pipelines, std::size_t index,
                  std::span<const Line> lines, const PixelMap& map, int width, int height);
    /// Records the pass that colours field `index`, inside a render pass.
    void draw(VkCommandBuffer commands, const ScenePipelines& pipelines, std::size_t index,
              Colour colour) const;

private:
    struct Field {
        vulkan::DescriptorPool pool;
        VkDescriptorSet set = VK_NULL_HANDLE;
        vulkan::Buffer depths;
        int width = 0, height = 0;
    };
    static Result<Field> make(const vulkan::Device& device, const ScenePipelines& pipelines,
                              int width, int height);
    std::vector<Field> fields_;
};

} // namespace blockloom::scene
