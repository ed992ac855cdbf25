// A renderer that a test can look into, and a list whose targets a test can aim at.
#pragma once

#include "canvas/scene_canvas.h"

#include <atomic>
#include <memory>
#include <mutex>

namespace blockloom::test {

/// What the render thread saw and what it shall do.
struct RendererProbe {
    std::mutex mutex;
    std::vector<scene::FrameRequest> requests;
    bool fail = false;
    scene::Rect overlay{10, 10, 100, 60}; ///< where the pretended panel lies
    std::atomic<int> made = 0;

    scene::FrameRequest last() {
        const std::lock_guard lock(mutex);
        return requests.empty() ? scene::FrameRequest{} : requests.back();
    }
};

/// Paints the background; the overlay toggles "edges" at a press inside its rectangle.
class ProbeRenderer final : public scene::Renderer {
public:
    explicit ProbeRenderer(std::shared_ptr<RendererProbe> probe) : probe_(std::move(probe)) {
        ++probe_->made;
    }

    Result<scene::Frame> render(const scene::FrameRequest& request) override {
        const std::lock_guard lock(probe_->mutex);
        probe_->requests.push_back(request);
        if (probe_->fail) return Error{ErrorCode::unavailable, "probe: told to fail"};
        scene::Frame frame;
        frame.image.width = request.width;
        frame.image.height = request.height;
        frame.image.bgra.assign(static_cast<std::size_t>(request.width) *
                                    static_cast<std::size_t>(request.height) * 4,
                                0xFF);
        frame.render_ns = 1000;
        if (request.overlay) {
            const scene::OverlayInput& input = request.overlay->input;
            const bool inside = probe_->overlay.contains({input.mouse_x, input.mouse_y});
            frame.overlay_wants_mouse = inside;
            if (inside && input.pressed) {
                const bool on = request.overlay->panel.toggles.at(0).on;
                frame.changes.push_back({"edges", on ? 0 : 1});
            }
        }
        return frame;
    }

    std::string name() const override { return "Probe"; }

private:
    std::shared_ptr<RendererProbe> probe_;
};

inline ui::RendererFactory probe_factory(std::shared_ptr<RendererProbe> probe) {
    return [probe](std::string&) { return std::make_unique<ProbeRenderer>(probe); };
}

/// `columns` × `rows` boxes of 8 units, 10 apart; box (c, r) is task r · columns + c.
inline std::shared_ptr<const scene::DisplayList> grid_list(int columns, int rows) {
    auto list = std::make_shared<scene::DisplayList>();
    list->background = scene::dark_theme().canvas;
    list->world = {0, 0, static_cast<float>(10 * columns), static_cast<float>(10 * rows)};
    list->summary = "A grid.";
    scene::Layer layer;
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) {
            scene::PickTarget target;
            target.bounds = {static_cast<float>(10 * c + 1), static_cast<float>(10 * r + 1), 8, 8};
            target.task = static_cast<std::uint32_t>(r * columns + c);
            scene::Box box;
            box.rect = target.bounds;
            box.fill = scene::dark_theme().accent;
            layer.boxes.push_back(box);
            list->targets.push_back(target);
        }
    }
    list->layers.push_back(std::move(layer));
    return list;
}

} // namespace blockloom::test
