// The session: opening, cancelling, one selection, rules with undo, and a clean end while work is
// on.
#include "block_fixture.h"
#include "headers/waiting.h"
#include "session/background_work.h"
#include "session/selection_history.h"
#include "session/session.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <fstream>

using namespace blockloom;
using namespace blockloom::ui;
using namespace blockloom::test;

namespace {

/// The key that causes most pairs in the current block.
QString hottest(const Session& session) {
    const auto block = session.currentBlock();
    if (block->analysis.hot_keys.empty()) return {};
    return QString::fromStdString(
        block->analysis.index->trace->keys->printable(block->analysis.hot_keys.front().key));
}

} // namespace

class TestSession : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    bool open(Session& session) {
        session.open({folder_.path()});
        WAIT_UNTIL(session.range() && !session.busy());
        return true;
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(write_blocks(folder_.path(), 4, 300)); }

    void opens_a_folder() {
        Session session;
        QSignalSpy ranges(&session, &Session::rangeChanged), busy(&session, &Session::busyChanged);
        QVERIFY(open(session));
        QCOMPARE(ranges.count(), 1);
        QCOMPARE(busy.count(), 2);
        QCOMPARE(session.range()->blocks.size(), std::size_t{4});
        QCOMPARE(session.currentRow(), 0);
        QVERIFY(session.currentBlock() == session.range()->blocks[0]);
        QVERIFY(session.analysisNs() > 0);
        QVERIFY(!session.showsBefore());
        QCOMPARE(session.sources(), QStringList{folder_.path()});
    }

    void a_failure_keeps_what_was_there() {
        Session session;
        QVERIFY(open(session));
        const auto before = session.range();
        QSignalSpy failed(&session, &Session::failed);
        session.open({folder_.filePath(QStringLiteral("nothing-here"))});
        WAIT_UNTIL(failed.count() == 1);
        WAIT_UNTIL(!session.busy());
        QVERIFY(failed.at(0).at(0).toString().contains(QStringLiteral("nothing-here")));
        QVERIFY(session.range() == before);
        QCOMPARE(session.sources(), QStringList{folder_.path()});
    }

    void what_cannot_be_read_is_listed_beside_the_rest() {
        QTemporaryDir mixed;
        QVERIFY(write_blocks(mixed.path(), 2, 20));
        std::ofstream(mixed.filePath(QStringLiteral("zz.bin")).toStdString()) << "no block at all";
        Session session;
        session.open({mixed.path()});
        WAIT_UNTIL(session.range() && !session.busy());
        QCOMPARE(session.range()->blocks.size(), std::size_t{2});
        QCOMPARE(session.range()->left_out.size(), std::size_t{1});
    }

    void cancel_returns_at_once_and_nothing_comes_after() {
        Session session;
        QSignalSpy ranges(&session, &Session::rangeChanged);
        session.open({folder_.path()});
        QVERIFY(session.busy());
        session.cancel();
        QVERIFY(!session.busy()); // no waiting for the worker
        drain_events();
        Session other; // gives the first one's worker time to end
        QVERIFY(open(other));
        QCoreApplication::processEvents();
        QCOMPARE(ranges.count(), 0);
        QVERIFY(session.range() == nullptr);
    }

    void a_newer_request_replaces_the_older() {
        QTemporaryDir second;
        QVERIFY(write_blocks(second.path(), 2, 20));
        Session session;
        QSignalSpy ranges(&session, &Session::rangeChanged);
        session.open({folder_.path()});
        session.open({second.path()});
        WAIT_UNTIL(session.range() && !session.busy());
        QCOMPARE(session.range()->blocks.size(), std::size_t{2});
        QCOMPARE(ranges.count(), 1);
    }

    void a_session_can_end_at_any_moment() {
        for (int round = 0; round < 12; ++round) {
            Session session;
            session.open({folder_.path()});
            for (int turn = 0; turn < round; ++turn) QCoreApplication::processEvents();
            if (round % 3 == 0) session.setModel(conflict::ConflictModel::multi_version);
        } // destroyed while it reads, analyses or hands over
        QCoreApplication::processEvents();
    }

    void one_selection_walks_back_and_forward() {
        Session session;
        QVERIFY(open(session));
        QSignalSpy changed(&session, &Session::selectionChanged);
        session.selectTask(5);
        session.selectTask(5);
        QCOMPARE(changed.count(), 1);
        session.selectTask(7);
        session.setCurrentRow(1);
        QVERIFY(!session.selectedTask()); // tasks belong to a block
        session.selectTask(9);
        session.goBack();
        QCOMPARE(session.currentRow(), 0);
        QCOMPARE(session.selectedTask(), std::optional<quint32>(7));
        session.goBack();
        QCOMPARE(session.selectedTask(), std::optional<quint32>(5));
        QVERIFY(!session.canGoBack());
        session.goForward();
        session.goForward();
        QCOMPARE(session.currentRow(), 1);
        QCOMPARE(session.selectedTask(), std::optional<quint32>(9));
        session.selectTask(1'000'000); // no such task
        QCOMPARE(session.selectedTask(), std::optional<quint32>(9));
    }

    void relaxing_is_one_named_step_and_comes_back() {
        Session session;
        QVERIFY(open(session));
        const auto pairs = session.currentBlock()->analysis.index->pairs.any;
        const QString key = hottest(session);
        QVERIFY(!key.isEmpty());
        session.selectTask(3);
        QSignalSpy ranges(&session, &Session::rangeChanged);
        session.relaxKey(key, true);
        QVERIFY(session.showsBefore());
        QVERIFY(session.undoStack().undoText().startsWith(QStringLiteral("relax key \"utxo ")));
        WAIT_UNTIL(ranges.count() == 1);
        WAIT_UNTIL(!session.busy());
        QVERIFY(session.currentBlock()->analysis.index->pairs.any < pairs);
        QVERIFY(session.currentBlock() == session.range()->blocks[0]); // one truth
        QCOMPARE(session.selectedTask(), std::optional<quint32>(3));
        QVERIFY(!session.showsBefore());

        session.undoStack().undo();
        QVERIFY(session.options().policy.leaves_all());
        WAIT_UNTIL(ranges.count() == 2);
        QCOMPARE(session.currentBlock()->analysis.index->pairs.any, pairs);
        session.undoStack().redo();
        QVERIFY(!session.options().policy.leaves_all());
    }

    void the_current_block_comes_before_the_range() {
        Session session;
        QVERIFY(open(session));
        session.setCurrentRow(2);
        const auto old_range = session.range();
        bool block_first = false;
        connect(&session, &Session::blockChanged, &session,
                [&] { block_first = block_first || session.range() == old_range; });
        session.setModel(conflict::ConflictModel::multi_version);
        WAIT_UNTIL(session.range() != old_range);
        QVERIFY(block_first);
        for (const auto& block : session.range()->blocks)
            QCOMPARE(block->analysis.index->model, conflict::ConflictModel::multi_version);
    }

    void cancelled_rules_are_not_called_up_to_date() {
        Session session;
        QVERIFY(open(session));
        session.setModel(conflict::ConflictModel::multi_version);
        session.cancel();
        QVERIFY(session.showsBefore()); // the range is of the older rules
        session.undoStack().undo();
        WAIT_UNTIL(!session.busy());
        QVERIFY(!session.showsBefore());
    }

    void the_same_rules_are_no_step() {
        Session session;
        session.setModel(session.options().model);
        session.setPolicy({}, QStringLiteral("nothing"));
        QCOMPARE(session.undoStack().count(), 0);
        session.setModel(conflict::ConflictModel::multi_version);
        session.setUseCost(true);
        QCOMPARE(session.undoStack().count(), 2); // never merged
    }

    void a_bad_pattern_is_told_and_can_be_undone() {
        Session session;
        QVERIFY(open(session));
        QSignalSpy failed(&session, &Session::failed);
        trace::KeyPolicy policy;
        policy.ignore = {"utxo:[a"};
        session.setPolicy(policy, QStringLiteral("a bad pattern"));
        WAIT_UNTIL(failed.count() == 1);
        session.undoStack().undo();
        WAIT_UNTIL(!session.busy());
        QVERIFY(!session.showsBefore());
    }

    void the_schedule_follows_and_is_kept() {
        Session session;
        QVERIFY(session.currentSchedule() == nullptr);
        QVERIFY(open(session));
        const auto schedule = session.currentSchedule();
        QVERIFY(schedule != nullptr && schedule->workers == session.workers());
        QVERIFY(session.currentSchedule() == schedule); // made once
        QSignalSpy changed(&session, &Session::scheduleChanged);
        session.setWorkers(2);
        session.setWorkers(2);
        session.setWorkers(0); // no such thing
        QCOMPARE(changed.count(), 1);
        QCOMPARE(session.currentSchedule()->workers, 2U);
        session.setStrategy(schedule::Strategy::levels);
        QCOMPARE(session.currentSchedule()->strategy, schedule::Strategy::levels);
    }

    void history_forgets_what_lay_ahead() {
        SelectionHistory history;
        for (quint32 task = 0; task < SelectionHistory::most + 10; ++task)
            history.visit({0, task, std::nullopt});
        int steps = 0;
        while (history.canGoBack()) {
            (void)history.back();
            ++steps;
        }
        QCOMPARE(steps, static_cast<int>(SelectionHistory::most) - 1);
        history.visit({0, 9999, std::nullopt});
        QVERIFY(!history.canGoForward());
    }

    void late_deliveries_are_dropped() {
        BackgroundWork work;
        std::atomic<bool> go = false;
        int delivered = 0;
        work.start(
            [&](const BackgroundWork::Delivery& deliver, ProgressSink& sink, std::stop_token) {
                sink.report({"waiting", 1, 2});
                go.wait(false);
                deliver([&] { ++delivered; });
            });
        work.cancel();
        go = true;
        go.notify_all();
        QSignalSpy finished(&work, &BackgroundWork::finished);
        work.start([&](const BackgroundWork::Delivery& deliver, ProgressSink&, std::stop_token) {
            deliver([&] { delivered += 100; });
        });
        WAIT_UNTIL(finished.count() == 1);
        QCOMPARE(delivered, 100);
        QVERIFY(!work.running());
    }
};

QTEST_MAIN(TestSession)
#include "test_session.moc"
