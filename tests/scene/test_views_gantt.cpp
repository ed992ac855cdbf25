// The Gantt of predicted schedules: bars where the schedule says, hollow, folded only where too
// thin.
#include "scene/blocks.h"
#include "scene/gantt.h"
#include "scene/lists.h"
#include "scene/tick_step.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>

namespace blockloom::scene::test_views_gantt {
namespace {

using namespace tests;
using schedule::BlockAnalysis;
using schedule::Schedule;
using schedule::Strategy;

constexpr float makespan_x = 800; ///< the makespan's place in the world

const Layer& bars_of(const DisplayList& list) {
    return list.layers[1];
}

/// An execution of the slot's task fills the lane from top to bottom.
bool has_bar(const DisplayList& list, const schedule::Slot& slot, const Lane& lane) {
    return std::any_of(list.targets.begin(), list.targets.end(), [&](const PickTarget& target) {
        return target.task == slot.task && target.bounds.y == lane.top &&
               target.bounds.height == lane.height;
    });
}

} // namespace

class TestViewsGantt : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// 1, 2 or 5 times a power of ten; no more ticks than asked for, and more with the next
    /// smaller.
    void steps_of_an_axis_are_round() {
        QCOMPARE(tick_step(10, 10), 1.0);
        QCOMPARE(tick_step(11, 10), 2.0);
        QCOMPARE(tick_step(312, 10), 50.0);
        QCOMPARE(tick_step(3, 10, 1), 1.0);
        QCOMPARE(tick_step(0, 10, 1), 1.0);
        std::mt19937_64 random(3);
        for (int i = 0; i < 2'000; ++i) {
            const double span = std::pow(10.0, static_cast<double>(random() % 2'400) / 100 - 9);
            const double most = 1 + static_cast<double>(random() % 20);
            const double step = tick_step(span, most);
            const auto text = QString::number(step, 'e', 9);
            const double digit = text.section(u'e', 0, 0).toDouble();
            QVERIFY2(digit == 1 || digit == 2 || digit == 5, qPrintable(text));
            QVERIFY(span / step <= most * (1 + 1e-9));
            const double next = step / (digit == 5 ? 2.5 : 2);
            QVERIFY(span / next > most * (1 - 1e-9));
            QVERIFY(tick_step(span, most, 1) >= std::max(step, 1.0));
        }
    }

    void bars_lie_where_the_schedule_says() {
        for (std::uint32_t seed = 1; seed <= 5; ++seed)
            for (const Strategy strategy : {Strategy::levels, Strategy::list, Strategy::optimistic})
                for (const std::uint32_t workers : {1U, 3U, 8U, 40U}) {
                    const BlockAnalysis analysis = analysed(random_block(seed, 120, 90, 4));
                    const Schedule schedule =
                        schedule::make_schedule(*analysis.index, strategy, workers);
                    const DisplayList list =
                        make_gantt(analysis, schedule, {.view = View::schedule});
                    QCOMPARE(list.targets.size(), schedule.slots.size());
                    QCOMPARE(list.coverage.all_edges, std::uint64_t{schedule.slots.size()});
                    const auto tasks = by_task(list);
                    const float unit = makespan_x / static_cast<float>(schedule.makespan);
                    std::map<float, std::uint32_t> worker_at;
                    for (const schedule::Slot& slot : schedule.slots) {
                        const auto& found = tasks.at(slot.task);
                        const auto bar =
                            std::find_if(found.begin(), found.end(), [&](const PickTarget* t) {
                                return std::abs(t->bounds.x -
                                                static_cast<float>(slot.start) * unit) < 0.01F &&
                                       std::abs(t->bounds.width -
                                                static_cast<float>(slot.end - slot.start) * unit) <
                                           0.01F;
                            });
                        QVERIFY(bar != found.end());
                        QVERIFY((*bar)->bounds.x + (*bar)->bounds.width <= makespan_x + 0.01F);
                        const auto [lane, fresh] =
                            worker_at.insert({(*bar)->bounds.y, slot.worker});
                        QCOMPARE(lane->second, slot.worker);
                    }
                }
    }

    void lanes_and_bars_do_not_overlap() {
        for (const std::uint32_t workers : {1U, 5U, 64U}) {
            const BlockAnalysis analysis = analysed(random_block(7, 300, 200, 4));
            const DisplayList list =
                make_view(analysis, {.view = View::schedule, .workers = workers});
            std::map<float, std::vector<std::pair<float, float>>> lanes;
            float height = 0;
            for (const Box& box : bars_of(list).boxes) {
                lanes[box.rect.y].push_back({box.rect.x, box.rect.x + box.rect.width});
                height = box.rect.height;
                QVERIFY(box.rect.x >= 0 && box.rect.x + box.rect.width <= makespan_x + 0.01F);
            }
            QVERIFY(lanes.size() <= workers);
            float before = -1e9F;
            for (auto& [y, bars] : lanes) {
                QVERIFY(y >= before + height - 0.01F);
                before = y;
                std::sort(bars.begin(), bars.end());
                for (std::size_t i = 1; i < bars.size(); ++i)
                    QVERIFY(bars[i].first >= bars[i - 1].second - 0.01F);
            }
        }
    }

    void all_bars_look_predicted() {
        const BlockAnalysis analysis = analysed(random_block(4, 200, 60, 4));
        for (const Strategy strategy : {Strategy::list, Strategy::optimistic}) {
            const DisplayList list =
                make_view(analysis, {.view = View::schedule, .strategy = strategy});
            std::uint64_t hatched = 0;
            for (const Box& box : bars_of(list).boxes) {
                QCOMPARE(box.fill, dark_theme().canvas);
                QVERIFY(box.outline.a == 255 && box.outline_width >= 1);
                QVERIFY(box.dashed);
                hatched += box.hatched ? 1 : 0;
            }
            std::uint64_t aborted = 0;
            const Schedule schedule = schedule::make_schedule(*analysis.index, strategy, 8);
            for (const schedule::Slot& slot : schedule.slots) aborted += slot.aborted ? 1 : 0;
            QCOMPARE(hatched, aborted);
            QCOMPARE(aborted > 0, strategy == Strategy::optimistic);
            QVERIFY(list.summary.find("Predicted") == 0);
            // A task's target is the execution that counted.
            for (const schedule::Slot& slot : schedule.slots)
                if (!slot.aborted)
                    QVERIFY(std::abs(list.targets[list.task_target[slot.task]].bounds.x -
                                     static_cast<float>(slot.start) * makespan_x /
                                         static_cast<float>(schedule.makespan)) < 0.01F);
        }
    }

    void the_chain_is_lit() {
        const BlockAnalysis analysis = analysed(chains_block(4, 9, 30));
        const DisplayList list = make_view(analysis, {.view = View::schedule, .workers = 3});
        QCOMPARE(count_lines(list, dark_theme().critical), std::uint64_t{8});
        std::uint64_t lit = 0;
        for (const Box& box : list.layers[2].boxes)
            lit += box.outline == dark_theme().critical ? 1 : 0;
        QCOMPARE(lit, std::uint64_t{9});
    }

    void thin_bars_fold_and_say_so() {
        const BlockAnalysis analysis = analysed(chains_block(1, 4, 50'000));
        const DisplayList list = make_view(analysis, {.view = View::schedule, .workers = 2});
        QVERIFY(count_boxes(list) < 5'000);
        QVERIFY(list.coverage.drawn_edges < list.coverage.all_edges);
        QCOMPARE(list.coverage.all_edges, std::uint64_t{50'004});
        std::string expected = std::to_string(50'004 - list.coverage.drawn_edges);
        expected.insert(expected.size() - 3, ",");
        QVERIFY2(list.coverage.folded.find(expected + " thin bars merged into") == 0,
                 list.coverage.folded.c_str());
        QCOMPARE(list.targets.size(), std::size_t{50'004}); // each can still be picked
    }

    /// What is predicted lies above what was measured, on one axis; hollow and filled are kept
    /// apart.
    void predicted_above_measured() {
        const BlockAnalysis analysis = analysed(random_block(3, 60, 50, 4));
        const Schedule predicted = schedule::make_schedule(*analysis.index, Strategy::list, 4);
        schedule::MeasuredSchedule measured;
        measured.schedule = schedule::make_schedule(*analysis.index, Strategy::optimistic, 3);
        measured.lanes = {"worker 0", "worker 1", "worker 2", "a device"};
        measured.schedule.workers = 4;
        const std::uint64_t longest = std::max(predicted.makespan, measured.schedule.makespan);
        measured.device = {{3, 0, longest / 2, 0, 7, "upload"},
                           {3, longest / 2, longest, 1, 7, "run"}};
        const DisplayList list =
            make_gantts(analysis, predicted, measured, {.view = View::schedule});
        QCOMPARE(list.gantt.predicted.size(), std::size_t{4});
        QCOMPARE(list.gantt.measured.size(), std::size_t{4});
        QCOMPARE(list.gantt.run_end, gantt_width);
        std::vector<Lane> lanes = list.gantt.predicted;
        lanes.insert(lanes.end(), list.gantt.measured.begin(), list.gantt.measured.end());
        for (std::size_t i = 1; i < lanes.size(); ++i)
            QVERIFY(lanes[i].top >= lanes[i - 1].top + lanes[i - 1].height - 0.01F);
        QVERIFY(lanes[0].top >= gantt_caption - 0.01F);
        QVERIFY(lanes[4].top - lanes[3].top - lanes[3].height >= gantt_caption - 0.01F);
        // In a low panel, too, a caption is as high as a line of text.
        for (const float pixels : {60.0F, 100.0F, 160.0F, 900.0F}) {
            ViewOptions low{.view = View::schedule};
            low.gantt_pixels = pixels;
            const DisplayList there = make_gantts(analysis, predicted, measured, low);
            const float scale = pixels / there.world.height;
            const Lane& last = there.gantt.predicted.back();
            const float room = there.gantt.measured[0].top - last.top - last.height;
            QVERIFY2(room * scale >= 14, qPrintable(QString::number(room * scale)));
            QVERIFY(there.gantt.predicted[0].top * scale >= 14);
        }
        const float border = lanes[4].top;
        // A bar lies in the lane of its worker, or of its device.
        for (const schedule::Slot& slot : predicted.slots)
            QVERIFY(has_bar(list, slot, lanes[slot.worker]));
        for (const schedule::Slot& slot : measured.schedule.slots)
            QVERIFY(has_bar(list, slot, lanes[4 + slot.worker]));
        const float unit = gantt_width / static_cast<float>(longest);
        std::size_t above = 0, below = 0, striped = 0;
        for (const Box& box : list.layers[1].boxes) {
            QVERIFY(box.rect.y < border && box.fill == dark_theme().canvas);
            QVERIFY(box.dashed || box.hatched);
            ++above;
        }
        for (const Box& box : list.layers[3].boxes) {
            QVERIFY(box.rect.y >= border && !box.dashed);
            if (box.hatched)
                ++striped;
            else
                QVERIFY(box.fill != dark_theme().canvas);
            ++below;
        }
        QCOMPARE(above, predicted.slots.size());
        QCOMPARE(below, measured.schedule.slots.size());
        QCOMPARE(striped, measured.schedule.slots.size() - analysis.index->tasks());
        // The target of a task is its predicted bar; its measured one can be picked too.
        const auto tasks = by_task(list);
        for (const schedule::Slot& slot : predicted.slots) {
            const Rect& bar = list.targets[list.task_target[slot.task]].bounds;
            QVERIFY(bar.y < border);
            QVERIFY(std::abs(bar.x - static_cast<float>(slot.start) * unit) < 0.01F);
            QVERIFY(tasks.at(slot.task).size() >= 2);
        }
        // The chain is 3 px wide in both.
        for (const std::size_t chain : {2U, 4U}) {
            QVERIFY(!list.layers[chain].boxes.empty());
            for (const Box& box : list.layers[chain].boxes)
                QVERIFY(box.outline == dark_theme().critical && box.outline_width == 3);
        }
        QCOMPARE(list.layers[5].boxes.size(), std::size_t{2});
        QVERIFY(list.layers[5].boxes[0].hatched && !list.layers[5].boxes[1].hatched);

        const auto table =
            make_gantts_table(analysis.index, std::make_shared<const Schedule>(predicted),
                              std::make_shared<const schedule::MeasuredSchedule>(measured));
        QCOMPARE(table->rows(), above + below + 2);
        QCOMPARE(table->text(0, 1), std::string("predicted"));
        QCOMPARE(table->text(above, 1), std::string("measured"));
        QCOMPARE(table->text(above + below, 2), std::string("a device"));
        QVERIFY(!table->task(above + below));

        // Without a prediction only what was measured is there.
        const DisplayList alone = make_gantts(analysis, {}, measured, {.view = View::schedule});
        QVERIFY(alone.gantt.predicted.empty());
        QCOMPARE(alone.gantt.measured.size(), std::size_t{4});
    }

    /// Axes that others draw are left out; lanes and bars stay where they are, and the world is the
    /// lanes.
    void a_gantt_without_axes() {
        const BlockAnalysis analysis = analysed(random_block(5, 60, 50, 4));
        const Schedule schedule = schedule::make_schedule(*analysis.index, Strategy::list, 4);
        const DisplayList with = make_gantt(analysis, schedule, {.view = View::schedule});
        const DisplayList bare =
            make_gantt(analysis, schedule, {.view = View::schedule, .gantt_axes = false});
        QVERIFY(!with.layers.front().texts.empty() && bare.layers.front().texts.empty());
        QVERIFY(!with.layers.front().lines.empty() && bare.layers.front().lines.empty());
        QVERIFY(bare.layers.front().boxes == with.layers.front().boxes);
        QVERIFY(bare.gantt.predicted == with.gantt.predicted);
        QCOMPARE(bare.gantt.run_end, makespan_x);
        const Lane& lowest = bare.gantt.predicted.back();
        QCOMPARE(bare.world.x, 0.0F);
        QCOMPARE(bare.world.y, 0.0F);
        QCOMPARE(bare.world.height, lowest.top + lowest.height);
        for (const schedule::Slot& slot : schedule.slots)
            QVERIFY(has_bar(bare, slot, bare.gantt.predicted[slot.worker]));
    }
};

} // namespace blockloom::scene::test_views_gantt

QTEST_APPLESS_MAIN(blockloom::scene::test_views_gantt::TestViewsGantt)
#include "test_views_gantt.moc"
