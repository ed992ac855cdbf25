// Busy time against wall time: figures from spans, charts with their parts, tables.
#include "base/number_text.h"
#include "report/busy_charts.h"
#include "report/busy_tables.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace blockloom;
using namespace blockloom::report;
using namespace blockloom::runs;

namespace {

using execute::Phase;
using profile::Category;
using profile::LaneKind;

/// Two workers, blocks 7 and 8: 10 ns of execute each, and 4 of commit.
KeptRun pair_of_blocks() {
    KeptRun run;
    run.id = "pair";
    run.backend = "cpu";
    run.strategy = "speculative";
    run.workers = 2;
    for (const std::uint64_t height : {7, 8}) {
        KeptBlock block;
        block.height = height;
        block.phases[Phase::execute] = 10;
        block.phases[Phase::commit] = 4;
        run.blocks.push_back(block);
        run.last_phases += block.phases;
    }
    run.phases = run.last_phases;
    return run;
}

profile::Span span(Category category, Nanoseconds begin, Nanoseconds end,
                   std::uint32_t block = profile::none, std::uint16_t name = 0) {
    profile::Span made;
    made.begin = begin;
    made.end = end;
    made.block = block;
    made.category = category;
    made.name = name;
    return made;
}

profile::Trace worked() {
    profile::Trace trace;
    trace.names = {"message", "upload", "run", "download"};
    trace.heights = {7, 8};
    trace.lanes = {{"worker 0",
                    LaneKind::worker,
                    {span(Category::message, 0, 8, 0), span(Category::message, 10, 20, 1)}},
                   {"worker 1", LaneKind::worker, {span(Category::message, 0, 4, 0)}}};
    return trace;
}

} // namespace

class TestBusy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void workers_have_wall_times_their_number() {
        const auto busy = busy_time(pair_of_blocks(), worked());
        QVERIFY(busy);
        QCOMPARE(busy->workers, 2U);
        QCOMPARE(busy->busy[Phase::execute], Nanoseconds{22});
        QCOMPARE(busy->bars.size(), std::size_t{3}); // all, execute, commit
        QCOMPARE(busy->bars[0].busy, Nanoseconds{30});
        QCOMPARE(busy->bars[0].had, Nanoseconds{56}); // 28 of wall, twice
        QCOMPARE(busy->bars[1].name, std::string("execute"));
        QCOMPARE(busy->bars[1].had, Nanoseconds{40});
        QCOMPARE(busy->bars[2].busy, Nanoseconds{8}); // one thread commits
        QCOMPARE(busy->bars[2].had, Nanoseconds{16});
        QVERIFY(busy->bars[2].about.find("serial") != std::string::npos);
        QCOMPARE(busy->blocks.size(), std::size_t{2});
        QCOMPARE(busy->blocks[0].busy, Nanoseconds{12});
        QCOMPARE(busy->blocks[1].busy, Nanoseconds{10});
        QCOMPARE(busy->blocks[1].had, Nanoseconds{20});
        QCOMPARE(bar_words(busy->blocks[0]), std::string("Block 7: busy 12 ns of 20 ns, 60.0 %"));
    }

    /// What the driver waited for counts where it was done, once.
    void stages_beside_the_execution() {
        KeptRun run = pair_of_blocks();
        run.last_phases[Phase::decode] += 2;
        run.last_phases[Phase::trace] += 5;
        run.last_phases[Phase::commit] += 3;
        profile::Trace trace = worked();
        trace.names.insert(trace.names.end(), {"decode", "trace", "commit", "paused"});
        trace.lanes.push_back(
            {"driver",
             LaneKind::driver,
             {span(Category::wait, 0, 2, profile::none, 4),
              span(Category::phase, 2, 6, 0, 6), // its own part of a commit
              span(Category::wait, 20, 28, 0, 6), span(Category::wait, 28, 40, profile::none, 7)}});
        for (const profile::Span& stage :
             {span(Category::phase, 20, 24, profile::none, 4), span(Category::phase, 24, 29, 0, 5),
              span(Category::phase, 29, 32, 0, 6)})
            trace.lanes[1].spans.push_back(stage);
        const auto busy = busy_time(run, trace);
        QVERIFY(busy);
        QCOMPARE(busy->busy[Phase::decode], Nanoseconds{4});
        QCOMPARE(busy->busy[Phase::trace], Nanoseconds{5});
        QCOMPARE(busy->busy[Phase::commit], Nanoseconds{8 + 3});
        QCOMPARE(busy->busy[Phase::execute], Nanoseconds{22});
        const auto decode = std::find_if(busy->bars.begin(), busy->bars.end(),
                                         [](const BusyBar& bar) { return bar.name == "decode"; });
        QVERIFY(decode != busy->bars.end());
        QCOMPARE(decode->busy, Nanoseconds{4});
        QCOMPARE(decode->had, Nanoseconds{2 * 38}); // of the whole run
    }

    void a_device_has_the_wall() {
        KeptRun run = pair_of_blocks();
        run.backend = "vulkan";
        profile::Trace trace = worked();
        trace.lanes.erase(trace.lanes.begin());
        trace.lanes.push_back({"a device",
                               LaneKind::device,
                               {span(Category::slice, 0, 2, profile::none, 1),
                                span(Category::slice, 2, 9, profile::none, 2),
                                span(Category::slice, 9, 10, profile::none, 3)}});
        // What ran inside of the kernels is no more time of theirs.
        trace.lanes.push_back({"wave 0",
                               LaneKind::wave,
                               {span(Category::slice, 3, 8), span(Category::message, 3, 8, 1),
                                span(Category::message, 3, 7, 1)}});
        const auto busy = busy_time(run, trace);
        QVERIFY(busy);
        QCOMPARE(busy->bars.size(), std::size_t{3});
        QCOMPARE(busy->bars[0].name, std::string("kernels"));
        QCOMPARE(busy->bars[0].busy, Nanoseconds{7});
        QCOMPARE(busy->bars[0].had, Nanoseconds{28});
        QCOMPARE(busy->bars[1].busy, Nanoseconds{3});
        QCOMPARE(busy->bars[2].busy, Nanoseconds{4}); // what a worker ran beside it
        QCOMPARE(busy->bars[2].had, Nanoseconds{20});
        QVERIFY(busy->blocks.empty());
        QVERIFY(!busy->utilisation());
    }

    void what_is_missing_is_said() {
        QVERIFY(why_no_busy_time(nullptr).find("not recorded") != std::string::npos);
        profile::Trace trace = worked();
        QVERIFY(why_no_busy_time(&trace).empty());
        trace.dropped = 3;
        QVERIFY(!busy_time(pair_of_blocks(), trace));
        QVERIFY(why_no_busy_time(&trace).find("3 spans") != std::string::npos);
    }

    void outlines_are_filled_by_their_share() {
        const auto busy = busy_time(pair_of_blocks(), worked());
        const charts::Chart chart = busy_chart(*busy, &scene::Theme::vulkan);
        QCOMPARE(chart.x.named.size(), busy->bars.size());
        // Of each row what was worked, filled, and from there to what was had an outline.
        const charts::Series &filled = chart.series.at(0), &outline = chart.series.at(1);
        QVERIFY(!filled.outlined && outline.outlined);
        QVERIFY(!filled.predicted && !outline.predicted); // both are measured
        QVERIFY(filled.points[1].words.find("execute: busy 22 ns of 40 ns, 55.0 %") == 0);
        QCOMPARE(filled.points.size(), std::size_t{3});
        for (const charts::Point& rest : outline.points) {
            const auto row = static_cast<std::size_t>(rest.x);
            const double share = static_cast<double>(busy->bars[row].busy) /
                                 static_cast<double>(busy->bars[row].had);
            QCOMPARE(rest.from, filled.points[row].y);
            QVERIFY(std::abs(filled.points[row].y / rest.y - share) < 1e-9);
        }
        // The value of the longest bar stands after it: more than a third of the axis is left.
        for (const charts::Point& rest : outline.points) QVERIFY(rest.y < chart.y.to * 0.65);
        QCOMPARE(busy_table(*busy)->rows(), std::size_t{3});
        QCOMPARE(busy_table(*busy)->text(1, 3), std::string("18 ns")); // idle
    }

    void columns_share_blocks() {
        auto busy = busy_time(pair_of_blocks(), worked());
        charts::Chart chart = busy_blocks_chart(*busy, &scene::Theme::vulkan);
        QCOMPARE(chart.series[0].points.size(), std::size_t{2});
        QCOMPARE(busy_blocks_table(*busy)->rows(), std::size_t{2});
        busy->blocks.assign(5'000, {7, 1, 2});
        chart = busy_blocks_chart(*busy, &scene::Theme::vulkan);
        QVERIFY(chart.series[0].points.size() < 200);
        QVERIFY(chart.series[0].points[0].words.find("mean of") != std::string::npos);
        busy->blocks.clear();
        QVERIFY(busy_blocks_chart(*busy, &scene::Theme::vulkan).empty());
    }

    void a_stack_names_its_phases() {
        const charts::Chart chart = blocks_chart(pair_of_blocks(), {});
        QCOMPARE(chart.series.size(), std::size_t{2}); // a phase each, of two blocks
        const charts::Series &execute = chart.series[0], &commit = chart.series[1];
        QVERIFY(!execute.hatched && commit.hatched);
        QCOMPARE(execute.points[0].words,
                 std::string("Block 7, execute: 10 ns, 71.4 % of 14 ns, on several workers"));
        QCOMPARE(commit.points[1].words,
                 std::string("Block 8, commit: 4 ns, 28.6 % of 14 ns, serial"));
        // Commit stands on execute.
        QCOMPARE(commit.points[0].from, execute.points[0].y);
        QCOMPARE(commit.points[0].y, 14.0);
    }

    /// Two rows a run: its phases side by side, and hollow what an infinitely fast device leaves.
    void phases_stand_side_by_side() {
        KeptRun run = pair_of_blocks();
        run.phases[Phase::execute] = 20;
        run.phases[Phase::commit] = 8;
        const std::vector<PhasesSide> sides{{&run, breakdown_of(run, nullptr), "A", "the run"},
                                            {&run, breakdown_of(run, nullptr), "B", "again"}};
        const charts::Chart chart = phases_chart(sides);
        QCOMPARE(chart.x.named.size(), std::size_t{4});
        QCOMPARE(std::count(chart.summary.begin(), chart.summary.end(), '\n'), std::ptrdiff_t{1});
        QVERIFY(chart.summary.find("A: the run, 28 ns measured") == 0);
        double end = 0;
        for (const charts::Series& series : chart.series) {
            const charts::Point& point = series.points.at(0);
            QCOMPARE(series.predicted, point.x == 1 || point.x == 3);
            if (point.x != 0) continue;
            QCOMPARE(point.from, end);
            end = point.y;
        }
        QCOMPARE(end, 28.0);
        QVERIFY(phases_chart({}).empty());
    }

    /// The times of a column have one unit, named in its header, but for those that would begin
    /// with zeros: however much longer the others are.
    void phases_as_a_table() {
        KeptRun run = pair_of_blocks();
        run.phases[Phase::execute] = 2'000'000'000;
        run.phases[Phase::commit] = 1'200;
        const PhasesSide one{&run, breakdown_of(run, nullptr), "", "the run"};
        const auto table = phases_chart({&one, 1}).table;
        QVERIFY(table != nullptr);
        std::vector<std::string> times;
        for (std::size_t row = 0; row < table->rows(); ++row) times.push_back(table->text(row, 1));
        QCOMPARE(table->columns()[1].name, std::string("Time, ms"));
        QVERIFY(std::find(times.begin(), times.end(), "2,000") != times.end());
        QVERIFY(std::find(times.begin(), times.end(), "1.20 µs") != times.end());
        QCOMPARE(table->columns().front().name, std::string("Phase"));
        QCOMPARE(table->text(table->rows() - 1, 4), std::string("predicted"));

        const std::vector<PhasesSide> both{{&run, one.found, "A", "the run"},
                                           {&run, one.found, "B", "again"}};
        const auto two = phases_chart(both).table;
        QCOMPARE(two->rows(), 2 * table->rows());
        QCOMPARE(two->columns().front().name, std::string("Run"));
        QCOMPARE(two->text(0, 0), std::string("A"));
        QCOMPARE(two->text(two->rows() - 1, 0), std::string("B"));
    }
};

QTEST_GUILESS_MAIN(TestBusy)
#include "test_busy.moc"
