// A list with everything that a sink can draw, and requests for it.
#pragma once

#include "scene/renderer.h"
#include "scene/theme.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

namespace blockloom::scene::tests {

inline std::shared_ptr<DisplayList> sample_list(const Theme& theme = dark_theme()) {
    auto list = std::make_shared<DisplayList>();
    list->background = theme.canvas;
    list->world = {0, 0, 100, 100};
    Layer layer;
    for (int i = 0; i < 40; ++i) {
        const double angle = i * 0.16;
        layer.lines.push_back({{10, 10},
                               {static_cast<float>(60 * std::cos(angle) + 10),
                                static_cast<float>(60 * std::sin(angle) + 10)},
                               with_alpha(theme.text2, 77),
                               1,
                               i % 5 == 0});
    }
    layer.lines.push_back({{5, 80}, {95, 80}, theme.critical, 3, false});
    layer.lines.push_back({{5, 82}, {95, 83}, theme.accent, 2, true});
    for (int i = 0; i < 20; ++i) {
        Box box;
        const auto size = static_cast<float>(i < 8 ? 5 : i + 1);
        box.mark = true;
        box.rect = {5.0F + static_cast<float>(i) * 4.5F, 50, size, size};
        box.fill = theme.ordinal(static_cast<std::size_t>(i), 20);
        box.shape = static_cast<Shape>(i % 4);
        layer.boxes.push_back(box);
        box.rect.y = 58;
        box.outline = theme.text;
        box.outline_width = static_cast<float>(1 + i % 2);
        layer.boxes.push_back(box);
        box.rect.y = 66;
        box.fill = transparent;
        box.dashed = i % 4 < 2;
        layer.boxes.push_back(box);
    }
    for (int i = 0; i < 10; ++i) {
        Box box;
        box.rect = {5.0F + static_cast<float>(i) * 9, 86, 8, 4};
        box.fill = theme.ordinal(static_cast<std::size_t>(i), 10);
        box.hatched = i == 4;
        box.dashed = i % 3 == 1;
        box.outline = i % 3 == 0 ? transparent : theme.text2;
        box.outline_width = 1;
        layer.boxes.push_back(box);
    }
    layer.texts.push_back(
        {{50, 20}, "Level 2 → 25 × 0.1 µs", theme.text, 16, Anchor::left, Face::medium});
    layer.texts.push_back({{50, 25}, "Drawing 922 of 1,113 edges", theme.text2, 12});
    layer.texts.push_back(
        {{50, 29}, "5f877a688d…:13", theme.text3, 11, Anchor::centre, Face::mono});
    layer.texts.push_back({{50, 33}, "0123456789 ✓", theme.ok, 11, Anchor::right});
    list->layers.push_back(layer);
    Layer screen;
    screen.space = Space::screen;
    screen.boxes.push_back({{10, 10, 120, 24}, theme.raised, theme.line, 1});
    screen.texts.push_back({{70, 22}, "legend", theme.text, 12, Anchor::centre});
    list->layers.push_back(screen);
    return list;
}

inline FrameRequest request_for(std::shared_ptr<const DisplayList> list, int width = 640,
                                int height = 480, float ratio = 1) {
    FrameRequest request;
    request.width = width;
    request.height = height;
    request.pixel_ratio = ratio;
    request.camera = Camera::fit(list->world, static_cast<int>(static_cast<float>(width) / ratio),
                                 static_cast<int>(static_cast<float>(height) / ratio), false);
    request.base = std::move(list);
    return request;
}

/// `edges` thin translucent lines between random places.
inline std::shared_ptr<DisplayList> many_lines(int edges, std::uint8_t alpha,
                                               std::uint32_t seed = 1) {
    auto list = std::make_shared<DisplayList>();
    list->background = dark_theme().canvas;
    list->world = {0, 0, 100, 100};
    list->layers.emplace_back();
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> place(0, 100);
    for (int i = 0; i < edges; ++i)
        list->layers[0].lines.push_back({{place(random), place(random)},
                                         {place(random), place(random)},
                                         with_alpha(dark_theme().text2, alpha),
                                         1,
                                         false});
    return list;
}

/// How two images of the same size differ.
struct Difference {
    double mean = 0;      ///< of all channels, 0 … 255
    double far_share = 0; ///< pixels with a channel that differs by more than 48
    double light = 0;     ///< relative difference of the summed distance from the ground
    bool same_bounds = false;
};

struct Bounds {
    int left = 1 << 30, top = 1 << 30, right = -1, bottom = -1;
};

inline Bounds bounds_of(const Image& image, Colour ground) {
    Bounds b;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const auto* p = image.bgra.data() +
                            (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                             static_cast<std::size_t>(x)) *
                                4;
            if (std::abs(p[0] - ground.b) + std::abs(p[1] - ground.g) + std::abs(p[2] - ground.r) <
                40)
                continue;
            b.left = std::min(b.left, x);
            b.right = std::max(b.right, x);
            b.top = std::min(b.top, y);
            b.bottom = std::max(b.bottom, y);
        }
    return b;
}

inline Difference compare(const Image& a, const Image& b, Colour ground) {
    Difference d;
    double light_a = 0, light_b = 0;
    const int channels[3]{ground.b, ground.g, ground.r};
    const std::size_t pixels = a.bgra.size() / 4;
    for (std::size_t i = 0; i < pixels; ++i) {
        int worst = 0;
        for (std::size_t c = 0; c < 3; ++c) {
            const int va = a.bgra[i * 4 + c], vb = b.bgra[i * 4 + c];
            worst = std::max(worst, std::abs(va - vb));
            d.mean += std::abs(va - vb);
            light_a += std::abs(va - channels[c]);
            light_b += std::abs(vb - channels[c]);
        }
        if (worst > 48) d.far_share += 1;
    }
    d.mean /= static_cast<double>(pixels) * 3;
    d.far_share /= static_cast<double>(pixels);
    d.light = std::abs(light_a - light_b) / std::max(1.0, light_b);
    const Bounds ba = bounds_of(a, ground), bb = bounds_of(b, ground);
    d.same_bounds = std::abs(ba.left - bb.left) <= 1 && std::abs(ba.top - bb.top) <= 1 &&
                    std::abs(ba.right - bb.right) <= 1 && std::abs(ba.bottom - bb.bottom) <= 1;
    return d;
}

} // namespace blockloom::scene::tests
