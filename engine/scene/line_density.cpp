#include "scene/line_density.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace blockloom::scene {
namespace {

constexpr std::size_t most_colours = 4;
constexpr int widest = 3; // device pixels
// Depths add up right for whole pixels; for half covered ones only while lines are faint.
constexpr std::uint8_t most_alpha = 96;

int strands(const Line& line, double ratio) noexcept {
    return std::max(1, static_cast<int>(std::lround(static_cast<double>(line.width) * ratio)));
}

bool suitable(const Line& line, float ratio) noexcept {
    return !line.dashed && line.colour.a > 0 && line.colour.a <= most_alpha &&
           strands(line, static_cast<double>(ratio)) <= widest;
}

bool same_rgb(Colour a, Colour b) noexcept {
    return a.r == b.r && a.g == b.g && a.b == b.b;
}

/// One line of a pixel's width between pixel centres (ax, ay) and (bx, by); (0, 0) is the middle of
/// the first pixel. In each step along the longer axis its depth goes to the two nearest pixels.
void add_strand(const DensityField& field, double ax, double ay, double bx, double by,
                double depth) {
    const bool steep = std::abs(by - ay) > std::abs(bx - ax);
    if (steep) {
        std::swap(ax, ay);
        std::swap(bx, by);
    }
    if (ax > bx) {
        std::swap(ax, bx);
        std::swap(ay, by);
    }
    const auto first = static_cast<int>(std::ceil(ax)), end = static_cast<int>(std::ceil(bx));
    if (end <= first) return;
    const double slope = (by - ay) / (bx - ax);
    const double across = ay + (first - ax) * slope;
    const auto weight = static_cast<std::uint32_t>(depth * std::sqrt(1 + slope * slope));
    // 32.32 fixed point: what a double cannot show in one step adds up over thousands.
    constexpr double one = 4294967296.0;
    auto place = static_cast<std::int64_t>(across * one);
    const auto step = static_cast<std::int64_t>(slope * one);
    const std::ptrdiff_t stride = field.stride();
    const std::ptrdiff_t along = steep ? stride : 1, aside = steep ? 1 : stride;
    std::uint32_t* at = field.depths + (DensityField::border * stride + DensityField::border) +
                        static_cast<std::ptrdiff_t>(first) * along;
    for (int i = first; i < end; ++i, at += along, place += step) {
        const auto part = static_cast<std::uint32_t>(place >> 20) & 0xFFFU;
        const auto far =
            static_cast<std::uint32_t>(static_cast<std::uint64_t>(weight) * part >> 12);
        std::uint32_t* near = at + static_cast<std::ptrdiff_t>(place >> 32) * aside;
        near[0] += weight - far;
        near[aside] += far;
    }
}

} // namespace

SplitLines split_lines(std::span<const Line> lines, float ratio) {
    SplitLines split;
    struct Count {
        Colour colour;
        std::size_t lines = 0;
    };
    std::vector<Count> counts; // few: views draw edges in a handful of colours
    if (lines.size() >= dense_from) {
        for (const Line& line : lines) {
            if (!suitable(line, ratio)) continue;
            auto found = std::find_if(counts.begin(), counts.end(), [&line](const Count& c) {
                return same_rgb(c.colour, line.colour);
            });
            if (found == counts.end()) {
                if (counts.size() >= 64) continue; // a rainbow is no density
                found = counts.insert(counts.end(), Count{line.colour, 0});
            }
            ++found->lines;
        }
    }
    std::stable_sort(counts.begin(), counts.end(),
                     [](const Count& a, const Count& b) { return a.lines > b.lines; });
    for (const Count& count : counts)
        if (count.lines >= dense_from && split.dense.size() < most_colours) {
            split.dense.push_back({count.colour, {}});
            split.dense.back().lines.reserve(count.lines);
        }
    split.others.reserve(split.dense.empty() ? lines.size() : 0);
    for (const Line& line : lines) {
        const auto found =
            std::find_if(split.dense.begin(), split.dense.end(),
                         [&line](const DenseLines& d) { return same_rgb(d.colour, line.colour); });
        if (found != split.dense.end() && suitable(line, ratio)) {
            found->lines.push_back(line);
        } else {
            split.others.push_back(line);
        }
    }
    return split;
}

void DensityField::draw(std::span<const Line> lines, const PixelMap& map) const {
    std::memset(depths, 0, cells(width, height) * sizeof *depths);
    for (const Line& line : lines) {
        const PixelLine p = pixel_line(line, map, width, height, 1);
        if (!p.visible) continue;
        const double alpha = line.colour.a / 255.0 * p.alpha;
        const int count = strands(line, map.ratio);
        const double depth = -std::log1p(-alpha) * unit * std::min(1.0, p.width / count);
        const double dx = p.x1 - p.x0, dy = p.y1 - p.y0;
        const double length = std::max(std::hypot(dx, dy), 1e-9);
        for (int i = 0; i < count; ++i) {
            const double offset = i - (count - 1) / 2.0;
            const double ox = -dy / length * offset - 0.5, oy = dx / length * offset - 0.5;
            add_strand(*this, p.x0 + ox, p.y0 + oy, p.x1 + ox, p.y1 + oy, depth);
        }
    }
}

} // namespace blockloom::scene
