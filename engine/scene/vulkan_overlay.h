// Dear ImGui on the device, with one context per renderer.
#pragma once

#include "scene/overlay_window.h"
#include "scene/renderer.h"
#include "vulkan/device.h"
#include "vulkan/handle.h"

#include <memory>

struct ImGuiContext;

namespace blockloom::scene {

/// Dear ImGui has its current context in a global variable: every call here takes a process-wide
/// lock, so that renderers in several threads do not interfere. Each overlay belongs to one thread.
class VulkanOverlay {
public:
    /// `over_pass` is the render pass it is drawn in; `ratio` scales the fonts.
    [[nodiscard]] static Result<std::unique_ptr<VulkanOverlay>>
    create(std::shared_ptr<vulkan::Device> device, VkRenderPass over_pass, float ratio);
    ~VulkanOverlay();
    VulkanOverlay(const VulkanOverlay&) = delete;
    VulkanOverlay& operator=(const VulkanOverlay&) = delete;

    [[nodiscard]] float ratio() const noexcept { return ratio_; }

    /// Takes the input and builds the panel; returns the changes and whether the pointer is over
    /// it.
    struct Answer {
        std::vector<OverlayChange> changes;
        bool wants_mouse = false;
    };
    [[nodiscard]] Answer build(const FrameRequest& request, const FrameStatistics& statistics);
    /// Records the fonts' upload where it has not been done; outside a render pass.
    Status prepare(VkCommandBuffer commands);
    /// Records the result of build(); inside `over_pass`.
    Status draw(VkCommandBuffer commands);
    /// How many draws that recorded.
    [[nodiscard]] std::uint32_t draw_calls() const noexcept { return draw_calls_; }
    /// The device is done with what was recorded.
    void finished();

private:
    VulkanOverlay() = default;
    void pass(OverlayPanel& panel, const FrameRequest& request, const FrameStatistics& statistics,
              float seconds, Answer& answer);

    std::shared_ptr<vulkan::Device> device_;
    vulkan::DescriptorPool pool_;
    ImGuiContext* context_ = nullptr;
    OverlayFonts fonts_;
    float ratio_ = 1, width_ = 0, height_ = 0;
    bool backend_ = false, uploading_ = false, uploaded_ = false, was_down_ = false,
         settled_ = false;
    Nanoseconds last_ = 0;
    std::uint32_t draw_calls_ = 0;
};

} // namespace blockloom::scene
