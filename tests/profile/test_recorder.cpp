// Spans as they are recorded: nested, on one clock, bounded; written and read back.
#include "profile/nesting.h"
#include "profile/recorder.h"
#include "profile/timeline.h"
#include "profile/trace_bytes.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <thread>
#include <tuple>

using namespace blockloom;
using namespace blockloom::profile;

namespace {

/// A trace of every kind of thing, with spans at random.
Trace random_trace(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t n) { return random() % n; };
    Trace trace;
    trace.duration = 1'000'000'000;
    trace.dropped = below(3);
    trace.names = {"execute", "message", ""};
    trace.heights = {960'000, 960'001, 7};
    for (int i = 0; i < 3; ++i) {
        Lane lane{"lane " + std::to_string(i), static_cast<LaneKind>(i), {}};
        for (std::uint64_t k = below(200); k != 0; --k) {
            Span span;
            span.begin = static_cast<Nanoseconds>(below(900'000'000));
            span.end = span.begin + static_cast<Nanoseconds>(below(100'000'000));
            span.name = static_cast<std::uint16_t>(below(3));
            span.category = static_cast<Category>(below(8));
            span.block = below(4) == 3 ? none : static_cast<std::uint32_t>(below(3));
            span.task = below(3) == 0 ? none : static_cast<std::uint32_t>(below(~0U));
            span.detail = static_cast<std::uint32_t>(below(1000));
            lane.spans.push_back(span);
        }
        nest(lane.spans);
        trace.lanes.push_back(lane);
    }
    trace.counters = {{"accepted", "", {{5, -3}, {5, 9}, {700, 1}}}, {"memory", "bytes", {}}};
    return trace;
}

} // namespace

class TestRecorder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Work beside the run may overlap: each span is on a lane that is free then, under its own
    /// name.
    void work_beside_the_run() {
        Recorder recorder({"a"});
        LaneWriter& lane = recorder.lane("compilation", LaneKind::beside);
        const Nanoseconds start = recorder.start();
        const auto add = [&](Nanoseconds begin, Nanoseconds end, const char* name) {
            lane.add_ns(start + begin, start + end,
                        {recorder.name(name), Category::other, none, none, 0});
        };
        add(10, 100, "compile 2:0");
        add(20, 120, "compile 4:1");
        add(100, 130, "compile 2:0");
        QCOMPARE(recorder.name("a"), 0);
        QVERIFY(recorder.so_far(10).trace.names == recorder.finish().names);
        const Trace trace = recorder.finish();
        QCOMPARE(trace.names, (std::vector<std::string>{"a", "compile 2:0", "compile 4:1"}));
        QCOMPARE(trace.lanes.size(), 2U);
        QCOMPARE(trace.lanes[0].name, std::string("compilation 0"));
        QCOMPARE(trace.lanes[0].spans.size(), 2U);
        QCOMPARE(trace.lanes[1].spans.size(), 1U);
        QCOMPARE(trace.lanes[1].spans[0].name, 2);
        QCOMPARE(trace.lanes[1].spans[0].duration(), 100);
        const auto read = read_trace(trace_bytes(trace), "there");
        QVERIFY(read.ok() && *read == trace);

        // It is shown below the host's threads, and is no part of how busy they were.
        const Timeline timeline(trace);
        QCOMPARE(timeline.groups().size(), 1U);
        QCOMPARE(timeline.groups()[0].rows, 2U);
        QCOMPARE(timeline.groups()[0].lanes, 0U);
    }

    /// What a device does at the same time is on lanes of its own, as it was recorded; as few as
    /// can be for each direction.
    void streams_of_a_device() {
        std::mt19937_64 random(14);
        for (int round = 0; round < 60; ++round) {
            Recorder recorder({"x", "upload", "run", "download"});
            LaneWriter& writer = recorder.lane("Some GPU", LaneKind::device);
            using Recorded = std::tuple<std::uint16_t, Nanoseconds, Nanoseconds, std::uint32_t>;
            std::multiset<Recorded> put, got;
            std::map<std::uint16_t, std::vector<TimeRange>> by_name;
            for (std::uint32_t i = 0; i < 40; ++i) {
                Nanoseconds at = static_cast<Nanoseconds>(random() % 400);
                for (std::uint16_t name = 1; name <= 3; ++name) {
                    const Nanoseconds begin = at;
                    at += 1 + static_cast<Nanoseconds>(random() % 30);
                    writer.add_ns(recorder.start() + begin, recorder.start() + at,
                                  {name, Category::slice, none, i, 5});
                    put.emplace(name, begin, at, i);
                    by_name[name].push_back({begin, at});
                }
            }
            const Trace trace = recorder.finish();
            std::map<std::uint16_t, std::size_t> lanes;
            for (const Lane& lane : trace.lanes) {
                QVERIFY(lane.kind == LaneKind::device && lane.name == "Some GPU");
                ++lanes[lane.spans.front().name];
                Nanoseconds before = 0;
                for (const Span& span : lane.spans) {
                    QCOMPARE(span.name, lane.spans.front().name);
                    QVERIFY(span.begin >= before && span.depth == 0);
                    before = span.end;
                    got.emplace(span.name, span.begin, span.end, span.task);
                }
            }
            QVERIFY(got == put); // each keeps its time and its number
            for (const auto& [name, ranges] : by_name) {
                std::size_t at_once = 0;
                for (const TimeRange& range : ranges)
                    at_once = std::max(at_once, static_cast<std::size_t>(std::ranges::count_if(
                                                    ranges, [&](TimeRange other) {
                                                        return other.begin <= range.begin &&
                                                               range.begin < other.end;
                                                    })));
                QCOMPARE(lanes[name], at_once);
            }
            // One group, a row for each; busy while any of them is.
            const Timeline timeline(trace);
            QCOMPARE(timeline.groups().size(), std::size_t{1});
            const TimelineGroup& group = timeline.groups()[0];
            QCOMPARE(group.rows, static_cast<std::uint32_t>(trace.lanes.size()));
            QCOMPARE(group.lanes, 1U);
            std::vector<TimeRange> all;
            for (const auto& [name, ranges] : by_name)
                all.insert(all.end(), ranges.begin(), ranges.end());
            QCOMPARE(timeline.busy_share(group, {0, 500}),
                     static_cast<double>(TimeCover(all).length()) / 500);
            std::set<std::string> names, titles;
            for (std::size_t row = 0; row < timeline.row_count(); ++row)
                names.insert(timeline.row(row).name);
            QCOMPARE(names.size(), trace.lanes.size());
            QVERIFY(names.contains(lanes[2] > 1 ? "run 1" : "run"));
            for (std::size_t lane = 0; lane < trace.lanes.size(); ++lane)
                titles.insert(title_of(trace, lane));
            QCOMPARE(titles.size(), trace.lanes.size());
            QVERIFY(titles.contains(lanes[2] > 1 ? "Some GPU: run 1" : "Some GPU: run"));
        }
    }

    /// A program may wait for a compiler before it asks for the trace.
    void what_comes_after_the_last_span_is_not_the_runs() {
        Recorder recorder({"a"});
        LaneWriter& lane = recorder.lane("driver", LaneKind::driver);
        const Nanoseconds begin = now_ns();
        lane.add_ns(begin, begin + 1, {0, Category::phase, none, none, 0});
        const Trace trace = recorder.finish();
        QCOMPARE(trace.duration, trace.lanes.at(0).spans.at(0).end);
    }

    void nothing_recorded() {
        Recorder recorder({"a"});
        const Trace trace = recorder.finish();
        QVERIFY(trace.lanes.empty());
        QVERIFY(trace.duration >= 0);
        QCOMPARE(trace.names, std::vector<std::string>{"a"});
    }

    /// Ticks and the steady clock tell the same moments.
    void ticks_become_nanoseconds() {
        Recorder recorder({"a"});
        LaneWriter& in_ticks = recorder.lane("worker 0", LaneKind::worker);
        LaneWriter& in_ns = recorder.lane("worker 1", LaneKind::worker);
        LaneWriter& parts = recorder.lane("worker 2", LaneKind::worker);
        for (int i = 0; i < 20; ++i) {
            const Nanoseconds begin = now_ns();
            const Tick first = tick();
            Nanoseconds middle = now_ns();
            for (; middle - begin < 1'000'000; middle = now_ns()) recorder.calibrate();
            const Tick second = tick();
            in_ticks.add(first, second, {0, Category::message, none, none, 0});
            in_ns.add_ns(begin, now_ns(), {0, Category::phase, none, none, 0});
            parts.add_ns(begin, middle, {0, Category::phase, none, none, 0});
        }
        const Trace trace = recorder.finish();
        for (const Lane& lane : trace.lanes) QCOMPARE(lane.spans.size(), std::size_t{20});
        constexpr Nanoseconds slack = 2000;
        for (std::size_t i = 0; i < 20; ++i) {
            const Span &ticks = trace.lanes.at(0).spans[i], &whole = trace.lanes.at(1).spans[i],
                       &part = trace.lanes.at(2).spans[i];
            // In this order they were read, so that neither clock can have run away from the other.
            const Nanoseconds moments[] = {whole.begin, ticks.begin, part.end, ticks.end,
                                           whole.end};
            for (int at = 0; at < 4; ++at)
                QVERIFY2(moments[at] <= moments[at + 1] + slack,
                         qPrintable(QStringLiteral("%1 at %2: %3 > %4")
                                        .arg(i)
                                        .arg(at)
                                        .arg(moments[at])
                                        .arg(moments[at + 1])));
        }
        QVERIFY(trace.lanes.at(1).spans.back().end <= trace.duration);
    }

    void threads_have_lanes_of_their_own() {
        Recorder recorder({"a"});
        std::vector<LaneWriter*> lanes;
        for (int i = 0; i < 4; ++i)
            lanes.push_back(&recorder.lane("worker " + std::to_string(i), LaneKind::worker));
        {
            std::vector<std::jthread> threads;
            for (LaneWriter* lane : lanes)
                threads.emplace_back([lane] {
                    for (std::uint32_t i = 0; i < 10'000; ++i) {
                        const Tick begin = tick();
                        lane->add(begin, tick(), {0, Category::message, none, none, i});
                    }
                });
        }
        const Trace trace = recorder.finish();
        QCOMPARE(trace.span_count(), std::size_t{40'000});
        for (const Lane& lane : trace.lanes)
            for (std::size_t i = 1; i < lane.spans.size(); ++i)
                QVERIFY(lane.spans[i].begin >= lane.spans[i - 1].begin);
    }

    void bounded() {
        Recorder recorder({"a"}, 5000);
        LaneWriter& lane = recorder.lane("worker 0", LaneKind::worker);
        for (int i = 0; i < 7000; ++i) lane.add(tick(), tick(), {});
        const Trace trace = recorder.finish();
        QCOMPARE(trace.span_count(), std::size_t{5000});
        QCOMPARE(trace.dropped, std::uint64_t{2000});
    }

    void transactions_become_tasks() {
        Recorder recorder({"a"});
        LaneWriter& lane = recorder.lane("worker 0", LaneKind::worker);
        for (const std::uint32_t height : {100U, 101U, 102U})
            for (const std::uint32_t transaction : {2U, 5U, 6U})
                lane.add(tick(), tick(), {0, Category::message, height, transaction, 0});
        recorder.set_tasks(100, {{2, 0}, {5, 1}});
        recorder.set_tasks(101, {{5, 0}, {6, 3}});
        const Trace trace = recorder.finish();
        QCOMPARE(trace.heights, (std::vector<std::uint64_t>{100, 101}));
        std::vector<std::uint32_t> blocks, tasks;
        for (const Span& span : trace.lanes[0].spans) {
            blocks.push_back(span.block);
            tasks.push_back(span.task);
        }
        QCOMPARE(blocks, (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1, none, none, none}));
        QCOMPARE(tasks, (std::vector<std::uint32_t>{0, 1, none, none, 0, 3, none, none, none}));
    }

    void a_transaction_has_several_tasks() {
        Recorder recorder({"a"});
        LaneWriter& lane = recorder.lane("worker 0", LaneKind::worker);
        for (const std::uint32_t which : {0U, 1U, 2U})
            lane.add(tick(), tick(), {0, Category::message, 100, 5, which});
        recorder.set_tasks(100, {{5, 7}});
        const Trace trace = recorder.finish();
        for (std::uint32_t which = 0; which < 3; ++which) {
            QCOMPARE(trace.lanes[0].spans[which].task, 7 + which);
            QCOMPARE(trace.lanes[0].spans[which].detail, 5U); // the transaction
        }
    }

    void nesting() {
        const auto span = [](Nanoseconds begin, Nanoseconds end) {
            Span made;
            made.begin = begin;
            made.end = end;
            return made;
        };
        std::vector<Span> spans{span(4, 12),  span(0, 10), span(0, 3),
                                span(10, 11), span(2, 2),  span(11, 11)};
        nest(spans);
        std::vector<std::tuple<Nanoseconds, Nanoseconds, int>> found;
        for (const Span& at : spans) found.emplace_back(at.begin, at.end, at.depth);
        const std::vector<std::tuple<Nanoseconds, Nanoseconds, int>> expected{
            {0, 10, 0}, {0, 3, 1}, {2, 2, 2}, {4, 10, 1}, {10, 11, 0}, {11, 11, 0}};
        QVERIFY(found == expected);
    }

    /// What has not ended reaches up to now, and holds what began later: depths stay as they are
    /// when it ends.
    void open_spans_are_seen() {
        Recorder recorder({"outer", "inner"});
        LaneWriter& lane = recorder.lane("driver", LaneKind::driver);
        const Nanoseconds outer = now_ns();
        recorder.open(lane, outer, {0, Category::phase, none, none, 0});
        const Nanoseconds inner = now_ns();
        recorder.open(lane, inner, {1, Category::round, none, none, 7});
        const SoFar both = recorder.so_far(100);
        QCOMPARE(both.trace.span_count(), std::size_t{2});
        QCOMPARE(both.trace.lanes[0].spans[1].depth, std::uint8_t{1});
        QCOMPARE(both.trace.lanes[0].spans[0].end, both.trace.duration);
        QCOMPARE(both.from, Nanoseconds{0});
        recorder.close(lane, inner, now_ns(), {1, Category::round, none, none, 7});
        const SoFar one = recorder.so_far(100);
        QCOMPARE(one.trace.span_count(), std::size_t{2});
        QCOMPARE(one.trace.lanes[0].spans[1].depth, std::uint8_t{1});
        QVERIFY(one.trace.lanes[0].spans[1].end <= one.trace.lanes[0].spans[0].end);
        QVERIFY(one.trace.duration >= both.trace.duration); // it grows
        recorder.close(lane, outer, now_ns(), {0, Category::phase, none, none, 0});
        const Trace trace = recorder.finish();
        QCOMPARE(trace.span_count(), std::size_t{2});
        QCOMPARE(trace.lanes[0].spans[0].name, std::uint16_t{0});
        QCOMPARE(trace.lanes[0].spans[1].detail, 7U);
    }

    void the_newest_of_each_lane() {
        Recorder recorder({"a"});
        LaneWriter& busy = recorder.lane("worker 0", LaneKind::worker);
        LaneWriter& calm = recorder.lane("worker 1", LaneKind::worker);
        calm.add(tick(), tick(), {0, Category::message, 100, 2, 0});
        for (std::uint32_t i = 0; i < 10'000; ++i)
            busy.add(tick(), tick(), {0, Category::batch, 100, 2, i});
        recorder.set_tasks(100, {{2, 41}});
        const SoFar now = recorder.so_far(50);
        QCOMPARE(now.trace.lanes[0].spans.size(), std::size_t{50});
        QCOMPARE(now.trace.lanes[0].spans.back().detail, 9'999U);
        QCOMPARE(now.trace.lanes[0].spans.back().task, 41U);
        QCOMPARE(now.trace.lanes[1].spans.size(), std::size_t{1});
        QVERIFY(now.from >= now.trace.lanes[0].spans.front().begin);
        QVERIFY(now.from <= now.trace.lanes[0].spans.back().end);
        QCOMPARE(recorder.finish().span_count(), std::size_t{10'001});
    }

    /// However it is looked at meanwhile: nothing is torn, nothing is lost, nothing is read twice.
    void looked_at_while_threads_write() {
        constexpr std::uint32_t spans = 200'000;
        Recorder recorder({"message", "phase"});
        LaneWriter& driver = recorder.lane("driver", LaneKind::driver);
        std::atomic<unsigned> writing{2};
        std::vector<std::jthread> writers;
        for (int i = 0; i < 2; ++i)
            writers.emplace_back([&, lane = &recorder.lane("worker", LaneKind::worker)] {
                for (std::uint32_t k = 0; k < spans; ++k) {
                    const Tick begin = tick();
                    lane->add(begin, tick(), {0, Category::message, k, k, k});
                }
                --writing;
            });
        std::jthread drives([&] {
            for (std::uint32_t k = 0; writing != 0; ++k) {
                const Nanoseconds begin = now_ns();
                recorder.open(driver, begin, {1, Category::phase, k, none, k});
                recorder.count("accepted", "", k);
                recorder.set_tasks(k, {{k, k}});
                recorder.close(driver, begin, now_ns(), {1, Category::phase, k, none, k});
                recorder.calibrate();
            }
        });
        BusySoFar busy;
        Nanoseconds before = 0;
        while (writing != 0) {
            const SoFar now = recorder.so_far(500);
            recorder.add_busy(busy);
            QVERIFY(now.trace.duration >= before);
            before = now.trace.duration;
            for (std::size_t lane = 1; lane < now.trace.lanes.size(); ++lane) {
                const auto& reported = now.trace.lanes[lane].spans;
                for (std::size_t i = 1; i < reported.size(); ++i)
                    QCOMPARE(reported[i].detail, reported[i - 1].detail + 1);
            }
        }
        writers.clear();
        drives.join();
        recorder.add_busy(busy);
        QCOMPARE(busy.workers, 2U);
        QCOMPARE(busy.read[1], std::size_t{spans});
        QCOMPARE(busy.read[2], std::size_t{spans});
        const Trace all = recorder.finish();
        QCOMPARE(all.lanes[1].spans.size(), std::size_t{spans});
        const auto shares = busy.host.shares(all.duration, busy.workers);
        QVERIFY(!shares.empty());
        for (const float share : shares) QVERIFY(share >= 0 && share <= 1);
        QVERIFY(busy.device.shares(all.duration, 1).empty());
    }

    void busy_over_a_run_that_gets_longer() {
        constexpr Nanoseconds ms = 1'000'000;
        BusyStrip strip;
        QVERIFY(strip.shares(ms, 1).empty());
        strip.add(0, ms / 2);
        strip.add(2 * ms, 4 * ms);
        const auto first = strip.shares(4 * ms, 1);
        QCOMPARE(first.size(), std::size_t{4});
        QCOMPARE(first[0], 0.5F);
        QCOMPARE(first[1], 0.0F);
        QCOMPARE(first[2], 1.0F);
        QCOMPARE(strip.shares(4 * ms, 2)[3], 0.5F);
        strip.add(3000 * ms, 3001 * ms); // parts of 8 ms from here on
        const auto later = strip.shares(3001 * ms, 1);
        QVERIFY(later.size() <= BusyStrip::most_parts);
        QVERIFY(std::abs(later[0] - 2.5F / 8) < 1e-6F);
    }

    void counters() {
        Recorder recorder({"a"});
        recorder.count("accepted", "", 3);
        recorder.count("memory", "bytes", 100);
        recorder.count("accepted", "", 5);
        const Trace trace = recorder.finish();
        QCOMPARE(trace.counters.size(), std::size_t{2});
        QCOMPARE(trace.counters[0].points.size(), std::size_t{2});
        QCOMPARE(trace.counters[0].points[1].value, std::int64_t{5});
        QVERIFY(trace.counters[0].points[1].at >= trace.counters[0].points[0].at);
    }

    void written_and_read_back() {
        for (std::uint64_t seed = 1; seed < 60; ++seed) {
            const Trace trace = random_trace(seed);
            const Bytes bytes = trace_bytes(trace);
            const auto again = read_trace(bytes, "test");
            QVERIFY2(again, again ? "" : again.error().message.c_str());
            QVERIFY(*again == trace);
        }
    }

    /// Cut anywhere, or with more behind: an error that tells the place.
    void damage_is_told() {
        Bytes bytes = trace_bytes(random_trace(5));
        for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 50) {
            const auto cut = read_trace(ByteView(bytes).first(size), "the place");
            QVERIFY2(!cut, qPrintable(QString::number(size)));
            QVERIFY(cut.error().message.starts_with("the place"));
        }
        bytes.push_back(0);
        QVERIFY(!read_trace(bytes, "x"));
        // A count that no memory could hold.
        Bytes huge(bytes.begin(), bytes.begin() + 8);
        huge.insert(huge.end(), {0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f});
        QVERIFY(!read_trace(huge, "x"));
    }
};

QTEST_APPLESS_MAIN(TestRecorder)
#include "test_recorder.moc"
