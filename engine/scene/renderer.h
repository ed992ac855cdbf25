// Draws display lists into images. Two renderers with one interface: Vulkan, and Cairo on the CPU.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "scene/display_list.h"
#include "scene/overlay.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace blockloom::scene {

/// The visible part of the world: the world point in the centre of the image, and pixels per world
/// unit.
struct Camera {
    double centre_x = 0, centre_y = 0;
    double scale_x = 1, scale_y = 1;

    /// Shows all of `world` with a margin of `margin` pixels.
    [[nodiscard]] static Camera fit(const Rect& world, int width, int height, bool keep_aspect,
                                    float margin = 16);
    [[nodiscard]] Point to_screen(Point world, int width, int height) const noexcept;
    [[nodiscard]] Point to_world(Point screen, int width, int height) const noexcept;
    /// Zooms by `factor` so that the world point under `screen` stays there.
    [[nodiscard]] Camera zoomed(Point screen, double factor_x, double factor_y, int width,
                                int height) const noexcept;
    [[nodiscard]] bool is_within(const ZoomRange& zooms) const noexcept;
    friend bool operator==(const Camera&, const Camera&) = default;
};

/// Which kinds of items are drawn: all but where somebody looks for what takes the time.
struct DrawnKinds {
    bool lines = true, boxes = true, texts = true;
    bool marks = true; ///< selection, hover, chain
    friend bool operator==(const DrawnKinds&, const DrawnKinds&) = default;
};

/// One picture to make. `base` is shared and cached by address between frames; `marks` (selection,
/// hover, chain) are small and rebuilt each time. `pixel_ratio`: device pixels per logical pixel;
/// width and height are device pixels.
struct FrameRequest {
    std::shared_ptr<const DisplayList> base;
    std::vector<Layer> marks;
    Camera camera; ///< in logical pixels
    int width = 0, height = 0;
    float pixel_ratio = 1;
    DrawnKinds drawn;
    std::optional<OverlayFrame> overlay; ///< head-up display and its input; none: not drawn
};

/// A finished picture: rows of B, G, R, A bytes (opaque), top row first, no padding.
/// QImage::Format_RGB32.
struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> bgra;
};

struct Frame {
    Image image;
    std::vector<OverlayChange> changes; ///< what the user did in the overlay
    bool overlay_wants_mouse = false;   ///< the pointer is over the overlay: do not pan
    Nanoseconds render_ns = 0;          ///< from taking the request to the finished image
    Nanoseconds device_ns = 0;          ///< of that, on the device by its own clock; 0: no clock
    bool reused = false;                ///< the same picture as before: nothing was drawn
};

/// Not thread-safe: owned by one thread (RenderThread).
class Renderer {
public:
    virtual ~Renderer() = default;
    [[nodiscard]] virtual Result<Frame> render(const FrameRequest& request) = 0;
    /// "Vulkan · llvmpipe" or "Cairo": shown in the status bar, so that no fallback is silent.
    [[nodiscard]] virtual std::string name() const = 0;
};

[[nodiscard]] Result<std::unique_ptr<Renderer>> make_vulkan_renderer();
[[nodiscard]] std::unique_ptr<Renderer> make_cairo_renderer();
/// Vulkan if a device is available, else Cairo; `why` receives the reason for Cairo. The
/// environment variable BLOCKLOOM_RENDERER=cairo|vulkan overrides this.
[[nodiscard]] std::unique_ptr<Renderer> make_renderer(std::string& why);
/// Checks the value of that variable, if it is set.
[[nodiscard]] Status check_renderer_choice();

enum class FileKind : std::uint8_t { png, svg, pdf };
/// Writes a view with Cairo: vectors for SVG and PDF. Sizes in logical pixels (PDF: points).
Status export_view(const FrameRequest& request, FileKind kind, const std::string& path);
/// The view as SVG text, for inlining in a report.
[[nodiscard]] Result<std::string> svg_text(const FrameRequest& request);
/// Writes an image as PNG.
Status write_png(const Image& image, const std::string& path);

} // namespace blockloom::scene
