#include "scene/renderer.h"

#include <algorithm>

namespace blockloom::scene {

Camera Camera::fit(const Rect& world, int width, int height, bool keep_aspect, float margin) {
    Camera camera;
    camera.centre_x = static_cast<double>(world.x) + static_cast<double>(world.width) / 2;
    camera.centre_y = static_cast<double>(world.y) + static_cast<double>(world.height) / 2;
    const auto scale = [margin](int pixels, float units) {
        const double room = std::max(1.0, pixels - 2.0 * static_cast<double>(margin));
        return units > 0 ? room / static_cast<double>(units) : 0.0;
    };
    camera.scale_x = scale(width, world.width);
    camera.scale_y = scale(height, world.height);
    // A world without extent in one direction takes the other's scale; without any, one to one.
    if (camera.scale_x == 0) camera.scale_x = camera.scale_y;
    if (camera.scale_x == 0) camera.scale_x = 1;
    if (camera.scale_y == 0) camera.scale_y = camera.scale_x;
    if (keep_aspect) camera.scale_x = camera.scale_y = std::min(camera.scale_x, camera.scale_y);
    return camera;
}

Point Camera::to_screen(Point world, int width, int height) const noexcept {
    return {static_cast<float>((static_cast<double>(world.x) - centre_x) * scale_x + width / 2.0),
            static_cast<float>((static_cast<double>(world.y) - centre_y) * scale_y + height / 2.0)};
}

Point Camera::to_world(Point screen, int width, int height) const noexcept {
    return {
        static_cast<float>((static_cast<double>(screen.x) - width / 2.0) / scale_x + centre_x),
        static_cast<float>((static_cast<double>(screen.y) - height / 2.0) / scale_y + centre_y)};
}

Camera Camera::zoomed(Point screen, double factor_x, double factor_y, int width,
                      int height) const noexcept {
    // The distance from the centre in world units shrinks by the factor.
    const double dx = (static_cast<double>(screen.x) - width / 2.0) / scale_x;
    const double dy = (static_cast<double>(screen.y) - height / 2.0) / scale_y;
    Camera camera = *this;
    camera.scale_x *= factor_x;
    camera.scale_y *= factor_y;
    camera.centre_x += dx - dx / factor_x;
    camera.centre_y += dy - dy / factor_y;
    return camera;
}

bool Camera::is_within(const ZoomRange& zooms) const noexcept {
    const double scale = std::min(scale_x, scale_y);
    return scale >= static_cast<double>(zooms.from) && scale < static_cast<double>(zooms.below);
}

} // namespace blockloom::scene
