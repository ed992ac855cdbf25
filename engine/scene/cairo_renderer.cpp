#include "scene/cairo_draw.h"

#include <cstring>
#include <fmt/format.h>

namespace blockloom::scene {
namespace {

constexpr int max_cairo_side = 16384; // beyond it Cairo's fixed point runs out

class CairoRenderer final : public Renderer {
public:
    Result<Frame> render(const FrameRequest& request) override {
        const Nanoseconds start = now_ns();
        if (auto good = check_request(request, max_cairo_side); !good.ok()) return good.error();
        const CairoSurface surface(
            cairo_image_surface_create(CAIRO_FORMAT_RGB24, request.width, request.height));
        PanelAnswer answer;
        {
            const CairoContext context(cairo_create(surface.get()));
            draw_request(context.get(), request, faces_, CairoTarget::raster);
            if (request.overlay) answer = draw_panel(context.get(), request, statistics_, faces_);
            if (const cairo_status_t status = cairo_status(context.get());
                status != CAIRO_STATUS_SUCCESS)
                return Error{ErrorCode::system,
                             fmt::format("Cairo, image of {} × {}: {}", request.width,
                                         request.height, cairo_status_to_string(status))};
        }
        cairo_surface_flush(surface.get());
        Frame frame;
        frame.image.width = request.width;
        frame.image.height = request.height;
        const auto row = static_cast<std::size_t>(request.width) * 4;
        frame.image.bgra.resize(row * static_cast<std::size_t>(request.height));
        const unsigned char* from = cairo_image_surface_get_data(surface.get());
        const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
        for (std::size_t y = 0; y < static_cast<std::size_t>(request.height); ++y)
            std::memcpy(frame.image.bgra.data() + y * row, from + y * stride, row);
        for (std::size_t i = 3; i < frame.image.bgra.size(); i += 4) frame.image.bgra[i] = 255;
        frame.changes = std::move(answer.changes);
        frame.overlay_wants_mouse = answer.wants_mouse;
        frame.render_ns = now_ns() - start;
        statistics_.add(frame.render_ns);
        return frame;
    }

    std::string name() const override { return "Cairo"; }

private:
    GlyphFaces faces_;
    FrameStatistics statistics_;
};

} // namespace

std::unique_ptr<Renderer> make_cairo_renderer() {
    return std::make_unique<CairoRenderer>();
}

} // namespace blockloom::scene
