// Layers of a display list as flat arrays on the device.
#pragma once

#include "scene/line_density.h"
#include "scene/vulkan_atlas.h"
#include "scene/vulkan_density.h"

#include <span>

namespace blockloom::scene {

/// The input of the shaders scene_lines.vert, scene_boxes.vert and scene_glyphs.vert.
struct LineItem {
    Point from, to;
    std::uint32_t colour = 0;
    float width = 1; ///< logical pixels; negative: dashed
};
struct BoxItem {
    Rect rect;
    std::uint32_t fill = 0, outline = 0;
    float outline_width = 0;
    std::uint32_t flags = 0;
};
struct GlyphItem {
    Point at, offset;
    std::uint32_t size = 0, texel = 0, colour = 0, unused = 0;
};
static_assert(sizeof(LineItem) == 24 && sizeof(BoxItem) == 32 && sizeof(GlyphItem) == 32);

/// The source of a renderer's glyphs.
struct TextSource {
    GlyphFaces faces;
    GlyphAtlas atlas;
};

/// Uploaded layers. Uploading again reuses the memory if it is large enough.
class Geometry {
public:
    /// Nothing of an earlier upload may be in flight. Texts that do not fit clear the atlas: then
    /// `atlas.generation()` has changed and other geometries must upload again. `dense`: many thin
    /// lines become densities, which a software device needs to be fast enough.
    Status upload(const vulkan::Device& device, const ScenePipelines& pipelines,
                  std::span<const Layer> layers, float ratio, TextSource& text, bool dense);

    /// Adds up the densities for a request's camera and size; before draw(), outside a render pass.
    Status gather(const vulkan::Device& device, const ScenePipelines& pipelines,
                  const FrameRequest& request);
    /// Records the draws, inside a render pass with viewport and scissor set.
    /// Returns how many there are.
    std::uint32_t draw(VkCommandBuffer commands, const ScenePipelines& pipelines,
                       VkDescriptorSet atlas, const FrameRequest& request) const;

    [[nodiscard]] bool empty() const noexcept { return parts_.empty(); }
    /// The atlas generation that the texts refer to.
    [[nodiscard]] std::uint64_t generation() const noexcept { return generation_; }
    [[nodiscard]] float ratio() const noexcept { return ratio_; }

private:
    /// Consecutive boxes drawn with the same pipeline.
    struct Run {
        std::uint32_t first = 0, boxes = 0;
        bool plain = false;
    };
    struct Part {
        Space space = Space::world;
        float shift = 0;
        ZoomRange zooms;
        std::uint32_t first_line = 0, lines = 0, first_glyph = 0, glyphs = 0;
        std::vector<Run> boxes;
        SplitLines split;
    };
    Status reserve(const vulkan::Device& device, const ScenePipelines& pipelines,
                   std::size_t bytes);
    void describe(const vulkan::Device& device, std::size_t lines_at, std::size_t boxes_at,
                  std::size_t glyphs_at, std::size_t end) const;
    Status place_texts(std::span<const Layer> layers, float ratio, TextSource& text);

    vulkan::DescriptorPool pool_;
    VkDescriptorSet set_ = VK_NULL_HANDLE;
    vulkan::Buffer items_;
    std::vector<Part> parts_;
    std::vector<GlyphItem> glyphs_; ///< scratch
    DeviceDensities densities_;     ///< in the order of the parts and their dense lines
    std::uint64_t generation_ = 0;
    float ratio_ = 0;
};

} // namespace blockloom::scene
