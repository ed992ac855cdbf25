#include "scene/vulkan_density.h"

#include "vulkan/status_text.h"

namespace blockloom::scene {

using vulkan::vulkan_error;

Result<DeviceDensities::Field> DeviceDensities::make(const vulkan::Device& device,
                                                     const ScenePipelines& pipelines, int width,
                                                     int height) {
    Field made;
    made.width = width;
    made.height = height;
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    VkDescriptorPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    pool.maxSets = 1;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    VkDescriptorPool handle = VK_NULL_HANDLE;
    VkResult result = vkCreateDescriptorPool(device.get(), &pool, nullptr, &handle);
    if (result != VK_SUCCESS) return vulkan_error("vkCreateDescriptorPool", result);
    made.pool = vulkan::DescriptorPool(device.get(), handle);
    VkDescriptorSetAllocateInfo set{};
    set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    set.descriptorPool = handle;
    set.descriptorSetCount = 1;
    set.pSetLayouts = pipelines.density_layout_of_set.address();
    result = vkAllocateDescriptorSets(device.get(), &set, &made.set);
    if (result != VK_SUCCESS) return vulkan_error("vkAllocateDescriptorSets", result);
    // Added up by the host: memory that it may also read.
    auto depths =
        vulkan::Buffer::create(device, DensityField::cells(width, height) * sizeof(std::uint32_t),
                               VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, vulkan::MemoryUse::readback);
    if (!depths.ok()) return depths.error();
    made.depths = std::move(*depths);
    const VkDescriptorBufferInfo range{made.depths.get(), 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = made.set;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = &range;
    vkUpdateDescriptorSets(device.get(), 1, &write, 0, nullptr);
    return made;
}

Status DeviceDensities::gather(const vulkan::Device& device, const ScenePipelines& pipelines,
                               std::size_t index, std::span<const Line> lines, const PixelMap& map,
                               int width, int height) {
    if (index >= fields_.size()) fields_.resize(index + 1);
    Field& field = fields_[index];
    if (field.width != width || field.height != height) {
        auto made = make(device, pipelines, width, height);
        if (!made.ok()) return made.error();
        field = std::move(*made);
    }
    DensityField{width, height, reinterpret_cast<std::uint32_t*>(field.depths.data())}.draw(lines,
                                                                                            map);
    if (const VkResult result = field.depths.flush(); result != VK_SUCCESS)
        return vulkan_error("vkFlushMappedMemoryRanges", result);
    return {};
}

void DeviceDensities::draw(VkCommandBuffer commands, const ScenePipelines& pipelines,
                           std::size_t index, Colour colour) const {
    const Field& field = fields_[index];
    const auto channel = [](std::uint8_t value) { return static_cast<float>(value) / 255.0F; };
    DensityConstants constants;
    constants.colour = {channel(colour.r), channel(colour.g), channel(colour.b), 1};
    const DensityField cells{field.width, field.height, nullptr};
    constants.stride = cells.stride();
    constants.first = DensityField::border * (cells.stride() + 1);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.density.get());
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                            pipelines.density_layout.get(), 0, 1, &field.set, 0, nullptr);
    vkCmdPushConstants(commands, pipelines.density_layout.get(), VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                       sizeof constants, &constants);
    vkCmdDraw(commands, 3, 1, 0, 0);
}

} // namespace blockloom::scene
