#include "canvas/view_camera.h"

#include <algorithm>
#include <cmath>

namespace blockloom::ui {

void ViewCamera::setMode(Mode mode) {
    if (mode == mode_) return;
    mode_ = mode;
    fitted_ = true;
    resize(width_, height_);
}

void ViewCamera::setWorld(const scene::Rect& world, bool keep) {
    world_ = world;
    if (!keep) fitted_ = true;
    resize(width_, height_);
}

void ViewCamera::resize(int width, int height) {
    width_ = width;
    height_ = height;
    if (width <= 0 || height <= 0) return;
    fit_ = scene::Camera::fit(world_, width, height, mode_ == Mode::aspect);
    if (mode_ == Mode::horizontal) {
        const Run r = run();
        fit_.scale_x = std::max(1.0, width - r.left - r.right) / std::max(1e-9, r.to - r.from);
        fit_.centre_x = r.from + (width / 2.0 - r.left) / fit_.scale_x;
        const double tall = std::max(1e-9, static_cast<double>(world_.height));
        fit_.scale_y = std::max(1.0, height - r.top - r.bottom) / tall;
        fit_.centre_y = static_cast<double>(world_.y) + (height / 2.0 - r.top) / fit_.scale_y;
    }
    if (fitted_) {
        camera_ = fit_;
        return;
    }
    if (mode_ == Mode::horizontal) {
        camera_.centre_y = fit_.centre_y;
        camera_.scale_y = fit_.scale_y;
    }
    clampToWorld();
}

void ViewCamera::fit() {
    fitted_ = true;
    camera_ = fit_;
}

void ViewCamera::zoomAt(double x, double y, double factor) {
    if (width_ <= 0 || height_ <= 0 || !(factor > 0)) return;
    const double floor = mode_ == Mode::horizontal ? 1.0 : least;
    const double now = camera_.scale_x / fit_.scale_x;
    const double next = std::clamp(now * factor, floor, most);
    if (mode_ == Mode::horizontal && next == floor) return fit();
    const double bounded = next / now;
    if (bounded == 1.0) return;
    fitted_ = false;
    const scene::Point at{static_cast<float>(x), static_cast<float>(y)};
    camera_ =
        camera_.zoomed(at, bounded, mode_ == Mode::horizontal ? 1.0 : bounded, width_, height_);
    if (mode_ == Mode::horizontal) {
        camera_.centre_y = fit_.centre_y;
        camera_.scale_y = fit_.scale_y;
    }
    clampToWorld();
}

void ViewCamera::panBy(double dx, double dy) {
    if (width_ <= 0 || height_ <= 0) return;
    fitted_ = false;
    camera_.centre_x -= dx / camera_.scale_x;
    if (mode_ != Mode::horizontal) camera_.centre_y -= dy / camera_.scale_y;
    clampToWorld();
}

ViewCamera::Run ViewCamera::run() const {
    if (run_) return *run_;
    const auto from = static_cast<double>(world_.x);
    return {.from = from, .to = from + static_cast<double>(world_.width)};
}

void ViewCamera::setRun(const Run& run) {
    run_ = run;
    resize(width_, height_);
}

ViewCamera::Run ViewCamera::shownRun() const {
    Run shown = run();
    const auto world_x = [this](double x) {
        return camera_.centre_x + (x - width_ / 2.0) / camera_.scale_x;
    };
    shown.from = world_x(shown.left);
    shown.to = world_x(width_ - shown.right);
    return shown;
}

void ViewCamera::showSpan(double from, double to) {
    if (width_ <= 0 || !(to > from)) return;
    const Run r = run();
    const double scale = std::max(1.0, width_ - r.left - r.right) / (to - from);
    if (mode_ == Mode::horizontal && scale <= fit_.scale_x) return fit();
    fitted_ = false;
    camera_.scale_x = std::clamp(scale, fit_.scale_x * least, fit_.scale_x * most);
    if (mode_ == Mode::aspect) camera_.scale_y = camera_.scale_x;
    camera_.centre_x = from + (width_ / 2.0 - r.left) / camera_.scale_x;
    clampToWorld();
}

void ViewCamera::centreOn(scene::Point world) {
    fitted_ = false;
    camera_.centre_x = world.x;
    if (mode_ != Mode::horizontal) camera_.centre_y = world.y;
    clampToWorld();
}

scene::Point ViewCamera::toWorld(double x, double y) const {
    return camera_.to_world({static_cast<float>(x), static_cast<float>(y)}, width_, height_);
}

scene::Point ViewCamera::toScreen(scene::Point world) const {
    return camera_.to_screen(world, width_, height_);
}

scene::Rect ViewCamera::visible() const {
    const double width = width_ / camera_.scale_x;
    const double height = height_ / camera_.scale_y;
    return {static_cast<float>(camera_.centre_x - width / 2),
            static_cast<float>(camera_.centre_y - height / 2), static_cast<float>(width),
            static_cast<float>(height)};
}

int ViewCamera::percent() const {
    return static_cast<int>(std::lround(100.0 * camera_.scale_x / fit_.scale_x));
}

// In a Gantt no background is visible beyond the ends of the run; elsewhere only the middle must
// stay over the world, so that a corner can be brought to the middle but the picture cannot be
// lost.
void ViewCamera::clampToWorld() {
    double left = world_.x, right = world_.x + world_.width;
    if (mode_ == Mode::horizontal) {
        const Run r = run();
        left = r.from + (width_ / 2.0 - r.left) / camera_.scale_x;
        right = r.to - (width_ / 2.0 - r.right) / camera_.scale_x;
        if (left > right) left = right = fit_.centre_x;
    }
    camera_.centre_x = std::clamp(camera_.centre_x, left, right);
    if (mode_ == Mode::horizontal) return;
    camera_.centre_y =
        std::clamp(camera_.centre_y, static_cast<double>(world_.y),
                   static_cast<double>(world_.y) + static_cast<double>(world_.height));
}

} // namespace blockloom::ui
