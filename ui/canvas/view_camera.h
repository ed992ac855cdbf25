// Which part of the world a canvas shows: the camera, what "fit" means, and the limits of zoom and
// pan. No widget, no Qt.
#pragma once

#include "scene/renderer.h"

#include <optional>

namespace blockloom::ui {

/// The camera of one canvas, in logical pixels. Stays fitted until the user zooms or pans; from
/// then on it keeps the world point in its middle when the canvas is resized.
class ViewCamera {
public:
    enum class Mode { aspect, stretch, horizontal };

    explicit ViewCamera(Mode mode) : mode_(mode) {}

    /// aspect: one scale for both axes. stretch: fit fills the canvas, zoom and pan in both.
    /// horizontal: y always stays fitted (Gantt).
    void setMode(Mode mode);
    /// `keep`: keep the camera if the user has moved it.
    void setWorld(const scene::Rect& world, bool keep);
    void resize(int width, int height);

    void fit();
    /// Zooms so that the world point under (`x`, `y`) stays there, within `least` … `most` times
    /// the fitted scale.
    void zoomAt(double x, double y, double factor);
    /// Moves the picture by that many pixels; the middle never leaves the world.
    void panBy(double dx, double dy);
    /// Horizontal: the run lies between these world x values when fitted, with that many pixels
    /// kept free at the sides at any zoom (lane names, the ruler). Without one, the run is the
    /// whole world.
    struct Run {
        double from = 0, to = 1;
        double left = 16, right = 16, top = 16, bottom = 16;
    };
    void setRun(const Run& run);
    [[nodiscard]] Run shownRun() const; ///< the part of the run between the margins
    /// Shows `from` … `to` of the world's x axis between the margins.
    void showSpan(double from, double to);
    void centreOn(scene::Point world);

    [[nodiscard]] const scene::Camera& camera() const noexcept { return camera_; }
    [[nodiscard]] scene::Point toWorld(double x, double y) const;
    [[nodiscard]] scene::Point toScreen(scene::Point world) const;
    [[nodiscard]] scene::Rect visible() const; ///< the part of the plane in the canvas
    [[nodiscard]] bool fitted() const noexcept { return fitted_; }
    [[nodiscard]] int percent() const; ///< 100: fitted

    static constexpr double least = 0.25;  ///< of the fitted scale; horizontal: 1
    static constexpr double most = 4000.0; ///< times the fitted scale

private:
    [[nodiscard]] Run run() const;
    void clampToWorld();

    Mode mode_;
    scene::Rect world_{0, 0, 1, 1};
    std::optional<Run> run_;
    int width_ = 0, height_ = 0;
    bool fitted_ = true;
    scene::Camera camera_, fit_;
};

} // namespace blockloom::ui
