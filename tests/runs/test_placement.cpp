// Where a kept run executed a task: by its record, and by its spans.
#include "runs/placement.h"

#include <QTest>

using namespace blockloom;
using namespace blockloom::runs;
using profile::Category;
using profile::LaneKind;

namespace {

KeptRun on_device() {
    KeptRun run;
    run.backend = "cuda";
    KeptBlock& block = run.blocks.emplace_back();
    block.hash = "h";
    block.height = 960'000;
    block.tasks = 10;
    block.on_host.emplace()["small_round"] = {{0, 1}};
    block.waves = {{4, 2, 5}, {7, 6, 6}, {4, 7, 8}};
    return run;
}

profile::Span span(std::uint16_t name, Nanoseconds begin, Nanoseconds end, Category category,
                   std::uint32_t block, std::uint32_t task, std::uint32_t detail = 0) {
    return {begin, end, block, task, detail, name, category, 0};
}

} // namespace

class TestPlacement : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void by_the_record() {
        const KeptRun run = on_device();
        const auto at = [&](std::uint64_t task) { return placement_of(run, "h", task); };
        QVERIFY(!at(0)->on_device && at(1)->reason == "small_round" && !at(1)->wave);
        for (const auto& [task, wave] :
             {std::pair{2U, 4U}, {5U, 4U}, {6U, 7U}, {7U, 4U}, {8U, 4U}}) {
            QVERIFY(at(task)->on_device && at(task)->reason.empty());
            QCOMPARE(at(task)->wave, std::optional(wave));
        }
        QVERIFY(at(9)->on_device && !at(9)->wave); // not recorded
        QVERIFY(!at(10) && !placement_of(run, "other", 0));
    }

    void by_the_spans() {
        profile::Trace trace;
        trace.names = {"message", "upload", "compiled lanes", "download"};
        trace.heights = {959'999, 960'000};
        trace.lanes = {
            {"worker 0", LaneKind::worker, {span(0, 5, 7, Category::message, 1, 1)}},
            {"worker 1",
             LaneKind::worker,
             {span(0, 1, 3, Category::message, 0, 1), span(0, 20, 26, Category::message, 1, 1)}},
            {"Some GPU", LaneKind::device, {span(1, 30, 40, Category::slice, profile::none, 4, 9)}},
            {"Some GPU", LaneKind::device, {span(2, 40, 90, Category::slice, profile::none, 4, 9)}},
            {"Some GPU", LaneKind::device, {span(2, 41, 60, Category::slice, profile::none, 7, 3)}},
            {"Some GPU",
             LaneKind::device,
             {span(3, 90, 95, Category::slice, profile::none, 4, 9)}}};
        // The last execution on a worker counts: the first one was repeated.
        const auto on_worker = span_of(trace, 960'000, 1, {false, "small_round"});
        QVERIFY(on_worker);
        QCOMPARE(on_worker->lane, std::string("worker 1"));
        QVERIFY(on_worker->begin == 20 && on_worker->end == 26 && on_worker->beside == 0);
        // The kernels of its wave.
        const auto in_wave = span_of(trace, 960'000, 2, {true, {}, 4});
        QVERIFY(in_wave);
        QCOMPARE(in_wave->lane, std::string("Some GPU: compiled lanes 1"));
        QVERIFY(in_wave->begin == 40 && in_wave->end == 90 && in_wave->beside == 9);
        QCOMPARE(span_of(trace, 960'000, 6, {true, {}, 7})->lane,
                 std::string("Some GPU: compiled lanes 2"));
        QVERIFY(!span_of(trace, 960'000, 9, {true, {}}));   // its wave is not known
        QVERIFY(!span_of(trace, 960'000, 3, {false, "x"})); // nothing of it was recorded
        QVERIFY(!span_of(trace, 1, 1, {false, "small_round"}));
    }
};

QTEST_APPLESS_MAIN(TestPlacement)
#include "test_placement.moc"
