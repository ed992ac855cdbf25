// The Schedule dock over the demo range: predicted figures, minimap, selection, export.
#include "headers/waiting.h"
#include "look/apply_theme.h"
#include "ui/open_session.h"

#include "canvas/panel_bar.h"
#include "canvas/renderer_hud.h"
#include "canvas/scene_canvas.h"
#include "canvas/widget_svg.h"
#include "docks/parts/minimap.h"
#include "docks/parts/table_twin.h"
#include "docks/parts/view_pane.h"
#include "docks/schedule/schedule_axes.h"
#include "docks/schedule/schedule_dock.h"
#include "docks/schedule/schedule_figures.h"
#include "look/fitting_label.h"
#include "look/theme_style.h"
#include "models/twin_model.h"
#include "text/numbers.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
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
    void initTestCase_data(); // every test runs with each renderer
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
    void axes_name_the_ends_and_the_workers();
    void nothing_is_cut_off();
    void legend_fits_any_width();
    void renderer_statistics_by_key();
    void twin_lists_the_executions();
    void export_is_written();
    void destroyed_while_a_view_is_made();

private:
    bool vulkan_ = false; ///< there is a device
    std::unique_ptr<Session> session_;
    std::unique_ptr<ScheduleDock> dock_;

    [[nodiscard]] bool settled() const {
        return dock_->pane()->settled() && dock_->canvas()->upToDate();
    }
    [[nodiscard]] QString figures() const {
        return dock_->findChild<ui::FittingLabel*>()->fullText();
    }
};

void TestScheduleDock::initTestCase_data() {
    QTest::addColumn<QByteArray>("renderer");
    QTest::newRow("cairo") << QByteArray("cairo");
    QTest::newRow("vulkan") << QByteArray("vulkan");
}

void TestScheduleDock::initTestCase() {
    vulkan_ = scene::make_vulkan_renderer().ok();
    ui::apply_theme(*qobject_cast<QApplication*>(QCoreApplication::instance()),
                    scene::dark_theme());
    session_ = test::open_demo();
    QVERIFY(session_ != nullptr);
}

void TestScheduleDock::init() {
    QFETCH_GLOBAL(QByteArray, renderer);
    if (renderer == "vulkan" && !vulkan_) QSKIP("no Vulkan device here");
    qputenv("BLOCKLOOM_RENDERER", renderer);
    dock_ = std::make_unique<ScheduleDock>(session_.get());
    dock_->resize(1000, 420);
    dock_->show();
    WAIT_UNTIL(settled());
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
    WAIT_UNTIL(settled());
    QCOMPARE(dock_->pane()->shown().schedule->workers, 3U);
    auto* strategy = dock_->findChild<QComboBox*>();
    strategy->setFocus();
    QTest::keyClick(strategy, Qt::Key_Home);
    QCOMPARE(session_->strategy(), schedule::Strategy::levels);
    WAIT_UNTIL(settled());
    QCOMPARE(dock_->pane()->shown().schedule->strategy, schedule::Strategy::levels);
    session_->setWorkers(5); // from elsewhere
    QCOMPARE(workers->value(), 5);
    WAIT_UNTIL(dock_->pane()->shown().schedule->workers == 5U);
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
    auto* minimap = dock_->findChild<ui::Minimap*>();
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

void TestScheduleDock::axes_name_the_ends_and_the_workers() {
    const auto axes = [this] {
        for (const scene::Layer& layer : dock_->canvas()->currentRequest().marks)
            if (layer.space == scene::Space::screen) return layer;
        return scene::Layer{};
    };
    const auto texts = [](const scene::Layer& layer) {
        QStringList all;
        for (const scene::Text& text : layer.texts) all.append(QString::fromStdString(text.utf8));
        return all;
    };
    const auto makespan = session_->currentSchedule()->makespan;
    const QString last = ui::count_text(makespan);
    QVERIFY(texts(axes()).contains(QStringLiteral("0")));
    QVERIFY(texts(axes()).contains(last));
    for (quint32 w = 0; w < session_->workers(); ++w)
        QVERIFY(texts(axes()).contains(QStringLiteral("worker %1").arg(w)));
    // The list's own axes would not follow the camera: they are left out.
    QVERIFY(dock_->canvas()->list()->layers.front().texts.empty());
    dock_->canvas()->zoomBy(8);
    const auto zoomed = texts(axes());
    QVERIFY(!zoomed.contains(QStringLiteral("0")));
    QVERIFY(zoomed.contains(QStringLiteral("worker 0")));
    // Each tick stands where its time is.
    const auto layer = axes();
    const auto [from, to] = dock_->canvas()->shownSpan();
    float before = -1;
    for (const scene::Text& text : layer.texts) {
        bool number = false;
        const qint64 time =
            QString::fromStdString(text.utf8).remove(QLatin1Char(',')).toLongLong(&number);
        if (!number) continue;
        QVERIFY(text.at.x > before);
        before = text.at.x;
        const double world = dock_->canvas()->toWorld({static_cast<qreal>(text.at.x), 0}).x();
        QVERIFY(world >= from - 0.5 && world <= to + 0.5);
        const auto list = dock_->canvas()->list();
        float end = 0;
        for (const auto& target : list->targets)
            end = std::max(end, target.bounds.x + target.bounds.width);
        const double reported = static_cast<double>(time) / static_cast<double>(makespan);
        QVERIFY(qAbs(world / static_cast<double>(end) - reported) < 1e-3);
    }
    QVERIFY(before > 0);
}

void TestScheduleDock::nothing_is_cut_off() {
    const auto* bar = dock_->findChild<ui::PanelBar*>();
    for (const int width : {1400, 1000, 760, 520, 380}) {
        dock_->resize(width, 400);
        QCoreApplication::processEvents();
        QVERIFY2(bar->width() <= width, qPrintable(QString::number(width)));
        for (const auto* child :
             bar->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
            if (!child->isVisible() || child->isWindow()) continue;
            QVERIFY2(child->geometry().right() <= bar->width(), child->metaObject()->className());
            if (qobject_cast<const ui::FittingLabel*>(child) == nullptr)
                QVERIFY2(child->width() >= child->minimumSizeHint().width(),
                         child->metaObject()->className());
        }
    }
    QVERIFY(!dock_->findChild<ui::FittingLabel*>()->shownText().isEmpty());
}

/// Every label is there in full, however narrow the panel is.
void TestScheduleDock::legend_fits_any_width() {
    ui::LegendStrip strip;
    strip.setItems(dock_->pane()->legend()->items());
    strip.setCoverage(dock_->pane()->legend()->coverage());
    QVERIFY(strip.items().size() > 4);
    const QTemporaryDir folder;
    for (const int width : {180, 240, 400, 900}) {
        strip.resize(width, strip.heightForWidth(width));
        const QString path = folder.filePath(QStringLiteral("legend.svg"));
        QVERIFY(ui::write_svg(strip, QStringLiteral("Legend"), path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString drawn = QString::fromUtf8(file.readAll());
        QVERIFY2(!drawn.contains(QChar(0x2026)), qPrintable(QString::number(width)));
        for (const auto& item : strip.items()) {
            const QString last = QString::fromStdString(item.label).section(QLatin1Char(' '), -1);
            QVERIFY2(drawn.contains(last), qPrintable(last + QString::number(width)));
        }
    }
}

void TestScheduleDock::renderer_statistics_by_key() {
    dock_->canvas()->setFocus();
    dock_->activateWindow();
    WAIT_UNTIL(dock_->canvas()->hasFocus());
    const auto* hud = dock_->canvas()->findChild<ui::RendererHud*>();
    const auto drawn = [this] { return dock_->canvas()->framesDrawn(); };
    QVERIFY(!hud->shown());
    const auto before = drawn();
    QTest::keyClick(dock_->canvas(), Qt::Key_O);
    QVERIFY(hud->shown());
    WAIT_UNTIL(drawn() > before);
    QTest::keyClick(dock_->canvas(), Qt::Key_O);
    QVERIFY(!hud->shown());
}

void TestScheduleDock::twin_lists_the_executions() {
    dock_->pane()->showTable(true);
    WAIT_UNTIL(dock_->pane()->table()->model()->rowCount() ==
               (static_cast<int>(session_->currentSchedule()->slots.size())));
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
