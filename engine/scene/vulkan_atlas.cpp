#include "scene/vulkan_atlas.h"

#include "vulkan/commands.h"
#include "vulkan/status_text.h"

#include <algorithm>
#include <cstring>

namespace blockloom::scene {

using vulkan::vulkan_error;

Result<DeviceAtlas> DeviceAtlas::create(const vulkan::Device& device,
                                        const ScenePipelines& pipelines) {
    DeviceAtlas made;
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1};
    VkDescriptorPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    pool.maxSets = 1;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    VkDescriptorPool pool_handle = VK_NULL_HANDLE;
    VkResult result = vkCreateDescriptorPool(device.get(), &pool, nullptr, &pool_handle);
    if (result != VK_SUCCESS) return vulkan_error("vkCreateDescriptorPool", result);
    made.pool_ = vulkan::DescriptorPool(device.get(), pool_handle);

    VkDescriptorSetAllocateInfo set{};
    set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    set.descriptorPool = pool_handle;
    set.descriptorSetCount = 1;
    set.pSetLayouts = pipelines.atlas_layout.address();
    result = vkAllocateDescriptorSets(device.get(), &set, &made.set_);
    if (result != VK_SUCCESS) return vulkan_error("vkAllocateDescriptorSets", result);

    VkSamplerCreateInfo sampler{};
    sampler.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
    sampler.addressModeU = sampler.addressModeV = sampler.addressModeW =
        VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    VkSampler sampler_handle = VK_NULL_HANDLE;
    result = vkCreateSampler(device.get(), &sampler, nullptr, &sampler_handle);
    if (result != VK_SUCCESS) return vulkan_error("vkCreateSampler", result);
    made.sampler_ = vulkan::Sampler(device.get(), sampler_handle);
    return made;
}

Status DeviceAtlas::grow(const vulkan::Device& device, std::uint32_t height) {
    auto image =
        vulkan::DeviceImage::create(device, GlyphAtlas::width, height, VK_FORMAT_R8_UNORM,
                                    VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    if (!image.ok()) return image.error();
    auto staging =
        vulkan::Buffer::create(device, std::size_t{GlyphAtlas::width} * height,
                               VK_BUFFER_USAGE_TRANSFER_SRC_BIT, vulkan::MemoryUse::upload);
    if (!staging.ok()) return staging.error();
    image_ = std::move(*image);
    staging_ = std::move(*staging);
    fresh_ = true;
    const VkDescriptorImageInfo picture{sampler_.get(), image_.view(),
                                        VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = set_;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    write.pImageInfo = &picture;
    vkUpdateDescriptorSets(device.get(), 1, &write, 0, nullptr);
    return {};
}

Status DeviceAtlas::update(const vulkan::Device& device, VkCommandBuffer commands,
                           GlyphAtlas& atlas) {
    auto [from, to] = atlas.take_changed_rows();
    const std::uint32_t height =
        std::max(atlas.height(), 16U); // a list without texts needs one too
    if (image_.height() < height) {
        if (auto grown = grow(device, height); !grown.ok()) return grown;
        from = 0;
        to = atlas.height();
    }
    if (from >= to && !fresh_) return {};
    const std::size_t first = std::size_t{from} * GlyphAtlas::width;
    const std::size_t bytes = std::size_t{to - from} * GlyphAtlas::width;
    if (bytes > 0) std::memcpy(staging_.data(), atlas.pixels().data() + first, bytes);
    if (const VkResult result = staging_.flush(); result != VK_SUCCESS)
        return vulkan_error("vkFlushMappedMemoryRanges", result);
    vulkan::image_barrier(
        commands, image_.get(),
        fresh_ ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
        VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0,
        VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    if (bytes > 0) {
        VkBufferImageCopy copy{};
        copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
        copy.imageOffset = {0, static_cast<std::int32_t>(from), 0};
        copy.imageExtent = {GlyphAtlas::width, to - from, 1};
        vkCmdCopyBufferToImage(commands, staging_.get(), image_.get(),
                               VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
    }
    vulkan::image_barrier(commands, image_.get(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                          VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_PIPELINE_STAGE_TRANSFER_BIT,
                          VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                          VK_ACCESS_SHADER_READ_BIT);
    fresh_ = false;
    return {};
}

} // namespace blockloom::scene
