// Timelines: every span is drawn or counted, whatever is shown at whatever scale; what is added up
// over a range is what a plain loop adds up.
#include "profile/lane_assignment.h"
#include "profile/nesting.h"
#include "profile/recorder.h"
#include "profile/span_statistics.h"
#include "profile/timeline.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <set>

using namespace blockloom;
using namespace blockloom::profile;

namespace {

using Random = std::mt19937_64;

Nanoseconds below(Random& random, Nanoseconds bound) {
    return static_cast<Nanoseconds>(random() % static_cast<std::uint64_t>(bound));
}

/// Spans of lengths of every size, nested, on a driver, three workers and a device.
Trace random_trace(std::uint64_t seed, std::size_t each = 400) {
    Random random(seed);
    Trace trace;
    trace.duration = 10'000'000;
    trace.names = {"execute", "message", "wait", "upload", "run"};
    trace.heights = {960'000, 960'001};
    const std::array kinds{LaneKind::driver, LaneKind::worker, LaneKind::worker, LaneKind::worker,
                           LaneKind::device};
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        Lane lane{"lane " + std::to_string(i), kinds[i], {}};
        for (std::size_t k = 0; k < each; ++k) {
            Span span;
            span.begin = below(random, 9'900'000);
            span.end = span.begin + below(random, Nanoseconds{1} << (random() % 17));
            span.name = static_cast<std::uint16_t>(kinds[i] == LaneKind::device ? 3 + random() % 2
                                                                                : random() % 3);
            if (span.name == 2) span.category = Category::wait;
            if (random() % 2 == 0) {
                span.block = static_cast<std::uint32_t>(random() % 2);
                span.task = static_cast<std::uint32_t>(random() % 50);
            }
            lane.spans.push_back(span);
        }
        nest(lane.spans);
        trace.lanes.push_back(std::move(lane));
    }
    return trace;
}

bool touches(const Span& span, TimeRange range) {
    if (span.begin == span.end) return span.begin >= range.begin && span.begin < range.end;
    return span.end > range.begin && span.begin < range.end;
}

Nanoseconds inside(const Span& span, TimeRange range) {
    return std::max<Nanoseconds>(0,
                                 std::min(span.end, range.end) - std::max(span.begin, range.begin));
}

TimeRange random_range(Random& random) {
    const Nanoseconds begin = below(random, 10'000'000);
    return {begin, begin + 1 + below(random, Nanoseconds{1} << (random() % 24))};
}

} // namespace

class TestTimeline : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void largest_and_next_large() {
        Random random(5);
        for (const std::size_t size : {1U, 15U, 16U, 17U, 255U, 257U, 5000U}) {
            std::vector<std::int64_t> values(size);
            for (auto& value : values) value = static_cast<std::int64_t>(random() % 1000) - 500;
            const MaxTree tree(values);
            QCOMPARE(tree.size(), size);
            for (int i = 0; i < 200; ++i) {
                const std::size_t from = random() % size;
                const std::size_t to = from + 1 + random() % (size - from);
                const auto first = values.begin() + static_cast<std::ptrdiff_t>(from);
                const auto last = values.begin() + static_cast<std::ptrdiff_t>(to);
                QCOMPARE(tree.largest(from, to), *std::max_element(first, last));
                const auto bound = static_cast<std::int64_t>(random() % 1100) - 500;
                const auto at = std::find_if(first, last, [&](auto v) { return v >= bound; });
                QCOMPARE(tree.first_at_least(from, to, bound),
                         static_cast<std::size_t>(at - values.begin()));
            }
        }
        QCOMPARE(MaxTree().size(), std::size_t{0});
        QCOMPARE(MaxTree(std::vector<std::int64_t>()).first_at_least(0, 0, 1), std::size_t{0});
    }

    void rows_and_groups() {
        const Trace trace = random_trace(1);
        const Timeline timeline(trace);
        QCOMPARE(timeline.span_count(), trace.span_count());
        QCOMPARE(timeline.groups().size(), std::size_t{2});
        QCOMPARE(timeline.groups()[0].name, std::string("Host"));
        QCOMPARE(timeline.groups()[0].lanes, 3U); // the driver waits for its workers
        QVERIFY(timeline.groups()[1].device);
        QCOMPARE(timeline.groups()[1].lanes, 1U);
        std::set<std::string> parts;
        std::size_t held = 0;
        for (std::size_t row = 0; row < timeline.row_count(); ++row) {
            const auto spans = timeline.spans(row);
            held += spans.size();
            for (std::size_t i = 1; i < spans.size(); ++i)
                QVERIFY(spans[i].begin >= spans[i - 1].end);
            if (timeline.row(row).kind == LaneKind::device) parts.insert(timeline.row(row).name);
        }
        QCOMPARE(held, trace.span_count());
        QCOMPARE(parts, (std::set<std::string>{"run", "upload"}));
    }

    /// As few lanes as waves were at work at once; each wave whole on one, with what ran in it.
    void waves_are_assigned_to_lanes() {
        Random random(9);
        for (int round = 0; round < 50; ++round) {
            Lane recorded{"wave", LaneKind::wave, {}};
            std::vector<TimeRange> waves;
            std::size_t messages = 0;
            for (int i = 0; i < 60; ++i) {
                const Nanoseconds begin = 10 * below(random, 100);
                const TimeRange wave{begin, begin + 10 * (1 + below(random, 20))};
                waves.push_back(wave);
                const auto inside = static_cast<std::uint32_t>(random() % 5);
                Span span{wave.begin, wave.end, none, none, inside, 0, Category::slice, 0};
                recorded.spans.push_back(span);
                for (std::uint32_t k = 0; k < inside; ++k, ++messages) {
                    span.end = wave.begin + below(random, wave.length() + 1);
                    span.category = Category::message;
                    span.block = 0, span.task = static_cast<std::uint32_t>(messages);
                    recorded.spans.push_back(span);
                }
            }
            std::size_t at_once = 0;
            for (const TimeRange& wave : waves)
                at_once = std::max(at_once, static_cast<std::size_t>(std::count_if(
                                                waves.begin(), waves.end(), [&](TimeRange other) {
                                                    return other.begin <= wave.begin &&
                                                           wave.begin < other.end;
                                                })));
            std::vector<Lane> lanes;
            QCOMPARE(assign_lanes(recorded, lanes), std::uint64_t{0});
            QCOMPARE(lanes.size(), at_once);
            std::size_t held = 0;
            std::set<std::uint32_t> tasks;
            for (std::size_t i = 0; i < lanes.size(); ++i) {
                QCOMPARE(lanes[i].name, "wave " + std::to_string(i));
                held += lanes[i].spans.size();
                TimeRange wave{-1, -1};
                for (const Span& span : lanes[i].spans) {
                    QCOMPARE(span.depth == 0, span.category == Category::slice);
                    if (span.category == Category::slice) {
                        QVERIFY(span.begin >= wave.end);
                        wave = {span.begin, span.end};
                        continue;
                    }
                    QVERIFY(span.begin == wave.begin && span.end <= wave.end);
                    tasks.insert(span.task);
                }
            }
            QCOMPARE(held, recorded.spans.size());
            QCOMPARE(tasks.size(), messages);
            // Where there are fewer lanes, whole waves are left out.
            lanes.clear();
            const std::uint64_t dropped = assign_lanes(recorded, lanes, 2);
            QCOMPARE(lanes.size(), std::min<std::size_t>(at_once, 2));
            held = 0;
            for (const Lane& lane : lanes) held += lane.spans.size();
            QCOMPARE(held + dropped, recorded.spans.size());
        }
    }

    /// Waves are a group of their own: the device is no busier for them.
    void waves_count_once() {
        Trace trace;
        trace.duration = 1'000;
        trace.names = {"message", "run", "wave"};
        trace.heights = {7};
        trace.lanes.push_back(
            {"gpu", LaneKind::device, {{100, 600, none, none, 2, 1, Category::slice, 0}}});
        const Span wave{100, 500, none, none, 1, 2, Category::slice, 0};
        const Span message{100, 400, 0, 3, 3, 0, Category::message, 1};
        trace.lanes.push_back({"wave 0", LaneKind::wave, {wave, message}});
        trace.lanes.push_back(
            {"wave 1", LaneKind::wave, {{100, 300, none, none, 0, 2, Category::slice, 0}}});
        const Timeline timeline(trace);
        QCOMPARE(timeline.groups().size(), std::size_t{2});
        QCOMPARE(timeline.busy_share(timeline.groups()[0], {0, 1'000}), 0.5);
        QVERIFY(timeline.groups()[1].waves && timeline.groups()[1].device);
        QCOMPARE(timeline.groups()[1].rows, 3U);
        QCOMPARE(timeline.groups()[1].lanes, 2U);
        QCOMPARE(timeline.busy_share(timeline.groups()[1], {0, 1'000}), 0.3);
        QCOMPARE(timeline.of_task(7, 3).size(), std::size_t{1});
        const RangeStatistics found = statistics_of(timeline, {0, 1'000});
        QCOMPARE(found.spans, std::uint64_t{4});
    }

    /// Whatever is shown, at whatever scale: each span that touches it is in exactly one item.
    void every_span_is_drawn_or_counted() {
        Random random(2);
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            const Timeline timeline(random_trace(seed, 300 * seed));
            for (int i = 0; i < 120; ++i) {
                const TimeRange shown = random_range(random);
                const Nanoseconds least = 1 + below(random, 1 + shown.length() / 100);
                for (std::size_t row = 0; row < timeline.row_count(); ++row) {
                    const auto spans = timeline.spans(row);
                    std::vector<TimelineItem> items;
                    timeline.items(row, shown, least, items);
                    std::size_t counted = 0, should = 0;
                    for (const Span& span : spans) should += touches(span, shown) ? 1 : 0;
                    std::uint32_t next = items.empty() ? 0 : items.front().first;
                    for (const TimelineItem& item : items) {
                        QCOMPARE(item.first, next);
                        QVERIFY(item.count > 0);
                        next = item.first + item.count;
                        counted += item.count;
                        QCOMPARE(item.time.begin, spans[item.first].begin);
                        QCOMPARE(item.time.end, spans[next - 1].end);
                        Nanoseconds busy = 0;
                        for (std::uint32_t k = item.first; k < next; ++k) {
                            QVERIFY(touches(spans[k], shown));
                            if (spans[k].category != Category::wait) busy += spans[k].duration();
                            if (!item.folded()) continue;
                            QVERIFY(spans[k].duration() < least); // what can be seen is not folded
                            if (k > item.first) QVERIFY(spans[k].begin - spans[k - 1].end < least);
                        }
                        QCOMPARE(item.busy, busy);
                    }
                    QCOMPARE(counted, should);
                    QVERIFY(static_cast<Nanoseconds>(items.size()) <=
                            2 * (shown.length() / least) + 3);
                }
            }
        }
    }

    void busy_is_what_a_loop_adds_up() {
        Random random(3);
        const Timeline timeline(random_trace(3));
        for (int i = 0; i < 300; ++i) {
            const TimeRange range = random_range(random);
            for (std::size_t row = 0; row < timeline.row_count(); ++row) {
                Nanoseconds busy = 0;
                for (const Span& span : timeline.spans(row))
                    if (span.category != Category::wait) busy += inside(span, range);
                QCOMPARE(timeline.busy(row, range), busy);
            }
        }
        const TimelineGroup& host = timeline.groups()[0];
        const TimeRange all{0, timeline.duration()};
        const auto shares = timeline.busy_shares(host, all, 64);
        double sum = 0;
        for (const float share : shares) {
            QVERIFY(share >= 0 && share <= 1);
            sum += static_cast<double>(share) / 64;
        }
        QVERIFY(std::abs(sum - timeline.busy_share(host, all)) < 1e-6);
        QVERIFY(timeline.busy_shares(host, {5, 5}, 4) == std::vector<float>(4, 0));
    }

    void statistics_are_what_a_loop_adds_up() {
        Random random(4);
        const Timeline timeline(random_trace(4));
        for (int i = 0; i < 60; ++i) {
            const TimeRange range = random_range(random);
            const RangeStatistics found = statistics_of(timeline, range);
            std::uint64_t all = 0;
            for (std::size_t k = 0; k < found.kinds.size(); ++k) {
                const KindStatistics& kind = found.kinds[k];
                if (k > 0) QVERIFY(kind.busy <= found.kinds[k - 1].busy);
                std::uint64_t count = 0, marked = 0;
                Nanoseconds busy = 0;
                const LengthBand band{kind.name, 100, 5'000};
                for (std::size_t row = 0; row < timeline.row_count(); ++row)
                    for (const Span& span : timeline.spans(row)) {
                        if (span.name != kind.name || !touches(span, range)) continue;
                        ++count;
                        busy += inside(span, range);
                        marked += span.duration() >= 100 && span.duration() <= 5'000 ? 1 : 0;
                    }
                QCOMPARE(kind.count, count);
                QCOMPARE(kind.busy, busy);
                QCOMPARE(kind.lengths.count(), count);
                const MarkedSpans marks(timeline, range, band);
                QCOMPARE(marks.count(), marked);
                // Marks of the boxes add up as well.
                std::uint64_t in_boxes = 0;
                for (std::size_t row = 0; row < timeline.row_count(); ++row) {
                    std::vector<TimelineItem> items;
                    timeline.items(row, range, 1 + range.length() / 50, items);
                    for (const TimelineItem& item : items)
                        in_boxes += marks.count_in(row, item.first, item.count);
                }
                QCOMPARE(in_boxes, marked);
                all += count;
            }
            QCOMPARE(found.spans, all);
        }
        std::stop_source stop;
        stop.request_stop();
        const TimeRange all{0, timeline.duration()};
        QVERIFY(statistics_of(timeline, all, stop.get_token()).kinds.empty());
        QCOMPARE(MarkedSpans(timeline, all, {}, stop.get_token()).count(), std::uint64_t{0});
    }

    void spans_of_a_task() {
        const Timeline timeline(random_trace(6));
        std::size_t found = 0, should = 0;
        for (std::uint32_t task = 0; task < 50; ++task)
            for (const SpanRef at : timeline.of_task(960'001, task)) {
                ++found;
                QCOMPARE(timeline.span(at).task, task);
                QCOMPARE(timeline.height_of(timeline.span(at)),
                         std::optional<std::uint64_t>(960'001));
            }
        for (std::size_t row = 0; row < timeline.row_count(); ++row)
            for (const Span& span : timeline.spans(row)) should += span.block == 1 ? 1 : 0;
        QCOMPARE(found, should);
        QVERIFY(timeline.of_task(1, 1).empty());
    }

    void counters_hold_between_points() {
        Trace trace;
        trace.duration = 100;
        trace.counters = {{"accepted", "", {{10, 5}, {20, -3}, {60, 40}}}, {"empty", "", {}}};
        const Timeline timeline(trace);
        QCOMPARE(timeline.counter_count(), std::size_t{1});
        QCOMPARE(timeline.counter_bounds(0).low, std::int64_t{-3});
        QCOMPARE(timeline.counter_bounds(0).high, std::int64_t{40});
        const auto steps = timeline.counter_steps(0, {0, 100}, 10);
        const std::vector<std::pair<int, int>> should{{0, 5},   {-3, 5},  {-3, -3}, {-3, -3},
                                                      {-3, -3}, {-3, 40}, {40, 40}, {40, 40},
                                                      {40, 40}, {40, 40}};
        // A point at the edge belongs to the part before it, too: its step is drawn there.
        for (std::size_t i = 1; i < steps.size(); ++i) {
            QCOMPARE(steps[i].low, std::int64_t{should[i].first});
            QCOMPARE(steps[i].high, std::int64_t{should[i].second});
        }
        QCOMPARE(steps[0].high, std::int64_t{5});
    }

    void nothing_recorded() {
        const Timeline timeline(Trace{});
        QVERIFY(timeline.groups().empty());
        QCOMPARE(timeline.row_count(), std::size_t{0});
        QVERIFY(statistics_of(timeline, {0, 1}).kinds.empty());
    }
};

QTEST_APPLESS_MAIN(TestTimeline)
#include "test_timeline.moc"
