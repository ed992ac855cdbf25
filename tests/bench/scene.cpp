// The renderer: first and later frames of a view on the Vulkan device, the Cairo sink beside it in
// the same process as the peer. Run it on an idle machine; every figure is the median of its runs.
#include "scene/renderer.h"
#include "scene/theme.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cmath>
#include <random>

namespace {

using namespace blockloom;
using namespace blockloom::scene;

constexpr int width = 1280, height = 800;

/// A graph laid out in columns: edges lead a few columns on, as in a layered view; `anywhere`: from
/// any node to any other, right across the picture.
std::shared_ptr<DisplayList> graph(int nodes, int edges, bool anywhere) {
    auto list = std::make_shared<DisplayList>();
    const Theme& theme = dark_theme();
    list->background = theme.canvas;
    list->world = {0, 0, 1000, 1000};
    list->layers.emplace_back();
    Layer& layer = list->layers[0];
    std::mt19937 random(1);
    constexpr int columns = 25;
    std::uniform_real_distribution<float> along(0, 1000);
    std::vector<Point> places;
    for (int i = 0; i < nodes; ++i) {
        const auto column = static_cast<float>(i % columns);
        places.push_back({column * 1000 / columns + 20, along(random)});
        Box box;
        box.mark = true;
        box.rect = {places.back().x, places.back().y, 5, 5};
        box.fill = theme.ordinal(static_cast<std::size_t>(i % columns), columns);
        layer.boxes.push_back(box);
    }
    const auto node = [&random, nodes] {
        return static_cast<std::size_t>(random() % static_cast<unsigned>(nodes));
    };
    while (static_cast<int>(layer.lines.size()) < edges) {
        const Point from = places[node()], to = places[node()];
        const float reach = to.x - from.x;
        if (!anywhere && (reach <= 0 || reach > 130)) continue;
        layer.lines.push_back({from, to, with_alpha(theme.text2, 38), 1, false});
    }
    for (int i = 0; i < columns; ++i)
        layer.texts.push_back({{static_cast<float>(i) * 1000 / columns + 20, -10},
                               std::to_string(i + 1),
                               theme.text3,
                               11,
                               Anchor::centre});
    return list;
}

FrameRequest request_for(std::shared_ptr<const DisplayList> list) {
    FrameRequest request;
    request.width = width;
    request.height = height;
    request.camera = Camera::fit(list->world, width, height, false);
    request.base = std::move(list);
    return request;
}

/// Milliseconds of each picture while the camera moves on.
std::vector<double> later_frames(Renderer& renderer, FrameRequest request, int count) {
    std::vector<double> times;
    for (int i = 0; i < count; ++i) {
        request.camera.centre_x += 1.5 / request.camera.scale_x;
        request.camera.scale_y *= 1.001;
        const auto frame = renderer.render(request);
        if (!frame.ok()) return {};
        times.push_back(static_cast<double>(frame->render_ns) / 1e6);
    }
    return times;
}

double median(std::vector<double> values) {
    if (values.empty()) return std::nan("");
    std::nth_element(values.begin(),
                     values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// From nothing to the first picture of 5,000 tasks: instance, device, pipelines, fonts, upload,
/// drawing. The peer is the Cairo sink from nothing.
void first(benchmark::State& state) {
    const auto list = graph(5'000, 10'000, false);
    const FrameRequest request = request_for(list);
    std::vector<double> make, draw, all, peer;
    for (auto _ : state) {
        Stopwatch watch;
        auto vulkan = make_vulkan_renderer();
        if (!vulkan.ok()) return state.SkipWithError(vulkan.error().message.c_str());
        make.push_back(static_cast<double>(watch.lap()) / 1e6);
        if (!(*vulkan)->render(request).ok()) return state.SkipWithError("no frame");
        draw.push_back(static_cast<double>(watch.lap()) / 1e6);
        all.push_back(make.back() + draw.back());
        const auto cairo = make_cairo_renderer();
        if (!cairo->render(request).ok()) return state.SkipWithError("no frame");
        peer.push_back(static_cast<double>(watch.lap()) / 1e6);
    }
    // The very first one of the process loads drivers and fonts: it is reported separately.
    state.counters["very_first_ms"] = all.front();
    state.counters["make_ms"] = median(make);
    state.counters["draw_ms"] = median(draw);
    state.counters["first_ms"] = median(all);
    state.counters["cairo_ms"] = median(peer);
    state.counters["ratio_to_cairo"] = median(peer) / median(all);
}
// Registered first and so run first: nothing may have warmed the process.
BENCHMARK(first)->Name("scene/first_frame_5k_tasks")->Iterations(7)->Unit(benchmark::kMillisecond);

/// 10,000 nodes and 20,000 edges; the ratio is Cairo's time over Vulkan's.
void later(benchmark::State& state) {
    const bool anywhere = state.range(0) != 0;
    const FrameRequest request = request_for(graph(10'000, 20'000, anywhere));
    auto vulkan = make_vulkan_renderer();
    if (!vulkan.ok()) return state.SkipWithError(vulkan.error().message.c_str());
    const auto cairo = make_cairo_renderer();
    if (!(*vulkan)->render(request).ok() || !cairo->render(request).ok())
        return state.SkipWithError("no frame");
    std::vector<double> ours, peer;
    for (auto _ : state) {
        const auto a = later_frames(**vulkan, request, 12), b = later_frames(*cairo, request, 4);
        ours.insert(ours.end(), a.begin(), a.end());
        peer.insert(peer.end(), b.begin(), b.end());
    }
    state.SetLabel((*vulkan)->name());
    state.counters["frame_ms"] = median(ours);
    state.counters["fps"] = 1000 / median(ours);
    state.counters["cairo_ms"] = median(peer);
    state.counters["ratio_to_cairo"] = median(peer) / median(ours);
}
BENCHMARK(later)
    ->Name("scene/later_frames_10k_nodes_20k_edges")
    ->ArgName("across")
    ->Arg(0)
    ->Arg(1)
    ->Iterations(3)
    ->Unit(benchmark::kMillisecond);

/// A marked node, pointer moves over the panel: the base list's picture is kept.
void marked(benchmark::State& state) {
    FrameRequest request = request_for(graph(10'000, 20'000, true));
    auto vulkan = make_vulkan_renderer();
    if (!vulkan.ok()) return state.SkipWithError(vulkan.error().message.c_str());
    request.marks.resize(1);
    Box box;
    box.mark = true;
    box.rect = {500, 500, 9, 9};
    box.fill = dark_theme().pick;
    request.marks[0].boxes.push_back(box);
    request.overlay.emplace();
    request.overlay->panel.title = "View";
    std::vector<double> times;
    for (auto _ : state)
        for (int i = 0; i < 20; ++i) {
            request.marks[0].boxes[0].rect.x += 1;
            request.overlay->input.mouse_x = static_cast<float>(i);
            const auto frame = (*vulkan)->render(request);
            if (!frame.ok()) return state.SkipWithError(frame.error().message.c_str());
            times.push_back(static_cast<double>(frame->render_ns) / 1e6);
        }
    state.counters["frame_ms"] = median(times);
}
BENCHMARK(marked)->Name("scene/marks_and_panel")->Iterations(3)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
