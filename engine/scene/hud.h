// What the head-up display says of a renderer: the same rows whichever renderer draws them.
#pragma once

#include "scene/renderer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::scene {

/// Of the frames before the one that is drawn.
struct FrameStatistics {
    static constexpr std::size_t most = 120;

    std::vector<float> frame_ms; ///< oldest first; from request taken to image ready
    Nanoseconds device_ns = 0;   ///< of the last frame, by the device's clock; 0: it has none
    std::optional<std::uint32_t> draw_calls;   ///< of the last frame; none: no device draws
    std::optional<std::uint64_t> memory_bytes; ///< of this process on the device; none: unknown
    std::uint64_t memory_budget = 0;           ///< what it may have of it

    void add(Nanoseconds frame);
    [[nodiscard]] float longest_ms() const noexcept; ///< 0: no frame yet
};

struct HudRow {
    std::string name, value;
};

/// Frame time, device time, draw calls, memory, camera. `device`: whether a device draws.
[[nodiscard]] std::vector<HudRow> hud_rows(const FrameRequest& request,
                                           const FrameStatistics& statistics, bool device);

} // namespace blockloom::scene
