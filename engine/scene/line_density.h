// Thousands of thin translucent lines at once: their optical depths are added up per pixel, and one
// pass colours the result. On a processor this is many times faster than rasterising them one by
// one, and smoother; the order of lines of one colour does not matter.
#pragma once

#include "scene/camera_pixels.h"

#include <span>
#include <vector>

namespace blockloom::scene {

/// Lines of one colour that are drawn together.
struct DenseLines {
    Colour colour; ///< without its alpha: each line has its own
    std::vector<Line> lines;
};

/// A layer's lines, split. `dense` is drawn first.
struct SplitLines {
    std::vector<DenseLines> dense;
    std::vector<Line> others;
};

/// From this number of suitable lines of one colour on, they are drawn as a density.
inline constexpr std::size_t dense_from = 500;

/// Suitable lines are solid, at most 3 device pixels wide, with an alpha of at most 96; at most
/// four colours become dense.
[[nodiscard]] SplitLines split_lines(std::span<const Line> lines, float ratio);

/// A field of optical depths with a border of a few pixels, so that drawing needs no clipping.
struct DensityField {
    static constexpr int border = 4;
    static constexpr double unit = 65536; ///< depth 1: the background is dimmed to 1/e

    int width = 0, height = 0; ///< of the image
    std::uint32_t* depths = nullptr;

    [[nodiscard]] int stride() const noexcept { return width + 2 * border; }
    [[nodiscard]] static std::size_t cells(int width, int height) noexcept {
        return static_cast<std::size_t>(width + 2 * border) *
               static_cast<std::size_t>(height + 2 * border);
    }
    [[nodiscard]] const std::uint32_t* row(int y) const noexcept {
        return depths + static_cast<std::ptrdiff_t>(y + border) * stride() + border;
    }
    /// Sets all depths to zero and adds up the lines.
    void draw(std::span<const Line> lines, const PixelMap& map) const;
};

} // namespace blockloom::scene
