#include "scene/vulkan_geometry.h"

#include "vulkan/status_text.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace blockloom::scene {
namespace {

using vulkan::vulkan_error;

std::uint32_t packed(Colour c) noexcept {
    return static_cast<std::uint32_t>(c.r) | static_cast<std::uint32_t>(c.g) << 8 |
           static_cast<std::uint32_t>(c.b) << 16 | static_cast<std::uint32_t>(c.a) << 24;
}

LineItem item_of(const Line& line) noexcept {
    return {line.from, line.to, packed(line.colour), line.dashed ? -line.width : line.width};
}

BoxItem item_of(const Box& box) noexcept {
    BoxItem item;
    item.rect = box.rect;
    item.fill = packed(box.fill);
    item.outline = packed(box.outline);
    item.outline_width = box.outline_width;
    item.flags = static_cast<std::uint32_t>(box.shape) | (box.mark ? 4U : 0U) |
                 (box.dashed ? 8U : 0U) | (box.hatched ? 16U : 0U);
    return item;
}

bool is_plain(const Box& box) noexcept {
    const bool outlined = box.outline.a > 0 && box.outline_width > 0;
    return box.shape == Shape::square && !outlined && !box.hatched;
}

} // namespace

Status Geometry::place_texts(std::span<const Layer> layers, float ratio, TextSource& text) {
    glyphs_.clear();
    for (std::size_t i = 0; i < layers.size(); ++i) {
        parts_[i].first_glyph = static_cast<std::uint32_t>(glyphs_.size());
        for (const Text& item : layers[i].texts) {
            const PlacedText placed = text.faces.place(
                item.utf8, item.face, static_cast<double>(item.pixels * ratio), item.anchor);
            for (const PlacedGlyph& glyph : placed.glyphs) {
                const auto picture =
                    text.atlas.find(text.faces, glyph.face, glyph.glyph,
                                    static_cast<std::uint32_t>(glyph.quarter_x) & 3U);
                if (!picture) return Error{ErrorCode::unavailable, "the glyph atlas is full"};
                if (picture->width == 0) continue;
                GlyphItem made;
                made.at = item.at;
                // An arithmetic shift rounds down, as the quarter above expects.
                made.offset = {static_cast<float>((glyph.quarter_x >> 2) + picture->left),
                               static_cast<float>(placed.baseline + picture->top)};
                made.size = static_cast<std::uint32_t>(picture->width) |
                            static_cast<std::uint32_t>(picture->height) << 16;
                made.texel = static_cast<std::uint32_t>(picture->texel_x) |
                             static_cast<std::uint32_t>(picture->texel_y) << 16;
                made.colour = packed(item.colour);
                glyphs_.push_back(made);
            }
        }
        parts_[i].glyphs = static_cast<std::uint32_t>(glyphs_.size()) - parts_[i].first_glyph;
    }
    return {};
}

Status Geometry::upload(const vulkan::Device& device, const ScenePipelines& pipelines,
                        std::span<const Layer> layers, float ratio, TextSource& text, bool dense) {
    parts_.assign(layers.size(), {});
    std::size_t lines = 0, boxes = 0;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        Part& part = parts_[i];
        part.space = layers[i].space;
        part.shift = layers[i].shift;
        part.zooms = layers[i].zooms;
        if (dense) part.split = split_lines(layers[i].lines, ratio);
        part.first_line = static_cast<std::uint32_t>(lines);
        lines += part.split.dense.empty() ? layers[i].lines.size() : part.split.others.size();
        part.lines = static_cast<std::uint32_t>(lines) - part.first_line;
        for (const Box& box : layers[i].boxes) {
            const bool plain = is_plain(box);
            if (part.boxes.empty() || part.boxes.back().plain != plain)
                part.boxes.push_back({static_cast<std::uint32_t>(boxes), 0, plain});
            ++part.boxes.back().boxes;
            ++boxes;
        }
        // Kinds that alternate are not worth a draw call each: one pipeline draws both.
        if (part.boxes.size() > 64) {
            Run all{part.boxes.front().first, 0, false};
            all.boxes = static_cast<std::uint32_t>(boxes) - all.first;
            part.boxes.assign(1, all);
        }
    }
    if (!place_texts(layers, ratio, text).ok()) {
        text.atlas.clear();
        if (auto placed = place_texts(layers, ratio, text); !placed.ok()) return placed;
    }
    generation_ = text.atlas.generation();
    ratio_ = ratio;

    const std::size_t step = std::max<std::size_t>(device.limits().minStorageBufferOffsetAlignment,
                                                   alignof(std::max_align_t));
    const auto aligned = [step](std::size_t bytes) { return (bytes + step - 1) / step * step; };
    // Every binding has room for one item, so that an empty kind needs no special case.
    const std::size_t boxes_at = aligned(std::max<std::size_t>(lines, 1) * sizeof(LineItem));
    const std::size_t glyphs_at =
        boxes_at + aligned(std::max<std::size_t>(boxes, 1) * sizeof(BoxItem));
    const std::size_t end =
        glyphs_at + std::max<std::size_t>(glyphs_.size(), 1) * sizeof(GlyphItem);
    const std::size_t largest = std::max({boxes_at, glyphs_at - boxes_at, end - glyphs_at});
    if (largest > device.limits().maxStorageBufferRange || std::max(lines, boxes) > UINT32_MAX / 8)
        return Error{
            ErrorCode::unavailable,
            fmt::format("{}: a view of {} lines and {} boxes does not fit one buffer ({} bytes)",
                        device.info().name, lines, boxes, device.limits().maxStorageBufferRange)};
    if (auto room = reserve(device, pipelines, end); !room.ok()) return room;

    auto* line = reinterpret_cast<LineItem*>(items_.data());
    auto* box = reinterpret_cast<BoxItem*>(items_.data() + boxes_at);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const SplitLines& split = parts_[i].split;
        for (const Line& item : split.dense.empty() ? layers[i].lines : split.others)
            *line++ = item_of(item);
        for (const Box& item : layers[i].boxes) *box++ = item_of(item);
    }
    if (!glyphs_.empty())
        std::memcpy(items_.data() + glyphs_at, glyphs_.data(), glyphs_.size() * sizeof(GlyphItem));
    if (const VkResult result = items_.flush(); result != VK_SUCCESS)
        return vulkan_error("vkFlushMappedMemoryRanges", result);
    describe(device, 0, boxes_at, glyphs_at, end);
    return {};
}

Status Geometry::reserve(const vulkan::Device& device, const ScenePipelines& pipelines,
                         std::size_t bytes) {
    if (!pool_) {
        const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3};
        VkDescriptorPoolCreateInfo pool{};
        pool.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
        pool.maxSets = 1;
        pool.poolSizeCount = 1;
        pool.pPoolSizes = &size;
        VkDescriptorPool handle = VK_NULL_HANDLE;
        VkResult result = vkCreateDescriptorPool(device.get(), &pool, nullptr, &handle);
        if (result != VK_SUCCESS) return vulkan_error("vkCreateDescriptorPool", result);
        pool_ = vulkan::DescriptorPool(device.get(), handle);
        VkDescriptorSetAllocateInfo set{};
        set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
        set.descriptorPool = handle;
        set.descriptorSetCount = 1;
        set.pSetLayouts = pipelines.items_layout.address();
        result = vkAllocateDescriptorSets(device.get(), &set, &set_);
        if (result != VK_SUCCESS) return vulkan_error("vkAllocateDescriptorSets", result);
    }
    if (items_.size() >= bytes) return {};
    auto made = vulkan::Buffer::create(
        device, bytes + bytes / 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, vulkan::MemoryUse::upload);
    if (!made.ok()) return made.error();
    items_ = std::move(*made);
    return {};
}

void Geometry::describe(const vulkan::Device& device, std::size_t lines_at, std::size_t boxes_at,
                        std::size_t glyphs_at, std::size_t end) const {
    const std::array<VkDescriptorBufferInfo, 3> ranges{
        {{items_.get(), lines_at, boxes_at - lines_at},
         {items_.get(), boxes_at, glyphs_at - boxes_at},
         {items_.get(), glyphs_at, end - glyphs_at}}};
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = set_;
    write.descriptorCount = static_cast<std::uint32_t>(ranges.size());
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = ranges.data();
    vkUpdateDescriptorSets(device.get(), 1, &write, 0, nullptr);
}

Status Geometry::gather(const vulkan::Device& device, const ScenePipelines& pipelines,
                        const FrameRequest& request) {
    std::size_t field = 0;
    for (const Part& part : parts_) {
        const PixelMap map = PixelMap::of(request, part.space, part.shift);
        for (const DenseLines& dense : part.split.dense)
            if (auto s = densities_.gather(device, pipelines, field++, dense.lines, map,
                                           request.width, request.height);
                !s.ok())
                return s;
    }
    return {};
}

std::uint32_t Geometry::draw(VkCommandBuffer commands, const ScenePipelines& pipelines,
                             VkDescriptorSet atlas, const FrameRequest& request) const {
    std::size_t field = 0;
    std::uint32_t calls = 0;
    const std::array<VkDescriptorSet, 2> sets{set_, atlas};
    const auto run = [commands, &calls](VkPipeline pipeline, std::uint32_t first,
                                        std::uint32_t count) {
        if (count == 0) return;
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
        vkCmdDraw(commands, count * 6, 1, first * 6, 0);
        ++calls;
    };
    for (const Part& part : parts_) {
        for (const DenseLines& dense : part.split.dense) {
            if (request.drawn.lines && request.camera.is_within(part.zooms)) {
                densities_.draw(commands, pipelines, field, dense.colour);
                ++calls;
            }
            ++field;
        }
        if (!request.camera.is_within(part.zooms)) continue;
        vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.layout.get(),
                                0, static_cast<std::uint32_t>(sets.size()), sets.data(), 0,
                                nullptr);
        const FrameConstants constants = FrameConstants::of(request, part.space, part.shift);
        vkCmdPushConstants(commands, pipelines.layout.get(), VK_SHADER_STAGE_VERTEX_BIT, 0,
                           sizeof constants, &constants);
        if (request.drawn.lines) run(pipelines.lines.get(), part.first_line, part.lines);
        for (const Run& boxes : part.boxes)
            if (request.drawn.boxes)
                run((boxes.plain ? pipelines.plain_boxes : pipelines.boxes).get(), boxes.first,
                    boxes.boxes);
        if (request.drawn.texts) run(pipelines.glyphs.get(), part.first_glyph, part.glyphs);
    }
    return calls;
}

} // namespace blockloom::scene
