#include "scene/hud.h"

#include "base/number_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::scene {
namespace {

std::string milliseconds(float ms) {
    return time_text(static_cast<Nanoseconds>(static_cast<double>(ms) * 1e6));
}

} // namespace

void FrameStatistics::add(Nanoseconds frame) {
    if (frame_ms.size() == most) frame_ms.erase(frame_ms.begin());
    frame_ms.push_back(static_cast<float>(static_cast<double>(frame) / 1e6));
}

float FrameStatistics::longest_ms() const noexcept {
    return frame_ms.empty() ? 0 : *std::max_element(frame_ms.begin(), frame_ms.end());
}

std::vector<HudRow> hud_rows(const FrameRequest& request, const FrameStatistics& statistics,
                             bool device) {
    const char* const none = "unavailable (CPU canvas)";
    std::vector<HudRow> rows;
    if (statistics.frame_ms.empty()) {
        rows.push_back({"Frame time", "no frame yet"});
    } else {
        std::vector<float> sorted = statistics.frame_ms;
        std::sort(sorted.begin(), sorted.end());
        rows.push_back(
            {"Frame time", fmt::format("{}, median {}", milliseconds(statistics.frame_ms.back()),
                                       milliseconds(sorted[sorted.size() / 2]))});
    }
    rows.push_back({"On the device", !device ? none
                                     : statistics.device_ns == 0
                                         ? "not measured"
                                         : time_text(statistics.device_ns)});
    rows.push_back({"Draw calls", !device                  ? none
                                  : !statistics.draw_calls ? "no frame yet"
                                                           : count_text(*statistics.draw_calls)});
    rows.push_back({"GPU memory", !device ? none
                                  : !statistics.memory_bytes
                                      ? "not reported by the driver"
                                      : fmt::format("{} of {}", size_text(*statistics.memory_bytes),
                                                    size_text(statistics.memory_budget))});
    const Camera& camera = request.camera;
    rows.push_back({"Camera", fmt::format("{:.1f}, {:.1f}", camera.centre_x, camera.centre_y)});
    rows.push_back({"Scale", fmt::format("{} × {} px per unit", three_digits(camera.scale_x),
                                         three_digits(camera.scale_y))});
    rows.push_back({"Image", fmt::format("{} × {} px", request.width, request.height)});
    return rows;
}

} // namespace blockloom::scene
