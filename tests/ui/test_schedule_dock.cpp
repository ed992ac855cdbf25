// The Schedule dock over the demo range: predicted figures, minimap, selection, export.
#include "ui/open_session.h"

#include "canvas/scene_canvas.h"
#include "docks/schedule_dock.h"
#include "docks/schedule_figures.h"
#include "docks/schedule_minimap.h"
#include "docks/table_twin.h"
#include "docks/view_pane.h"
#include "look/theme_style.h"
#include "models/twin_model.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

using namespace blockloom;
using ui::ScheduleDock;
using ui::Session;

class TestScheduleDock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void figures_say_predicted();
    void figures_follow_the_definitions();
    void controls_ask_the_session();
    void click_selects();
    void wheel_zooms_time_only();
    void minimap_follows_and_leads();
    void busy_shares_sum_to_the_work();
    void twin_lists_the_executions();
    void export_is_written();
    void destroyed_while_a_view_is_made();

private:
    std::unique_ptr<Session> session_;
    std::unique_ptr<ScheduleDock> dock_;

    [[nodiscard]] bool settled() const {
        return dock_->pane()->settled() && dock_->canvas()->upToDate();
    }
    [[nodiscard]] QString figures() const {
        for (const auto* label : dock_->findChildren<QLabel*>())
            if (label->text().startsWith(QStringLiteral("Makespan"))) return label->text();
        return {};
    }
};

void TestScheduleDock::initTestCase() {
    if (qEnvironmentVariableIsEmpty("BLOCKLOOM_RENDERER")) qputenv("BLOCKLOOM_RENDERER", "cairo");
    ui::apply_theme(*qobject_cast<QApplication*>(QCoreApplication::instance()),
                    scene::dark_theme());
    session_ = test::open_demo();
    QVERIFY(session_ != nullptr);
}

void TestScheduleDock::init() {
    dock_ = std::make_unique<ScheduleDock>(session_.get());
    dock_->resize(1000, 420);
    dock_->show();
    QTRY_VERIFY(settled());
}

void TestScheduleDock::cleanup() {
    dock_.reset();
    session_->selectTask(std::nullopt);
    session_->setStrategy(schedule::Strategy::list);
    session_->setWorkers(8);
}

void TestScheduleDock::figures_say_predicted() {
    const auto span = session_->currentSchedule()->makespan;
    QVERIFY2(figures().contains(ui::makespan_text(session_->currentBlock()->analysis, span) +
                                QStringLiteral(" predicted")),
             qPrintable(figures()));
    QCOMPARE(figures().count(QStringLiteral("predicted")), 2);
    QVERIFY(!figures().contains(QStringLiteral("measured")));
}

void TestScheduleDock::figures_follow_the_definitions() {
    const auto& analysis = session_->currentBlock()->analysis;
    for (const auto strategy : {schedule::Strategy::levels, schedule::Strategy::list})
        for (const quint32 workers : {1U, 2U, 7U}) {
            const auto made = schedule::make_schedule(*analysis.index, strategy, workers);
            const auto figures = ui::figures_of(*analysis.index, made);
            QCOMPARE(figures.predicted_speedup, static_cast<double>(analysis.index->work) /
                                                    static_cast<double>(made.makespan));
            // Nothing runs twice: the busy share is the speed-up over the workers.
            QVERIFY(qAbs(figures.busy_share * workers - figures.predicted_speedup) < 1e-9);
            if (workers == 1) QCOMPARE(figures.predicted_speedup, 1.0);
        }
    QCOMPARE(ui::figures_of(*analysis.index, schedule::Schedule{}).predicted_speedup, 1.0);
}

void TestScheduleDock::controls_ask_the_session() {
    auto* workers = dock_->findChild<QSpinBox*>();
    workers->setValue(3);
    QCOMPARE(session_->workers(), 3U);
    QTRY_VERIFY(settled());
    QCOMPARE(dock_->pane()->shown().schedule->workers, 3U);
    auto* strategy = dock_->findChild<QComboBox*>();
    strategy->setFocus();
    QTest::keyClick(strategy, Qt::Key_Home);
    QCOMPARE(session_->strategy(), schedule::Strategy::levels);
    QTRY_VERIFY(settled());
    QCOMPARE(dock_->pane()->shown().schedule->strategy, schedule::Strategy::levels);
    session_->setWorkers(5); // from elsewhere
    QCOMPARE(workers->value(), 5);
    QTRY_COMPARE(dock_->pane()->shown().schedule->workers, 5U);
}

void TestScheduleDock::click_selects() {
    const auto list = dock_->canvas()->list();
    const quint32 task = 0;
    const auto& bounds = list->targets[list->task_target[task]].bounds;
    // Near enough that a bar is wider than the pixel that is clicked.
    dock_->canvas()->showSpan(static_cast<double>(bounds.x - bounds.width),
                              static_cast<double>(bounds.x + 4 * bounds.width));
    const QPoint at = dock_->canvas()
                          ->toCanvas({static_cast<qreal>(bounds.x + bounds.width / 2),
                                      static_cast<qreal>(bounds.y + bounds.height / 2)})
                          .toPoint();
    QTest::mouseClick(dock_->canvas(), Qt::LeftButton, {}, at);
    QCOMPARE(session_->selectedTask(), std::optional<quint32>(task));
    QVERIFY(!dock_->canvas()->currentRequest().marks.empty());
}

void TestScheduleDock::wheel_zooms_time_only() {
    const auto before = dock_->canvas()->currentRequest().camera;
    const QPointF at(400, 120);
    const QPointF world = dock_->canvas()->toWorld(at);
    QWheelEvent event(at, dock_->canvas()->mapToGlobal(at), {}, QPoint(0, 120), Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(dock_->canvas(), &event);
    const auto after = dock_->canvas()->currentRequest().camera;
    QVERIFY(after.scale_x > before.scale_x);
    QCOMPARE(after.scale_y, before.scale_y);
    QVERIFY(qAbs(dock_->canvas()->toCanvas(world).x() - at.x()) < 0.1);
}

void TestScheduleDock::minimap_follows_and_leads() {
    auto* minimap = dock_->findChild<ui::ScheduleMinimap*>();
    QCOMPARE(minimap->from(), 0.0);
    QCOMPARE(minimap->to(), 1.0);
    dock_->canvas()->zoomBy(4);
    const double wide = minimap->to() - minimap->from();
    QVERIFY2(wide < 0.4, qPrintable(QString::number(wide)));
    QTest::mouseClick(minimap, Qt::LeftButton, {}, {minimap->width() - 20, 10});
    QVERIFY2(minimap->to() > 0.95, qPrintable(QString::number(minimap->to())));
    QVERIFY(qAbs(minimap->to() - minimap->from() - wide) < 0.02);
    const double from = minimap->from();
    QTest::keyClick(minimap, Qt::Key_Left);
    QVERIFY(minimap->from() < from);
}

void TestScheduleDock::busy_shares_sum_to_the_work() {
    const auto& index = *session_->currentBlock()->analysis.index;
    for (const quint32 workers : {1U, 3U, 8U}) {
        const auto made = schedule::make_schedule(index, schedule::Strategy::list, workers);
        double sum = 0;
        for (const float share : ui::busy_shares(made, 100)) {
            QVERIFY(share >= 0 && share <= 1);
            sum += static_cast<double>(share);
        }
        const double busy = sum / 100 * static_cast<double>(made.makespan) * workers;
        QVERIFY(qAbs(busy / static_cast<double>(index.work) - 1) < 1e-4);
    }
    QCOMPARE(ui::busy_shares({}, 10), std::vector<float>(10, 0));
}

void TestScheduleDock::twin_lists_the_executions() {
    dock_->pane()->showTable(true);
    QTRY_COMPARE(dock_->pane()->table()->model()->rowCount(),
                 static_cast<int>(session_->currentSchedule()->slots.size()));
}

void TestScheduleDock::export_is_written() {
    const QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("schedule.svg"));
    const Status done = dock_->pane()->exportTo(path);
    QVERIFY2(done.ok(), done.ok() ? "" : done.error().message.c_str());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("<svg"));
}

void TestScheduleDock::destroyed_while_a_view_is_made() {
    for (int round = 0; round < 10; ++round) {
        auto dock = std::make_unique<ScheduleDock>(session_.get());
        dock->show();
        session_->setWorkers(static_cast<quint32>(round + 1));
        if (round % 2 == 0) QCoreApplication::processEvents();
        dock.reset();
        QCoreApplication::processEvents();
    }
}

QTEST_MAIN(TestScheduleDock)
#include "test_schedule_dock.moc"
