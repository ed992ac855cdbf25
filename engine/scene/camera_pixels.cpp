#include "scene/camera_pixels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace blockloom::scene {
namespace {

constexpr double box_margin = 64; // pixels outside the image that are still exact

double rounded(double value) noexcept {
    return std::floor(value + 0.5);
}

} // namespace

PixelMap PixelMap::of(const FrameRequest& request, Space space, float shift) noexcept {
    PixelMap map;
    map.ratio = static_cast<double>(request.pixel_ratio);
    map.scale_x = map.scale_y = map.ratio;
    map.offset_x = static_cast<double>(shift) * map.ratio;
    if (space == Space::screen) return map;
    map.centre_x = request.camera.centre_x;
    map.centre_y = request.camera.centre_y;
    map.scale_x = request.camera.scale_x * map.ratio;
    map.scale_y = request.camera.scale_y * map.ratio;
    map.offset_x += request.width / 2.0;
    map.offset_y = request.height / 2.0;
    return map;
}

PixelBox pixel_box(const Box& box, const PixelMap& map, int width, int height) noexcept {
    PixelBox result;
    const auto x = static_cast<double>(box.rect.x), y = static_cast<double>(box.rect.y);
    const auto w = static_cast<double>(box.rect.width), h = static_cast<double>(box.rect.height);
    if (box.mark) {
        const double across = std::max(1.0, rounded(w * map.ratio));
        const double down = std::max(1.0, rounded(h * map.ratio));
        result.left = rounded(map.x(x) - across / 2);
        result.top = rounded(map.y(y) - down / 2);
        result.right = result.left + across;
        result.bottom = result.top + down;
    } else {
        const auto side = [](double a, double b, int size, double& low, double& high) {
            low = rounded(std::clamp(std::min(a, b), -box_margin, size + box_margin));
            high = std::max(low + 1,
                            rounded(std::clamp(std::max(a, b), -box_margin, size + box_margin)));
        };
        // The far edge as lists and shaders compute it, in single precision: neighbours that share
        // an edge share it in pixels too.
        const auto far_x = static_cast<double>(box.rect.x + box.rect.width);
        const auto far_y = static_cast<double>(box.rect.y + box.rect.height);
        side(map.x(x), map.x(far_x), width, result.left, result.right);
        side(map.y(y), map.y(far_y), height, result.top, result.bottom);
    }
    if (box.outline_width > 0 && box.outline.a > 0)
        result.outline = std::max(1.0, rounded(static_cast<double>(box.outline_width) * map.ratio));
    result.dashed = box.dashed && std::min(result.width(), result.height()) >= 6 * map.ratio;
    return result;
}

PixelLine pixel_line(const Line& line, const PixelMap& map, int width, int height,
                     double margin) noexcept {
    PixelLine result;
    result.x0 = map.x(static_cast<double>(line.from.x));
    result.y0 = map.y(static_cast<double>(line.from.y));
    result.x1 = map.x(static_cast<double>(line.to.x));
    result.y1 = map.y(static_cast<double>(line.to.y));
    result.width = static_cast<double>(line.width) * map.ratio;
    const bool upright = line.from.x == line.to.x, level = line.from.y == line.to.y;
    if (upright || level) {
        result.width = std::max(1.0, rounded(result.width));
        const double half = result.width / 2;
        if (upright) result.x0 = result.x1 = rounded(result.x0 - half) + half;
        if (level) result.y0 = result.y1 = rounded(result.y0 - half) + half;
    } else if (result.width < 1) {
        result.alpha = result.width;
        result.width = 1;
    }
    // Liang and Barsky: the part t0 … t1 of the line that lies inside.
    double t0 = 0, t1 = 1;
    const double dx = result.x1 - result.x0, dy = result.y1 - result.y0;
    const auto clip = [&t0, &t1](double direction, double distance) {
        if (direction == 0) return distance >= 0;
        const double t = distance / direction;
        if (direction < 0) {
            t0 = std::max(t0, t);
        } else {
            t1 = std::min(t1, t);
        }
        return t0 <= t1;
    };
    result.visible = clip(-dx, result.x0 + margin) && clip(dx, width + margin - result.x0) &&
                     clip(-dy, result.y0 + margin) && clip(dy, height + margin - result.y0);
    if (!result.visible) return result;
    const double x0 = result.x0, y0 = result.y0;
    result.x0 = x0 + t0 * dx;
    result.y0 = y0 + t0 * dy;
    result.x1 = x0 + t1 * dx;
    result.y1 = y0 + t1 * dy;
    if (t0 > 0) result.before = t0 * std::hypot(dx, dy);
    return result;
}

Status check_request(const FrameRequest& request, int max_side) {
    if (request.width < 1 || request.height < 1 || request.width > max_side ||
        request.height > max_side)
        return Error{ErrorCode::wrong_usage,
                     fmt::format("image size: expected 1 … {} pixels a side, found {} × {}",
                                 max_side, request.width, request.height)};
    const Camera& camera = request.camera;
    for (const double value : {camera.centre_x, camera.centre_y, camera.scale_x, camera.scale_y})
        if (!std::isfinite(value))
            return Error{ErrorCode::wrong_usage, "camera: expected finite numbers"};
    if (!(request.pixel_ratio >= 0.25F && request.pixel_ratio <= 16))
        return Error{ErrorCode::wrong_usage,
                     fmt::format("pixel ratio: expected 0.25 … 16, found {}", request.pixel_ratio)};
    return {};
}

} // namespace blockloom::scene
