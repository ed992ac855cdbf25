// Timelines as pictures: scales, ticks, places; what is drawn, folded, marked and written.
#include "profile/recorder.h"
#include "report/timeline_picture.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace blockloom;
using namespace blockloom::report;
using profile::TimeRange;

namespace {

/// 2 ms: a worker with a long span and 1,000 of a microsecond, a driver, a device.
profile::Trace small_trace() {
    profile::Trace trace;
    trace.duration = 2'000'000;
    trace.names = {"execute", "message", "run"};
    trace.heights = {960'000};
    profile::Lane driver{"driver", profile::LaneKind::driver, {}};
    driver.spans.push_back({0, 1'900'000, 0, profile::none, 0, 0, profile::Category::phase, 0});
    profile::Lane worker{"worker 0", profile::LaneKind::worker, {}};
    worker.spans.push_back({0, 500'000, 0, 7, 7, 1, profile::Category::message, 0});
    for (std::uint32_t i = 0; i < 1000; ++i) {
        const Nanoseconds at = 600'000 + Nanoseconds{1000} * i;
        worker.spans.push_back({at, at + 900, 0, 10 + i, i, 1, profile::Category::message, 0});
    }
    profile::Lane device{"a, \"device\"", profile::LaneKind::device, {}};
    device.spans.push_back(
        {100'000, 900'000, profile::none, profile::none, 64, 2, profile::Category::slice, 0});
    trace.lanes = {driver, worker, device};
    trace.counters = {{"accepted", "", {{10, 5}, {1'000'000, 9}}}};
    return trace;
}

TimelineView view_of(const profile::Timeline& timeline) {
    TimelineView view;
    view.shown = {0, timeline.duration()};
    view.width = 1160;
    view.height = 500;
    return view;
}

bool writes(const scene::DisplayList& list, const std::string& text) {
    return std::any_of(list.layers.begin(), list.layers.end(), [&](const scene::Layer& layer) {
        return std::any_of(layer.texts.begin(), layer.texts.end(),
                           [&](const scene::Text& t) { return t.utf8 == text; });
    });
}

} // namespace

class TestTimelinePicture : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void time_and_pixels() {
        const profile::Timeline timeline(small_trace());
        TimelineView view = view_of(timeline);
        QCOMPARE(view.ns_per_pixel(), 2000.0);
        QCOMPARE(view.least(), Nanoseconds{6000});
        QCOMPARE(view.x(0), view.left());
        QCOMPARE(view.time_at(view.x(1'000'000)), Nanoseconds{1'000'000});
        // The moment under the cursor stays there, as far as a nanosecond goes.
        std::mt19937 random(1);
        TimeRange range = view.shown;
        for (int i = 0; i < 200; ++i) {
            const Nanoseconds about =
                range.begin +
                static_cast<Nanoseconds>(random() % static_cast<std::uint64_t>(range.length()));
            const double share =
                static_cast<double>(about - range.begin) / static_cast<double>(range.length());
            const TimeRange next = zoomed(range, about, random() % 2 == 0 ? 1.25 : 0.8, 2'000'000);
            QVERIFY(next.begin >= 0 && next.end <= 2'000'000 && next.length() >= 20);
            const double after =
                static_cast<double>(about - next.begin) / static_cast<double>(next.length());
            const bool at_edge = next.begin == 0 || next.end == 2'000'000;
            QVERIFY(at_edge || std::abs(after - share) * static_cast<double>(next.length()) < 2);
            range = next;
        }
        QCOMPARE(zoomed({0, 20}, 10, 4, 2'000'000).length(), Nanoseconds{20});
        QCOMPARE(within_run({-50, 50}, 1000), (TimeRange{0, 100}));
        QCOMPARE(within_run({950, 1050}, 1000), (TimeRange{900, 1000}));
        QCOMPARE(within_run({0, 5000}, 1000), (TimeRange{0, 1000}));
    }

    /// From the whole run to nanoseconds: ticks are round, differ, and fit.
    /// Waves of many rows begin as a strip, nothing else does.
    void many_waves_begin_closed() {
        for (const std::uint32_t waves : {3U, 60U, 200U}) {
            profile::Trace trace = small_trace();
            for (std::uint32_t i = 0; i < waves; ++i)
                trace.lanes.push_back({"wave " + std::to_string(i),
                                       profile::LaneKind::wave,
                                       {{100'000, 900'000, profile::none, profile::none, 0, 2,
                                         profile::Category::slice, 0}}});
            const profile::Timeline timeline(trace);
            QVERIFY(timeline.groups().back().waves);
            QCOMPARE(closed_at_first(timeline), (std::vector<bool>{false, false, waves > 64}));
        }
    }

    void ticks_at_every_scale() {
        TimelineView view;
        view.width = 1160;
        for (const Nanoseconds duration : {Nanoseconds{50}, Nanoseconds{3'000'000'000}})
            for (Nanoseconds length = duration; length >= 20; length = length * 2 / 3)
                for (const Nanoseconds begin : {Nanoseconds{0}, duration - length}) {
                    view.shown = {begin, begin + length};
                    const TimeTicks axis = time_ticks(view);
                    QVERIFY2(axis.ticks.size() >= 2 && axis.ticks.size() <= 14,
                             qPrintable(QString::number(length)));
                    QVERIFY(axis.unit == "ns" || axis.unit == "µs" || axis.unit == "ms" ||
                            axis.unit == "s");
                    for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
                        QVERIFY(axis.ticks[i].at >= begin && axis.ticks[i].at <= begin + length);
                        QVERIFY(axis.ticks[i].text.size() <= 7);
                        if (i > 0) QVERIFY(axis.ticks[i].text != axis.ticks[i - 1].text);
                    }
                }
    }

    void folds_are_told() {
        const profile::Timeline timeline(small_trace());
        TimelineView view = view_of(timeline);
        const scene::DisplayList list = draw_timeline(timeline, view, {}, scene::dark_theme());
        QCOMPARE(list.coverage.all_edges, std::uint64_t{1003});
        QCOMPARE(list.coverage.drawn_edges, std::uint64_t{3});
        QCOMPARE(list.coverage.folded, std::string("1 merged block"));
        QVERIFY(writes(list, "1,000"));
        QVERIFY(writes(list, "message 7"));
        QVERIFY(writes(list, "execute 960000"));
        // Closer, each stands for itself.
        view.shown = {600'000, 650'000};
        const scene::DisplayList near = draw_timeline(timeline, view, {}, scene::dark_theme());
        QCOMPARE(near.coverage.drawn_edges, near.coverage.all_edges);
        QVERIFY(near.coverage.folded.empty());
    }

    /// What is drawn at a place is what is found there.
    void places() {
        const profile::Timeline timeline(small_trace());
        TimelineView view = view_of(timeline);
        const auto band = band_of_row(timeline, view, 1);
        QVERIFY(band);
        const float y = timeline_ruler + band->y + 8;
        TimelineHit hit = timeline_hit(timeline, view, {static_cast<float>(view.x(250'000)), y});
        QVERIFY(hit.item && !hit.item->folded());
        QCOMPARE(hit.item->first, 0U);
        hit = timeline_hit(timeline, view, {static_cast<float>(view.x(1'000'000)), y});
        QVERIFY(hit.item);
        QCOMPARE(hit.item->count, 1000U);
        hit = timeline_hit(timeline, view, {static_cast<float>(view.x(560'000)), y});
        QVERIFY(hit.band && !hit.item);
        QVERIFY(timeline_hit(timeline, view, {300, 5}).in_ruler);
        QVERIFY(timeline_hit(timeline, view, {20, y}).in_gutter);
        QVERIFY(!timeline_hit(timeline, view, {300, 5000}).band);
        // Scrolled, the row is higher; closed, it is gone.
        view.scroll = 20;
        hit = timeline_hit(timeline, view, {static_cast<float>(view.x(250'000)), y - 20});
        QVERIFY(hit.item);
        view.closed = {true, false, true};
        QVERIFY(!band_of_row(timeline, view, 1));
        const auto bands = timeline_bands(timeline, view);
        QCOMPARE(std::count_if(bands.begin(), bands.end(),
                               [](const auto& b) { return b.kind == TimelineBand::Kind::strip; }),
                 std::ptrdiff_t{1});
        QVERIFY(draw_timeline(timeline, view, {}, scene::light_theme()).coverage.all_edges == 1);
    }

    void selection_and_marks() {
        const profile::Timeline timeline(small_trace());
        const TimelineView view = view_of(timeline);
        TimelineMarks marks;
        marks.selected = TimeRange{600'000, 1'100'000};
        marks.brushed = std::make_shared<const profile::MarkedSpans>(
            timeline, *marks.selected, profile::LengthBand{1, 1, 1000});
        QCOMPARE(marks.brushed->count(), std::uint64_t{500});
        marks.picked = timeline.of_task(960'000, 7);
        QCOMPARE(marks.picked.size(), std::size_t{1});
        const scene::Theme& theme = scene::dark_theme();
        const scene::DisplayList list = draw_timeline(timeline, view, marks, theme);
        QVERIFY(writes(list, "500 µs selected"));
        int outlined = 0, filled = 0;
        for (const scene::Layer& layer : list.layers)
            for (const scene::Box& box : layer.boxes) {
                outlined += box.outline == theme.pick ? 1 : 0;
                filled += box.fill == theme.pick ? 1 : 0;
            }
        QCOMPARE(outlined, 1);
        QCOMPARE(filled, 1); // half of the folded block
        const auto legend = timeline_legend(timeline, marks, theme);
        QVERIFY(std::any_of(legend.begin(), legend.end(),
                            [](const auto& sign) { return sign.label == "500 marked"; }));
    }

    void written_to_files() {
        const profile::Timeline timeline(small_trace());
        const auto request =
            timeline_request(timeline, view_of(timeline), {}, scene::dark_theme(), "Run 1");
        const auto svg = scene::svg_text(request);
        QVERIFY(svg.ok());
        QVERIFY(svg->find("<svg") != std::string::npos);
        const std::string csv = timeline_csv(timeline, {0, 600'000});
        QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), std::ptrdiff_t{4});
        QVERIFY(csv.find("\nworker 0,0,message,message,0,500000,960000,7,7\n") !=
                std::string::npos);
        QVERIFY(csv.find("\nrun,0,run,slice,100000,800000,,,64\n") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestTimelinePicture)
#include "test_timeline_picture.moc"
