// The Vulkan renderer: the base list is uploaded once and its picture is kept; marks and overlay
// are drawn over a copy.
#include "scene/vulkan_geometry.h"
#include "scene/vulkan_overlay.h"
#include "scene/vulkan_targets.h"
#include "vulkan/commands.h"

#include <algorithm>
#include <mutex>

namespace blockloom::scene {
namespace {

/// Nothing has changed, and nothing was done to the overlay.
bool same_picture(const FrameRequest& a, const FrameRequest& b) {
    if (a.base != b.base || !(a.camera == b.camera) || a.width != b.width || a.height != b.height ||
        a.pixel_ratio != b.pixel_ratio || a.marks != b.marks || a.overlay != b.overlay ||
        !(a.drawn == b.drawn))
        return false;
    const bool acts = b.overlay && (b.overlay->input.pressed || b.overlay->input.wheel != 0 ||
                                    !b.overlay->input.text.empty());
    return !acts;
}

/// One device for all renderers of the process that live at the same time.
Result<std::shared_ptr<vulkan::Device>> shared_device() {
    static std::mutex mutex;
    static std::weak_ptr<vulkan::Device> last;
    const std::lock_guard lock(mutex);
    if (auto device = last.lock()) return device;
    auto instance = vulkan::Instance::create(vulkan::Instance::validation_asked());
    if (!instance.ok()) return instance.error();
    auto device = vulkan::Device::create(std::move(*instance));
    if (!device.ok()) return device.error();
    last = *device;
    return device;
}

class VulkanRenderer final : public Renderer {
public:
    static Result<std::unique_ptr<Renderer>> create() {
        auto device = shared_device();
        if (!device.ok()) return device.error();
        std::unique_ptr<VulkanRenderer> made(new VulkanRenderer(std::move(*device)));
        auto pipelines = ScenePipelines::create(*made->device_, VK_NULL_HANDLE);
        if (!pipelines.ok()) return pipelines.error();
        made->pipelines_ = std::move(*pipelines);
        auto atlas = DeviceAtlas::create(*made->device_, made->pipelines_);
        if (!atlas.ok()) return atlas.error();
        made->atlas_ = std::move(*atlas);
        auto commands = vulkan::Commands::create(made->device_);
        if (!commands.ok()) return commands.error();
        made->commands_.emplace(std::move(*commands));
        return std::unique_ptr<Renderer>(std::move(made));
    }

    Result<Frame> render(const FrameRequest& request) override;
    std::string name() const override { return "Vulkan · " + device_->info().name; }

private:
    explicit VulkanRenderer(std::shared_ptr<vulkan::Device> device) : device_(std::move(device)) {}

    [[nodiscard]] Result<Frame> finish(Nanoseconds start, VulkanOverlay::Answer answer) const;
    void count_memory();
    Status prepare(const FrameRequest& request);
    Status upload_lists(const FrameRequest& request);
    [[nodiscard]] bool same_base(const FrameRequest& request) const noexcept;

    std::shared_ptr<vulkan::Device> device_;
    ScenePipelines pipelines_;
    DeviceAtlas atlas_;
    TextSource text_;
    std::optional<RenderTargets> targets_;
    std::optional<vulkan::Commands> commands_;
    Geometry base_, marks_;
    std::weak_ptr<const DisplayList> uploaded_; ///< whose geometry `base_` is
    bool base_drawn_ = false;                   ///< the picture of `base_` under `camera_` is kept
    Camera camera_;
    DrawnKinds drawn_;
    FrameStatistics statistics_;
    std::unique_ptr<VulkanOverlay> overlay_;
    bool wanted_mouse_ = false;
    std::optional<FrameRequest> shown_; ///< what `targets_` holds the picture of
};

bool VulkanRenderer::same_base(const FrameRequest& request) const noexcept {
    if (base_.generation() != text_.atlas.generation() || base_.ratio() != request.pixel_ratio)
        return false;
    return request.base && uploaded_.lock() == request.base;
}

Status VulkanRenderer::upload_lists(const FrameRequest& request) {
    // A full atlas starts again and takes the other list's texts with it: at most one more round.
    for (int round = 0; round < 3; ++round) {
        const std::uint64_t generation = text_.atlas.generation();
        if (!same_base(request)) {
            uploaded_.reset();
            base_drawn_ = false;
            const std::span<const Layer> layers = request.base
                                                      ? std::span<const Layer>(request.base->layers)
                                                      : std::span<const Layer>();
            if (auto s = base_.upload(*device_, pipelines_, layers, request.pixel_ratio, text_,
                                      device_->info().type == vulkan::DeviceType::cpu);
                !s.ok())
                return s;
            uploaded_ = request.base;
        }
        if (auto s = marks_.upload(*device_, pipelines_, request.marks, request.pixel_ratio, text_,
                                   false);
            !s.ok())
            return s;
        if (text_.atlas.generation() == generation || !request.base) return {};
    }
    return Error{ErrorCode::unavailable, "the texts of this view do not fit the glyph atlas"};
}

Status VulkanRenderer::prepare(const FrameRequest& request) {
    const auto side = std::min<std::uint32_t>(device_->limits().maxImageDimension2D, 16384);
    if (auto good = check_request(request, static_cast<int>(side)); !good.ok()) return good;
    if (!targets_ || !targets_->fits(request.width, request.height)) {
        targets_.reset();
        base_drawn_ = false;
        auto made = RenderTargets::create(*device_, pipelines_, request.width, request.height);
        if (!made.ok()) return made.error();
        targets_.emplace(std::move(*made));
    }
    return upload_lists(request);
}

Result<Frame> VulkanRenderer::render(const FrameRequest& request) {
    const Nanoseconds start = now_ns();
    if (shown_ && same_picture(*shown_, request)) {
        auto frame = finish(start, {{}, wanted_mouse_});
        if (frame.ok()) frame->reused = true;
        return frame;
    }
    shown_.reset();
    VulkanOverlay::Answer answer;
    if (auto ready = prepare(request); !ready.ok()) return ready.error();
    if (request.overlay) {
        if (!overlay_ || overlay_->ratio() != request.pixel_ratio) {
            auto made =
                VulkanOverlay::create(device_, pipelines_.over_pass.get(), request.pixel_ratio);
            if (!made.ok()) return made.error();
            overlay_ = std::move(*made);
        }
        count_memory();
        answer = overlay_->build(request, statistics_);
    }
    wanted_mouse_ = answer.wants_mouse;
    const bool draw_base =
        !base_drawn_ || !(camera_ == request.camera) || !(drawn_ == request.drawn);
    if (draw_base)
        if (auto s = base_.gather(*device_, pipelines_, request); !s.ok()) return s.error();
    const auto begun = commands_->begin();
    if (!begun.ok()) return begun.error();
    const VkCommandBuffer commands = *begun;
    if (auto s = atlas_.update(*device_, commands, text_.atlas); !s.ok()) return s.error();
    std::uint32_t calls = 0;
    if (draw_base) {
        base_drawn_ = false;
        targets_->begin_base(commands, pipelines_,
                             request.base ? request.base->background : Colour{});
        calls += base_.draw(commands, pipelines_, atlas_.set(), request);
        vkCmdEndRenderPass(commands);
    }
    const bool over = !request.marks.empty() || request.overlay.has_value();
    if (request.overlay)
        if (auto s = overlay_->prepare(commands); !s.ok()) return s.error();
    if (over) {
        targets_->begin_over(commands, pipelines_);
        if (request.drawn.marks) calls += marks_.draw(commands, pipelines_, atlas_.set(), request);
        if (request.overlay) {
            if (auto s = overlay_->draw(commands); !s.ok()) return s.error();
            calls += overlay_->draw_calls();
        }
        vkCmdEndRenderPass(commands);
    }
    targets_->read_back(commands, over);
    if (auto done = commands_->submit_and_wait(); !done.ok()) return done.error();
    if (overlay_) overlay_->finished();
    base_drawn_ = true;
    camera_ = request.camera;
    drawn_ = request.drawn;
    shown_ = request;
    auto frame = finish(start, std::move(answer));
    if (frame.ok()) {
        statistics_.add(frame->render_ns);
        statistics_.device_ns = frame->device_ns;
        statistics_.draw_calls = calls;
    }
    return frame;
}

void VulkanRenderer::count_memory() {
    const vulkan::MemoryBudget memory = device_->memory_budget();
    statistics_.memory_bytes =
        memory.exact ? std::optional<std::uint64_t>(memory.used) : std::nullopt;
    statistics_.memory_budget = memory.budget;
}

Result<Frame> VulkanRenderer::finish(Nanoseconds start, VulkanOverlay::Answer answer) const {
    auto image = targets_->image();
    if (!image.ok()) return image.error();
    Frame frame;
    frame.image = std::move(*image);
    frame.changes = std::move(answer.changes);
    frame.overlay_wants_mouse = answer.wants_mouse;
    frame.device_ns = commands_->device_time().value_or(0);
    frame.render_ns = now_ns() - start;
    return frame;
}

} // namespace

Result<std::unique_ptr<Renderer>> make_vulkan_renderer() {
    return VulkanRenderer::create();
}

} // namespace blockloom::scene
