// The spans of a replay laid out as a schedule: every task once, on its lane, and waits that add
// up.
#include "execute/recording.h"
#include "execute/replayed_recipes.h"
#include "execute/vulkan_device.h"
#include "runs/measured_path.h"
#include "runs/measured_schedule.h"
#include "schedule/waits.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <set>

using namespace blockloom;
using namespace blockloom::execute;
using namespace blockloom::runs;

namespace {

struct Recorded {
    tests::ReplayedBlocks blocks;
    profile::Trace trace;
};

Recorded recorded(Strategy strategy, unsigned workers) {
    ReplayOptions options;
    options.engine = alkanes::Engine::interpreter;
    options.strategy.strategy = strategy;
    options.strategy.workers = workers;
    options.strategy.batch_min = 0;
    options.recording = std::make_shared<Recording>();
    auto blocks = tests::replay(tests::sources_of("mixed", 60, 2), options);
    if (!blocks) qFatal("%s", blocks.error().message.c_str());
    return {*std::move(blocks), options.recording->finish()};
}

} // namespace

class TestMeasuredSchedule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Two strategies of one block on one axis: nothing is lost, and nothing moves in time.
    void schedules_are_stacked() {
        const Recorded first = recorded(Strategy::speculative, 3);
        const Recorded second = recorded(Strategy::levels, 2);
        for (std::size_t i = 0; i < first.blocks.size(); ++i) {
            const conflict::ConflictIndex& index = *first.blocks[i]->index;
            const std::uint64_t height = first.blocks[i]->height();
            const auto above = measured_schedule(first.trace, height, index, "speculative");
            const auto below = measured_schedule(second.trace, height, index, "levels");
            QVERIFY(above && below);
            const schedule::MeasuredSchedule both[] = {*above, *below};
            const schedule::MeasuredSchedule made = stacked(both);
            QCOMPARE(made.lanes.size(), above->lanes.size() + 1 + below->lanes.size());
            QVERIFY(made.lanes[above->lanes.size()].empty());
            QCOMPARE(made.schedule.workers, static_cast<unsigned>(made.lanes.size()));
            QCOMPARE(made.schedule.makespan,
                     std::max(above->schedule.makespan, below->schedule.makespan));
            QCOMPARE(made.executions, above->executions + below->executions);
            QCOMPARE(made.aborted, above->aborted + below->aborted);
            QVERIFY(std::is_sorted(made.schedule.slots.begin(), made.schedule.slots.end(),
                                   [](const auto& a, const auto& b) { return a.start < b.start; }));
            const auto part = [&](std::uint32_t from, std::size_t lanes) {
                std::vector<schedule::Slot> slots;
                for (schedule::Slot slot : made.schedule.slots)
                    if (slot.worker >= from && slot.worker < from + lanes) {
                        slot.worker -= from;
                        slots.push_back(slot);
                    }
                return slots;
            };
            const auto same = [](const std::vector<schedule::Slot>& a,
                                 const std::vector<schedule::Slot>& b) {
                return std::equal(
                    a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
                        return x.task == y.task && x.worker == y.worker && x.start == y.start &&
                               x.end == y.end && x.aborted == y.aborted;
                    });
            };
            QVERIFY(same(part(0, above->lanes.size()), above->schedule.slots));
            QVERIFY(
                same(part(static_cast<std::uint32_t>(above->lanes.size()) + 1, below->lanes.size()),
                     below->schedule.slots));
        }
        QVERIFY(stacked({}).lanes.empty());
    }

    void every_task_once_and_waits_add_up_data() {
        QTest::addColumn<int>("strategy");
        for (const Strategy strategy : {Strategy::serial, Strategy::speculative, Strategy::levels})
            QTest::newRow(name_of(strategy)) << static_cast<int>(strategy);
    }
    void every_task_once_and_waits_add_up() {
        QFETCH(int, strategy);
        const auto by = static_cast<Strategy>(strategy);
        const Recorded run = recorded(by, 3);
        for (const auto& block : run.blocks) {
            const conflict::ConflictIndex& index = *block->index;
            const auto made = measured_schedule(run.trace, block->height(), index, name_of(by));
            QVERIFY2(made.ok(), made.ok() ? "" : made.error().message.c_str());
            QCOMPARE(made->lanes.size(), std::size_t{by == Strategy::serial ? 1U : 3U});
            QCOMPARE(made->schedule.workers, static_cast<unsigned>(made->lanes.size()));
            // Its own time: not that of the blocks before it in the pipeline.
            QCOMPARE(made->schedule.slots.front().start, std::uint64_t{0});
            std::vector<int> counts(index.tasks());
            std::uint64_t aborted = 0;
            for (const schedule::Slot& slot : made->schedule.slots) {
                QVERIFY(slot.start <= slot.end && slot.end <= made->schedule.makespan);
                QCOMPARE(made->stands_under[slot.task], slot.task);
                counts[slot.task] += !slot.aborted;
                aborted += slot.aborted;
            }
            QCOMPARE(made->aborted, aborted);
            if (by == Strategy::serial) QCOMPARE(aborted, std::uint64_t{0});
            for (conflict::TaskId task = 0; task < index.tasks(); ++task) {
                QCOMPARE(counts[made->stands_under[task]], 1);
                const auto wait =
                    schedule::wait_of(index, made->schedule, task, made->stands_under);
                QVERIFY(wait);
                std::uint64_t sum = 0;
                for (const schedule::WaitPart& part : wait->parts) sum += part.length;
                QCOMPARE(sum, wait->start - wait->ready);
            }
        }
    }

    void costs_are_the_measured_times() {
        const Recorded run = recorded(Strategy::speculative, 2);
        const ReplayedBlock& block = *run.blocks.back();
        const auto analysis = schedule::analyse(block.trace, {});
        QVERIFY(analysis);
        const auto made =
            measured_schedule(run.trace, block.height(), *analysis->index, "speculative");
        QVERIFY(made);
        const auto costs = with_measured_costs(*analysis, *made);
        QVERIFY(costs);
        QVERIFY(costs->index->trace->original->cost_unit == trace::CostUnit::measured_ns);
        QVERIFY(costs->index->level == analysis->index->level);
        std::uint64_t ran = 0;
        for (const schedule::Slot& slot : made->schedule.slots)
            if (!slot.aborted) ran += slot.end - slot.start;
        // Shared out among a transaction's tasks, rounded down, at least 1.
        QVERIFY(costs->index->work <= ran + costs->index->tasks());
        QVERIFY(costs->index->work + 8 * costs->index->tasks() >= ran);
    }

    /// What the record keeps is what the Schedule finds from the spans and the whole trace.
    void the_longest_chain_of_measured_times() {
        for (const Strategy by : {Strategy::serial, Strategy::speculative}) {
            const Recorded run = recorded(by, 2);
            MeasuredPaths paths;
            std::vector<RunBlock> blocks;
            for (const auto& block : run.blocks) {
                paths.add(*block);
                blocks.push_back(summary_of(*block));
            }
            paths.fill_in(run.trace, blocks);
            for (std::size_t i = 0; i < blocks.size(); ++i) {
                const ReplayedBlock& block = *run.blocks[i];
                const auto analysis = schedule::analyse(block.trace, {});
                const auto made =
                    measured_schedule(run.trace, block.height(), *analysis->index, name_of(by));
                const auto costs = with_measured_costs(*analysis, *made);
                QVERIFY(blocks[i].path && costs);
                QCOMPARE(static_cast<std::uint64_t>(blocks[i].path->longest), costs->index->span);
                QVERIFY(static_cast<std::uint64_t>(blocks[i].path->work) >= costs->index->work);
            }
        }
    }

    void a_path_that_cannot_be_told_is_not() {
        const Recorded run = recorded(Strategy::serial, 1);
        const auto reported = [&](const profile::Trace& spans, std::size_t room) {
            MeasuredPaths paths(room);
            std::vector<RunBlock> blocks{summary_of(*run.blocks.front())};
            paths.add(*run.blocks.front());
            paths.fill_in(spans, blocks);
            return blocks.front().path.has_value();
        };
        QVERIFY(reported(run.trace, 1'000'000));
        QVERIFY(!reported(run.trace, 10)); // no room for its edges
        profile::Trace spans = run.trace;
        spans.dropped = 1;
        QVERIFY(!reported(spans, 1'000'000));
        spans = run.trace; // a device ran a task: it has no time of its own
        for (profile::Lane& lane : spans.lanes) {
            // A transaction without messages has no task.
            const auto first =
                std::find_if(lane.spans.begin(), lane.spans.end(), [](const profile::Span& span) {
                    return span.category == profile::Category::message && span.block == 0 &&
                           span.task != profile::none;
                });
            if (first != lane.spans.end()) lane.spans.erase(first);
        }
        QVERIFY(!reported(spans, 1'000'000));
    }

    void what_is_missing_is_said() {
        const Recorded run = recorded(Strategy::serial, 1);
        const conflict::ConflictIndex& index = *run.blocks.front()->index;
        const auto other = measured_schedule(run.trace, 12, index, "serial");
        QVERIFY(!other.ok() && other.error().message.find("block 12") != std::string::npos);
        profile::Trace bare = run.trace;
        for (profile::Lane& lane : bare.lanes) lane.spans.clear();
        const auto none = measured_schedule(bare, run.blocks.front()->height(), index, "serial");
        QVERIFY(!none.ok() && none.error().message.find("found none") != std::string::npos);

        // Only a device's parts: they have lanes of their own, and tasks have no time of theirs.
        bare.lanes.push_back({"device", profile::LaneKind::device, {}});
        profile::Span round;
        round.begin = 100, round.end = 900;
        round.category = profile::Category::round;
        bare.lanes.front().spans = {round};
        profile::Span slice;
        slice.begin = 200, slice.end = 700, slice.detail = 60;
        slice.category = profile::Category::slice;
        slice.name = static_cast<std::uint16_t>(SpanName::run);
        bare.lanes.back().spans = {slice};
        const auto device =
            measured_schedule(bare, run.blocks.front()->height(), index, "speculative");
        QVERIFY(device);
        QCOMPARE(device->device.size(), std::size_t{1});
        QCOMPARE(device->device[0].start, std::uint64_t{100});
        QCOMPARE(device->device[0].name, std::string("run"));
        QCOMPARE(device->lanes.back(), std::string("device"));
        const auto analysis = schedule::analyse(run.blocks.front()->trace, {});
        const auto costs = with_measured_costs(*analysis, *device);
        QVERIFY(!costs.ok() && costs.error().message.find("no measured time") != std::string::npos);
    }

    /// Those that count are the accepted ones: each once, on a wave's lane, with a time.
    void what_a_device_ran_is_on_its_waves() {
        ReplayOptions options;
        options.engine = alkanes::Engine::interpreter;
        options.strategy.strategy = Strategy::speculative;
        options.strategy.workers = 2;
        options.device = tests::open_vulkan_device();
        if (options.device == nullptr) QSKIP("no Vulkan device");
        if (!options.device->description().features.shader_device_clock)
            QSKIP("the device has no clock that its shaders read");
        options.device_options.wave_times = true;
        options.recording = std::make_shared<Recording>();
        const auto blocks = tests::replay(tests::sources_of("independent", 24), options);
        QVERIFY2(blocks.ok(), blocks.ok() ? "" : blocks.error().message.c_str());
        const profile::Trace trace = options.recording->finish();
        const ReplayedBlock& block = *blocks->back();
        std::set<std::uint32_t> from_device; // first tasks of its transactions
        std::uint32_t first = 0;
        for (const alkanes::TransactionResult& result : block.execution->transactions) {
            for (const alkanes::MessageRecord& record : result.records)
                if (record.engine == alkanes::Engine::vulkan) from_device.insert(first);
            first += static_cast<std::uint32_t>(result.records.size());
        }
        QVERIFY(!from_device.empty());

        const auto analysis = schedule::analyse(block.trace, {});
        QVERIFY(analysis.ok());
        const auto made = measured_schedule(trace, block.height(), *analysis->index, "speculative");
        QVERIFY2(made.ok(), made.ok() ? "" : made.error().message.c_str());
        std::set<std::uint32_t> ran;
        for (const schedule::Slot& slot : made->schedule.slots) {
            QVERIFY(slot.start < slot.end && slot.end <= made->schedule.makespan);
            if (slot.aborted || !made->lanes[slot.worker].starts_with("wave ")) continue;
            QVERIFY(ran.insert(analysis->index->trace->task_in_block(slot.task)).second);
        }
        QCOMPARE(ran, from_device);
        QVERIFY(!made->device.empty());
        const auto costs = with_measured_costs(*analysis, *made);
        QVERIFY2(costs.ok(), costs.ok() ? "" : costs.error().message.c_str());
    }
};

QTEST_GUILESS_MAIN(TestMeasuredSchedule)
#include "test_measured_schedule.moc"
