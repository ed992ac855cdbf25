// Busy against wall: figures from spans, charts with their parts, tables.
#include "base/number_text.h"
#include "report/busy_charts.h"
#include "report/busy_tables.h"

#include <QTest>

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

bool near(float a, float b) {
    return std::abs(a - b) < 0.01F;
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
        QVERIFY(why_no_busy_time(nullptr).find("--no-spans") != std::string::npos);
        profile::Trace trace = worked();
        QVERIFY(why_no_busy_time(&trace).empty());
        trace.dropped = 3;
        QVERIFY(!busy_time(pair_of_blocks(), trace));
        QVERIFY(why_no_busy_time(&trace).find("3 spans") != std::string::npos);
    }

    void outlines_are_filled_by_their_share() {
        const auto busy = busy_time(pair_of_blocks(), worked());
        const PartsChart chart = busy_chart(*busy, {1, 2, 3, 255}, {});
        QCOMPARE(chart.parts.size(), busy->bars.size());
        QVERIFY(chart.parts[1].words.find("execute: busy 22 ns of 40 ns, 55.0 %") == 0);
        // Of each row an outline, then what fills it.
        std::vector<scene::Box> boxes;
        for (const scene::Layer& layer : chart.list.layers)
            boxes.insert(boxes.end(), layer.boxes.begin(), layer.boxes.end());
        std::vector<const scene::Box*> filled, outlines;
        for (const scene::Box& box : boxes) {
            if (box.fill == scene::Colour{1, 2, 3, 255}) filled.push_back(&box);
            if (box.outline == scene::Colour{1, 2, 3, 255}) outlines.push_back(&box);
        }
        QCOMPARE(filled.size(), std::size_t{3});
        QCOMPARE(outlines.size(), std::size_t{3});
        for (std::size_t i = 0; i < 3; ++i) {
            const double share =
                static_cast<double>(busy->bars[i].busy) / static_cast<double>(busy->bars[i].had);
            QVERIFY(
                near(filled[i]->rect.width, static_cast<float>(share) * outlines[i]->rect.width));
            QVERIFY(!outlines[i]->dashed); // measured
        }
        QCOMPARE(busy_table(*busy)->rows(), std::size_t{3});
        QCOMPARE(busy_table(*busy)->text(1, 3), std::string("18 ns")); // idle
    }

    void columns_share_blocks() {
        auto busy = busy_time(pair_of_blocks(), worked());
        PartsChart chart = busy_blocks_chart(*busy, {1, 2, 3, 255}, {});
        QCOMPARE(chart.parts.size(), std::size_t{2});
        QCOMPARE(busy_blocks_table(*busy)->rows(), std::size_t{2});
        busy->blocks.assign(5'000, {7, 1, 2});
        chart = busy_blocks_chart(*busy, {1, 2, 3, 255}, {});
        QVERIFY(chart.parts.size() < 200);
        QVERIFY(chart.parts[0].words.find("mean of") != std::string::npos);
        busy->blocks.clear();
        QVERIFY(busy_blocks_chart(*busy, {1, 2, 3, 255}, {}).parts.empty());
    }

    void a_stack_names_its_phases() {
        const PartsChart chart = blocks_chart(pair_of_blocks(), {});
        QCOMPARE(chart.parts.size(), std::size_t{4}); // two phases of two blocks
        QCOMPARE(chart.parts[0].words,
                 std::string("Block 7, execute: 10 ns, 71.4 % of 14 ns, on several workers"));
        QCOMPARE(chart.parts[3].words,
                 std::string("Block 8, commit: 4 ns, 28.6 % of 14 ns, serial"));
        // Commit stands on execute.
        QVERIFY(chart.parts[1].rect.y < chart.parts[0].rect.y);
    }
};

QTEST_GUILESS_MAIN(TestBusy)
#include "test_busy.moc"
