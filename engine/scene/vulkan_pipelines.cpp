#include "scene/vulkan_pipelines.h"

#include "vulkan/status_text.h"

#include <shaders/scene_boxes.frag.h>
#include <shaders/scene_boxes.vert.h>
#include <shaders/scene_density.frag.h>
#include <shaders/scene_density.vert.h>
#include <shaders/scene_glyphs.frag.h>
#include <shaders/scene_glyphs.vert.h>
#include <shaders/scene_lines.frag.h>
#include <shaders/scene_lines.vert.h>
#include <shaders/scene_plain.frag.h>
#include <shaders/scene_plain.vert.h>
#include <span>

namespace blockloom::scene {
namespace {

using vulkan::vulkan_error;

Result<vulkan::RenderPass> make_pass(VkDevice device, bool clear) {
    VkAttachmentDescription image{};
    image.format = image_format;
    image.samples = VK_SAMPLE_COUNT_1_BIT;
    image.loadOp = clear ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD;
    image.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    image.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    image.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    image.initialLayout =
        clear ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    image.finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    const VkAttachmentReference reference{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass{};
    subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &reference;
    constexpr VkAccessFlags drawing =
        VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    std::array<VkSubpassDependency, 2> order{};
    order[0] = {VK_SUBPASS_EXTERNAL,
                0,
                VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
                drawing,
                0};
    order[1] = {0,
                VK_SUBPASS_EXTERNAL,
                VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT,
                drawing,
                VK_ACCESS_TRANSFER_READ_BIT,
                0};
    VkRenderPassCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO;
    info.attachmentCount = 1;
    info.pAttachments = &image;
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    info.dependencyCount = static_cast<std::uint32_t>(order.size());
    info.pDependencies = order.data();
    VkRenderPass pass = VK_NULL_HANDLE;
    const VkResult result = vkCreateRenderPass(device, &info, nullptr, &pass);
    if (result != VK_SUCCESS) return vulkan_error("vkCreateRenderPass", result);
    return vulkan::RenderPass(device, pass);
}

Result<vulkan::DescriptorSetLayout>
make_set_layout(VkDevice device, std::span<const VkDescriptorSetLayoutBinding> bindings) {
    VkDescriptorSetLayoutCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    info.bindingCount = static_cast<std::uint32_t>(bindings.size());
    info.pBindings = bindings.data();
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    const VkResult result = vkCreateDescriptorSetLayout(device, &info, nullptr, &layout);
    if (result != VK_SUCCESS) return vulkan_error("vkCreateDescriptorSetLayout", result);
    return vulkan::DescriptorSetLayout(device, layout);
}

Result<vulkan::ShaderModule> make_shader(VkDevice device, std::span<const std::uint32_t> code) {
    VkShaderModuleCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    info.codeSize = code.size_bytes();
    info.pCode = code.data();
    VkShaderModule shader = VK_NULL_HANDLE;
    const VkResult result = vkCreateShaderModule(device, &info, nullptr, &shader);
    if (result != VK_SUCCESS) return vulkan_error("vkCreateShaderModule", result);
    return vulkan::ShaderModule(device, shader);
}

Result<vulkan::Pipeline> make_pipeline(VkDevice device, VkPipelineCache cache,
                                       VkPipelineLayout layout, VkRenderPass pass,
                                       std::span<const std::uint32_t> vertex_code,
                                       std::span<const std::uint32_t> fragment_code) {
    const auto vertex = make_shader(device, vertex_code);
    if (!vertex.ok()) return vertex.error();
    const auto fragment = make_shader(device, fragment_code);
    if (!fragment.ok()) return fragment.error();
    std::array<VkPipelineShaderStageCreateInfo, 2> stages{};
    for (VkPipelineShaderStageCreateInfo& stage : stages) {
        stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
        stage.pName = "main";
    }
    stages[0].stage = VK_SHADER_STAGE_VERTEX_BIT;
    stages[0].module = vertex->get();
    stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    stages[1].module = fragment->get();
    VkPipelineVertexInputStateCreateInfo no_vertices{};
    no_vertices.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
    VkPipelineInputAssemblyStateCreateInfo assembly{};
    assembly.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
    assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    VkPipelineViewportStateCreateInfo viewport{};
    viewport.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO;
    viewport.viewportCount = viewport.scissorCount = 1;
    VkPipelineRasterizationStateCreateInfo raster{};
    raster.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
    raster.polygonMode = VK_POLYGON_MODE_FILL;
    raster.cullMode = VK_CULL_MODE_NONE;
    raster.lineWidth = 1;
    VkPipelineMultisampleStateCreateInfo samples{};
    samples.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
    samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    // Straight alpha over an opaque image, whose alpha is left alone.
    VkPipelineColorBlendAttachmentState mix{};
    mix.blendEnable = VK_TRUE;
    mix.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
    mix.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    mix.colorBlendOp = VK_BLEND_OP_ADD;
    mix.srcAlphaBlendFactor = VK_BLEND_FACTOR_ZERO;
    mix.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
    mix.alphaBlendOp = VK_BLEND_OP_ADD;
    mix.colorWriteMask =
        VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT;
    VkPipelineColorBlendStateCreateInfo blend{};
    blend.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO;
    blend.attachmentCount = 1;
    blend.pAttachments = &mix;
    constexpr std::array<VkDynamicState, 2> dynamic{VK_DYNAMIC_STATE_VIEWPORT,
                                                    VK_DYNAMIC_STATE_SCISSOR};
    VkPipelineDynamicStateCreateInfo dynamics{};
    dynamics.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO;
    dynamics.dynamicStateCount = static_cast<std::uint32_t>(dynamic.size());
    dynamics.pDynamicStates = dynamic.data();

    VkGraphicsPipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
    info.stageCount = static_cast<std::uint32_t>(stages.size());
    info.pStages = stages.data();
    info.pVertexInputState = &no_vertices;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &viewport;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &samples;
    info.pColorBlendState = &blend;
    info.pDynamicState = &dynamics;
    info.layout = layout;
    info.renderPass = pass;
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult result = vkCreateGraphicsPipelines(device, cache, 1, &info, nullptr, &pipeline);
    if (result != VK_SUCCESS) return vulkan_error("vkCreateGraphicsPipelines", result);
    return vulkan::Pipeline(device, pipeline);
}

Result<vulkan::PipelineLayout> make_layout(VkDevice device,
                                           std::span<const VkDescriptorSetLayout> sets,
                                           const VkPushConstantRange& constants) {
    VkPipelineLayoutCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    info.setLayoutCount = static_cast<std::uint32_t>(sets.size());
    info.pSetLayouts = sets.data();
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges = &constants;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    const VkResult result = vkCreatePipelineLayout(device, &info, nullptr, &layout);
    if (result != VK_SUCCESS) return vulkan_error("vkCreatePipelineLayout", result);
    return vulkan::PipelineLayout(device, layout);
}

/// Moves a result's value to its place; the error, if there is one, comes back.
template <typename T> Status put(T& place, Result<T> made) {
    if (!made.ok()) return made.error();
    place = std::move(*made);
    return {};
}

} // namespace

FrameConstants FrameConstants::of(const FrameRequest& request, Space space, float shift) noexcept {
    const PixelMap map = PixelMap::of(request, space, shift);
    const auto f = [](double value) { return static_cast<float>(value); };
    FrameConstants made;
    made.centre_high = {f(map.centre_x), f(map.centre_y)};
    made.centre_low = {f(map.centre_x - static_cast<double>(made.centre_high[0])),
                       f(map.centre_y - static_cast<double>(made.centre_high[1]))};
    made.scale = {f(map.scale_x), f(map.scale_y)};
    made.offset = {f(map.offset_x), f(map.offset_y)};
    made.viewport = {static_cast<float>(request.width), static_cast<float>(request.height)};
    made.ratio = request.pixel_ratio;
    return made;
}

Result<ScenePipelines> ScenePipelines::create(const vulkan::Device& device, VkPipelineCache cache) {
    const VkDevice handle = device.get();
    ScenePipelines made;
    if (auto s = put(made.clear_pass, make_pass(handle, true)); !s.ok()) return s.error();
    if (auto s = put(made.over_pass, make_pass(handle, false)); !s.ok()) return s.error();
    std::array<VkDescriptorSetLayoutBinding, 3> items{};
    for (std::uint32_t i = 0; i < items.size(); ++i)
        items[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, nullptr};
    if (auto s = put(made.items_layout, make_set_layout(handle, items)); !s.ok()) return s.error();
    const std::array<VkDescriptorSetLayoutBinding, 1> atlas{
        {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}}};
    if (auto s = put(made.atlas_layout, make_set_layout(handle, atlas)); !s.ok()) return s.error();
    const std::array<VkDescriptorSetLayoutBinding, 1> depths{
        {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}}};
    if (auto s = put(made.density_layout_of_set, make_set_layout(handle, depths)); !s.ok())
        return s.error();
    const std::array<VkDescriptorSetLayout, 2> sets{made.items_layout.get(),
                                                    made.atlas_layout.get()};
    if (auto s =
            put(made.layout,
                make_layout(handle, sets, {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(FrameConstants)}));
        !s.ok())
        return s.error();
    if (auto s = put(made.density_layout,
                     make_layout(handle, std::span(made.density_layout_of_set.address(), 1),
                                 {VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(DensityConstants)}));
        !s.ok())
        return s.error();
    struct Wanted {
        vulkan::Pipeline* place;
        VkPipelineLayout layout;
        std::span<const std::uint32_t> vertex, fragment;
    };
    const VkPipelineLayout item = made.layout.get(), field = made.density_layout.get();
    for (const Wanted& wanted :
         {Wanted{&made.lines, item, scene_lines_vert_spv, scene_lines_frag_spv},
          Wanted{&made.boxes, item, scene_boxes_vert_spv, scene_boxes_frag_spv},
          Wanted{&made.plain_boxes, item, scene_plain_vert_spv, scene_plain_frag_spv},
          Wanted{&made.glyphs, item, scene_glyphs_vert_spv, scene_glyphs_frag_spv},
          Wanted{&made.density, field, scene_density_vert_spv, scene_density_frag_spv}})
        if (auto s = put(*wanted.place,
                         make_pipeline(handle, cache, wanted.layout, made.clear_pass.get(),
                                       wanted.vertex, wanted.fragment));
            !s.ok())
            return s.error();
    return made;
}

} // namespace blockloom::scene
