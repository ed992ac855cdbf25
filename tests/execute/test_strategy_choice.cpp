// What auto chooses, by what it was given of the windows before.
#include "execute/auto/strategy_choice.h"
#include "execute/auto/unknown_windows.h"
#include "execute/wave_span.h"

#include <QTest>

#include <optional>

using namespace blockloom;
using execute::Strategy;
using execute::StrategyChoice;
using execute::WindowOutlook;

class TestStrategyChoice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// What is measured corrects what is promised; block order is the last resort.
    void auto_chooses_by_promise_and_experience() {
        StrategyChoice choice;
        WindowOutlook outlook{2000, 8, 1, false, 0};
        QCOMPARE(choice.next(outlook).strategy, Strategy::speculative);
        outlook.any_edges = true;
        QCOMPARE(choice.next(outlook).strategy, Strategy::serial);
        QVERIFY(choice.next(outlook).why.ends_with("nothing else would be faster"));
        outlook.parallelism = 6;
        QCOMPARE(choice.next(outlook).strategy, Strategy::optimistic);
        outlook.parallelism = 1.1;
        outlook.predictable = 1;
        QCOMPARE(choice.next(outlook).strategy, Strategy::predict);
        QVERIFY(!choice.next(outlook).why.empty());

        // Predictions that took as long as four times the serial execution.
        choice.note(Strategy::predict, outlook, {80'000'000, 20'000'000, 2000});
        QCOMPARE(choice.next(outlook).strategy, Strategy::serial);
        QVERIFY(choice.next(outlook).why.ends_with("took longer than block order would"));
        outlook.parallelism = 6;
        outlook.predictable = 0;
        // dag is for learned sets that are complete, which takes a few windows. Then one window
        // tells which of the two is faster.
        for (const bool dag_is_faster : {false, true}) {
            StrategyChoice flows;
            for (int i = 0; i < 3; ++i) {
                QCOMPARE(flows.next(outlook).strategy, Strategy::optimistic);
                QVERIFY(flows.next(outlook).why.ends_with("still being learned"));
                QVERIFY(flows.wants_examination());
                flows.note(Strategy::optimistic, outlook, {6'000'000, 20'000'000, 2000});
            }
            QCOMPARE(flows.next(outlook).strategy, Strategy::dag);
            flows.note(Strategy::dag, outlook,
                       {dag_is_faster ? 5'000'000 : 7'000'000, 20'000'000, 2000});
            QCOMPARE(flows.next(outlook).strategy,
                     dag_is_faster ? Strategy::dag : Strategy::optimistic);
        }
        // Earlier only if it would have repeated hardly any.
        for (const bool complete : {false, true}) {
            StrategyChoice early;
            early.note(Strategy::optimistic, outlook, {6'000'000, 20'000'000, 2000},
                       complete ? 0.004 : 0.02);
            QCOMPARE(early.next(outlook).strategy, complete ? Strategy::dag : Strategy::optimistic);
            QVERIFY(early.wants_examination());
        }
        // It is not tried where it would have repeated many, until that has changed.
        StrategyChoice gaps;
        for (int i = 0; i < 100; ++i) {
            QCOMPARE(gaps.next(outlook).strategy, Strategy::optimistic);
            std::optional<double> repeated;
            if (gaps.wants_examination()) repeated = i < 50 ? 0.3 : 0.0;
            gaps.note(Strategy::optimistic, outlook, {6'000'000, 20'000'000, 2000}, repeated);
            if (repeated == 0.0) break;
            QVERIFY(i < 99);
        }
        QCOMPARE(gaps.next(outlook).strategy, Strategy::dag);
        // Where optimistic reaches nearly all that the tasks allow, there is nothing to try.
        StrategyChoice fast;
        for (int i = 0; i < 8; ++i) {
            QCOMPARE(fast.next(outlook).strategy, Strategy::optimistic);
            fast.note(Strategy::optimistic, outlook, {3'400'000, 20'000'000, 2000});
        }
        // Windows in which much was repeated do not count at first: it learns from them.
        StrategyChoice learning;
        for (int i = 0; i < 2; ++i) {
            learning.note(Strategy::optimistic, outlook, {40'000'000, 20'000'000, 2500});
            QCOMPARE(learning.next(outlook).strategy, Strategy::optimistic);
        }
        learning.note(Strategy::optimistic, outlook, {40'000'000, 20'000'000, 2500}, 0.5);
        QCOMPARE(learning.next(outlook).strategy, Strategy::serial);
        outlook.parallelism = 1.1;
        outlook.predictable = 1;
        // A window too small to tell anything, and one without a clock, change nothing.
        WindowOutlook tiny = outlook;
        tiny.tasks = StrategyChoice::enough_tasks - 1;
        choice.note(Strategy::predict, tiny, {1, 20'000'000, tiny.tasks});
        choice.note(Strategy::predict, outlook, {0, 20'000'000, 2000});
        QCOMPARE(choice.next(outlook).strategy, Strategy::serial);
        // It is forgotten: sooner or later they are tried again.
        int windows = 0;
        while (choice.next(outlook).strategy != Strategy::predict && windows < 200) {
            choice.note(Strategy::serial, outlook, {21'000'000, 20'000'000, 2000});
            ++windows;
        }
        QVERIFY2(windows > 5 && windows < 100, qPrintable(QString::number(windows)));
        // This time it pays.
        for (int i = 0; i < 3; ++i)
            choice.note(Strategy::predict, outlook, {4'000'000, 20'000'000, 2000});
        QCOMPARE(choice.next(outlook).strategy, Strategy::predict);
    }

    /// By the wall time of a window: longer executions, which are an effect of what other workers
    /// do meanwhile, say nothing for a strategy, and more work says nothing against it.
    void auto_compares_times_of_the_same_work() {
        const WindowOutlook outlook{2000, 8, 6, true, 0};
        for (const unsigned work : {1, 3}) { // of the window that dag gets
            StrategyChoice choice;
            for (int i = 0; i < 3; ++i)
                choice.note(Strategy::optimistic, outlook,
                            {9'500'000, 44'000'000, 2000, 80'000'000});
            QCOMPARE(choice.next(outlook).strategy, Strategy::dag);
            // A transaction counts as 40,000 gas, so all of them as much as 80 million.
            choice.note(Strategy::dag, outlook,
                        {Nanoseconds{7'500'000} * work, Nanoseconds{33'000'000} * work, 2000,
                         std::uint64_t{80'000'000} * (2 * work - 1)});
            QCOMPARE(choice.next(outlook).strategy, Strategy::dag);
        }
    }

    /// As many blocks as were accepted, and more after 2, 4, 8 … waves that were accepted whole.
    void waves_have_as_many_blocks_as_were_accepted() {
        execute::WaveSpan span;
        QVERIFY(span.blocks() >= 1024);
        span.accepted(16); // fewer than it allows: the window had no more
        QVERIFY(span.blocks() >= 1024);
        for (const int patience : {2, 4, 8, 16, 32, 64, 64}) {
            span.rejected(patience == 2 ? 0 : 1); // not even the first one, or only that
            int waves = 0;
            for (; span.blocks() == 1; ++waves) span.accepted(1);
            QCOMPARE(waves, patience);
            QCOMPARE(span.blocks(), 2U);
        }
        span.rejected(5);
        QCOMPARE(span.blocks(), 5U);
        for (int wave = 0; wave < 100; ++wave) span.accepted(3); // the end of a window
        QCOMPARE(span.blocks(), 5U);
    }

    /// Windows of unknown transactions run at once after a few that repeated nothing.
    void unknown_windows_run_at_once_after_a_few() {
        execute::UnknownWindows windows;
        const auto until_at_once = [&] {
            int looked = 0;
            for (; !windows.next_runs_at_once(); ++looked) windows.predicted(1000, 1005);
            return looked;
        };
        QCOMPARE(until_at_once(), 3);
        // Some are looked at, all the same.
        int at_once = 0, looked = 0;
        for (int i = 0; i < 80; ++i) {
            if (windows.next_runs_at_once()) {
                ++at_once;
                windows.ran_at_once(1000, 1000);
            } else {
                ++looked;
                windows.predicted(1000, 1000);
            }
        }
        QCOMPARE(looked, 5);
        QCOMPARE(at_once, 75);
        // One that repeats some ends that, and takes more windows to try again, up to a number.
        for (const int patience : {6, 12, 24, 48, 48}) {
            windows.ran_at_once(1000, 1200);
            QCOMPARE(until_at_once(), patience);
        }
        windows.are_known();
        QVERIFY(!windows.next_runs_at_once());
        windows.predicted(1000, 1100); // it counts from the beginning again
        windows.predicted(8, 8);       // and small windows not at all
        QCOMPARE(until_at_once(), 48);
    }
};

QTEST_APPLESS_MAIN(TestStrategyChoice)
#include "test_strategy_choice.moc"
