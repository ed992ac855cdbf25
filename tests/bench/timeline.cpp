// A frame of the timeline over a million spans: what is asked of the index, the display list and
// its painting, at scales from the whole run to nanoseconds. The limit is a frame of 16 ms; the
// peer paints every span that is shown as a rectangle of its own.
#include "base/clock.h"
#include "canvas/list_painter.h"
#include "look/theme_style.h"
#include "profile/nesting.h"
#include "profile/recorder.h"
#include "report/timeline_picture.h"

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

using namespace blockloom;

namespace {

constexpr std::size_t spans = 1'000'000;
constexpr int workers = 32;
constexpr double limit_ms = 16;

/// A million spans on 32 workers, a driver and a device: lengths from 100 ns to 1 ms, some idle
/// time, each tenth with two inside it.
profile::Trace million() {
    std::mt19937_64 random(1);
    profile::Trace trace;
    trace.names = {"execute", "message", "call", "upload", "run", "download"};
    trace.heights = {960'000};
    const auto length = [&random] { // evenly over the powers of ten
        const double share = static_cast<double>(random() % 10'000) / 10'000;
        return static_cast<Nanoseconds>(100 * std::pow(10'000.0, share * share));
    };
    constexpr std::size_t lanes = workers + 2;
    for (std::size_t i = 0; i < lanes; ++i) {
        const bool device = i + 1 == lanes;
        profile::Lane lane{i == 0   ? "driver"
                           : device ? "device"
                                    : "worker " + std::to_string(i - 1),
                           i == 0   ? profile::LaneKind::driver
                           : device ? profile::LaneKind::device
                                    : profile::LaneKind::worker,
                           {}};
        const std::size_t count = spans / lanes + (i < spans % lanes ? 1 : 0);
        Nanoseconds at = static_cast<Nanoseconds>(random() % 1000);
        while (lane.spans.size() < count) {
            profile::Span span;
            span.begin = at;
            span.end = at + length();
            span.block = 0;
            span.task = static_cast<std::uint32_t>(lane.spans.size());
            span.name = static_cast<std::uint16_t>(i == 0 ? 0 : device ? 3 + random() % 3 : 1);
            lane.spans.push_back(span);
            if (span.task % 10 == 0 && !device)
                for (int half = 0; half < 2 && lane.spans.size() < count; ++half) {
                    profile::Span inner = span;
                    inner.begin = span.begin + half * span.duration() / 2;
                    inner.end = inner.begin + span.duration() / 3;
                    inner.name = 2;
                    lane.spans.push_back(inner);
                }
            at = span.end + static_cast<Nanoseconds>(random() % 5000);
        }
        profile::nest(lane.spans);
        trace.duration = std::max(trace.duration, lane.spans.back().end + 10'000);
        trace.lanes.push_back(std::move(lane));
    }
    profile::Counter counter{"transactions accepted", "", {}};
    for (int i = 0; i < 100'000; ++i)
        counter.points.push_back({trace.duration / 100'000 * i, std::int64_t{i}});
    trace.counters.push_back(std::move(counter));
    return trace;
}

/// What a window showed before.
const profile::Timeline& short_run() {
    static const profile::Timeline made([] {
        profile::Trace trace;
        trace.names = {"execute"};
        profile::Span span;
        span.end = trace.duration = 1'000'000;
        trace.lanes = {{"driver", profile::LaneKind::driver, {span}}};
        return trace;
    }());
    return made;
}

const profile::Timeline& timeline() {
    static const profile::Timeline made(million());
    return made;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Every span that is shown as its own rectangle: what there would be without an index.
void paint_each(QPainter& painter, const report::TimelineView& view) {
    painter.fillRect(0, 0, static_cast<int>(view.width), static_cast<int>(view.height),
                     ui::qcolor(scene::dark_theme().canvas));
    for (const report::TimelineBand& band : report::timeline_bands(timeline(), view)) {
        if (band.kind != report::TimelineBand::Kind::row) continue;
        const auto y = static_cast<int>(report::timeline_ruler + band.y);
        for (const profile::Span& span : timeline().spans(band.index)) {
            if (span.end <= view.shown.begin || span.begin >= view.shown.end) continue;
            const int from = static_cast<int>(std::max(view.x(span.begin), view.left()));
            const int to = static_cast<int>(std::min(view.x(span.end), view.right()));
            painter.fillRect(from, y, std::max(to - from, 1), 16,
                             ui::qcolor(report::span_colour(span.name, scene::dark_theme())));
        }
    }
}

/// `range(0)`: how much of the run is shown, one part in so many.
void frame(benchmark::State& state) {
    if (timeline().span_count() != spans) return state.SkipWithError("not a million spans");
    report::TimelineView view;
    view.width = 2560;
    view.height = 1440;
    QImage image(2560, 1440, QImage::Format_RGB32), window(image.size(), image.format());
    {
        // A window has its fonts and its pixels before a run is shown in it.
        view.shown = {0, short_run().duration()};
        image.fill(Qt::black);
        window.fill(Qt::black);
        ui::paint_list(image, report::draw_timeline(short_run(), view, {}, scene::dark_theme()));
    }
    const Nanoseconds length = std::max<Nanoseconds>(timeline().duration() / state.range(0), 1000);
    std::vector<double> prepare, all, peer;
    std::uint64_t boxes = 0, shown = 0;
    int at = 0;
    for (auto _ : state) {
        // Every frame shows another part, as while one pans.
        const Nanoseconds room = timeline().duration() - length;
        const Nanoseconds begin = room == 0 ? 0 : room / 97 * (++at % 97);
        view.shown = {begin, begin + length};
        Stopwatch watch;
        const scene::DisplayList list =
            report::draw_timeline(timeline(), view, {}, scene::dark_theme());
        const double prepared = static_cast<double>(watch.lap()) / 1e6;
        ui::paint_list(image, list);
        QPainter painter(&window); // as the canvas does
        painter.drawImage(0, 0, image);
        painter.end();
        prepare.push_back(prepared);
        all.push_back(prepared + static_cast<double>(watch.lap()) / 1e6);
        state.PauseTiming();
        if (peer.size() < 3) {
            Stopwatch slow;
            QPainter each(&image);
            paint_each(each, view);
            each.end();
            peer.push_back(static_cast<double>(slow.lap()) / 1e6);
        }
        boxes = 0;
        for (const scene::Layer& layer : list.layers) boxes += layer.boxes.size();
        shown = list.coverage.all_edges;
        state.ResumeTiming();
    }
    state.counters["spans_shown"] = static_cast<double>(shown);
    state.counters["boxes"] = static_cast<double>(boxes);
    state.counters["prepare_ms"] = median(prepare);
    state.counters["frame_ms"] = median(all);
    state.counters["worst_ms"] = *std::max_element(all.begin(), all.end());
    state.counters["each_span_ms"] = median(peer);
    state.counters["ratio_to_each_span"] = median(peer) / median(all);
    state.counters["ratio_to_16ms"] = limit_ms / median(all);
}

/// What a selection asks for, off the GUI thread: kinds, histograms and marks of a million spans.
void statistics(benchmark::State& state) {
    const profile::TimeRange all{0, timeline().duration()};
    for (auto _ : state) {
        benchmark::DoNotOptimize(profile::statistics_of(timeline(), all));
        benchmark::DoNotOptimize(profile::MarkedSpans(timeline(), all, {1, 1000, 100'000}));
    }
    state.counters["a_span"] =
        benchmark::Counter(static_cast<double>(state.iterations()) * spans,
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void index(benchmark::State& state) {
    const profile::Trace trace = million();
    for (auto _ : state) benchmark::DoNotOptimize(profile::Timeline(trace));
}

} // namespace

BENCHMARK(frame)
    ->Name("timeline/frame_of_1m_spans")
    ->ArgName("one_part_in")
    ->Arg(1)
    ->Arg(10)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10'000)
    ->Arg(1'000'000)
    ->Iterations(40)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(statistics)->Name("timeline/statistics_of_1m_spans")->Unit(benchmark::kMillisecond);
BENCHMARK(index)->Name("timeline/index_of_1m_spans")->Unit(benchmark::kMillisecond);

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen"); // painting is into an image
    const QApplication app(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
