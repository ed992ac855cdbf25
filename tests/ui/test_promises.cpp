// What the window promises, it does: settings that are two values stay two, what is found can be
// inspected, keys go where the hint says, work that is cancelled or closed over says what is lost.
#include "canvas/legend_strip.h"
#include "canvas/scene_canvas.h"
#include "docks/blocks/blocks_dock.h"
#include "docks/breakdown/breakdown_dock.h"
#include "docks/breakdown/chart_page.h"
#include "docks/compare/compare_dock.h"
#include "docks/graph/graph_dock.h"
#include "docks/inspector/inspector_dock.h"
#include "docks/live/live_dock.h"
#include "docks/runs_dock.h"
#include "docks/timeline/timeline_dock.h"
#include "execute/recording.h"
#include "look/roles.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "models/blocks_model.h"
#include "models/recent_model.h"
#include "models/run_words.h"
#include "models/runs_model.h"
#include "models/span_kinds_model.h"
#include "report/timeline_picture.h"
#include "runs/median_repetition.h"
#include "scene/theme.h"
#include "session/run_job.h"
#include "session/runs.h"
#include "text/numbers.h"
#include "text/to_qt.h"
#include "window/find_box.h"
#include "window/first_start.h"
#include "window/panel_focus.h"
#include "window/session_keeper.h"
#include "window/window_actions.h"
#include "window/work_bar.h"
#include "window_fixture.h"
#include "work_that_waits.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStatusBar>
#include <QTabBar>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>

#include <QScopeGuard>

#include <atomic>
#include <semaphore>

using namespace blockloom;
using namespace blockloom::ui;
using namespace blockloom::test;

namespace {

QString status_of(const MainWindow& window) {
    return window.statusBar()->currentMessage();
}

} // namespace

class TestPromises : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        // The platform's own file dialog cannot be driven.
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    }

    void workers_of_a_run_and_of_the_prediction_are_two_values() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        MainWindow& window = *fixture.window;
        window.session()->setWorkers(8);
        auto* workers = window.findChild<QComboBox*>(QStringLiteral("runWorkers"));
        QVERIFY(workers != nullptr);
        // Any number, not only powers of two.
        for (const quint32 wanted : {3U, 7U, 100U, 1U}) {
            workers->lineEdit()->setFocus();
            workers->lineEdit()->selectAll();
            QTest::keyClicks(workers->lineEdit(), QString::number(wanted));
            QTest::keyClick(workers->lineEdit(), Qt::Key_Return);
            QCOMPARE(window.runs()->workers(), wanted);
            QCOMPARE(window.session()->workers(), 8U);
        }
        // What is no number of workers is not taken, and does not stay there.
        workers->lineEdit()->setText(QStringLiteral("0"));
        window.runs()->setWorkers(5);
        QCOMPARE(workers->currentText(), QStringLiteral("5"));
        auto* predicted = window.docks().schedule->findChild<QSpinBox*>();
        predicted->setValue(13);
        QCOMPARE(window.session()->workers(), 13U);
        QCOMPARE(window.runs()->workers(), 5U);
    }

    /// The switch verifies the next run, the button a kept one; where that cannot be, it says why.
    void runs_are_verified() {
        WindowFixture fixture;
        fixture.make();
        MainWindow& window = *fixture.window;
        window.runs()->setFolder(fixture.folder.filePath(QStringLiteral("kept")));
        QVERIFY(write_messages(fixture.blocks(), 60) && fixture.open());
        auto* verify = window.findChild<QCheckBox*>(QStringLiteral("verifyRuns"));
        auto* start = window.findChild<QPushButton*>(QStringLiteral("run"));
        QVERIFY(verify != nullptr && verify->isVisible());
        const auto click = [](QWidget* widget) {
            QTest::mouseClick(widget, Qt::LeftButton, {}, {10, widget->height() / 2});
        };
        QString last;
        const auto run_again = [&] {
            WAIT_UNTIL(start->isEnabled());
            click(start);
            WAIT_UNTIL(!window.session()->busy() && window.runs()->lastMade() != nullptr &&
                       QString::fromStdString(window.runs()->lastMade()->id) != last);
            last = QString::fromStdString(window.runs()->lastMade()->id);
            return *window.runs()->lastMade();
        };
        click(verify);
        QVERIFY(window.runs()->verifies());
        const runs::KeptRun verified = run_again();
        QVERIFY(verified.verified == true && verified.verification);
        QCOMPARE(verified.verification->blocks, std::uint64_t{verified.blocks.size()});
        QVERIFY(!verified.looked_closer); // its times are a measure of speed
        click(verify);
        QVERIFY(!window.runs()->verifies());
        const runs::KeptRun plain = run_again();
        QVERIFY(!plain.verified && !plain.verification);

        auto* dock = static_cast<RunsDock*>(window.docks().runs);
        dock->show();
        dock->raise();
        const QString id = QString::fromStdString(plain.id);
        const auto verified_tip = [&] {
            const RunsModel* model = dock->model();
            return model->index(model->rowOf(id), RunsModel::Verified)
                .data(Qt::ToolTipRole)
                .toString();
        };
        QVERIFY(verified_tip().startsWith(QStringLiteral("Not verified")));
        auto* button = dock->findChild<QPushButton*>(QStringLiteral("verifyRun"));
        QVERIFY(button != nullptr);
        WAIT_UNTIL(dock->model()->rowOf(id) == 0 && button->isVisible());
        dock->table()->setCurrentIndex(dock->table()->model()->index(0, RunsModel::Run));
        click(button);
        WAIT_UNTIL(window.runs()->find(id) != nullptr && window.runs()->find(id)->verified == true);
        QVERIFY2(verified_tip().startsWith(QStringLiteral("Verified on ")),
                 qPrintable(verified_tip()));

        // Its source is gone: a sentence, and the run stays as it was.
        WAIT_UNTIL(!window.session()->busy());
        QVERIFY(QDir().rename(fixture.blocks(), fixture.blocks() + QStringLiteral("-away")));
        click(button);
        QVERIFY(!window.session()->busy());
        const auto labels = dock->findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->text().contains(QStringLiteral("Its source is gone"));
        }));
        QVERIFY(window.runs()->find(id)->verified == true);
    }

    /// What was measured is not lost with its verification; it is never called verified.
    void a_cancelled_verification_keeps_the_run() {
        std::binary_semaphore go_on(0);
        std::atomic<bool> verifying = false;
        WindowFixture fixture;
        fixture.make();
        const auto release = qScopeGuard([&] { go_on.release(); }); // before the window joins it
        MainWindow& window = *fixture.window;
        window.runs()->setFolder(fixture.folder.filePath(QStringLiteral("kept")));
        QVERIFY(write_messages(fixture.blocks(), 60) && fixture.open());
        window.runs()->setVerifies(true);
        window.runs()->beforeVerification([&] {
            verifying = true;
            go_on.acquire();
        });
        window.runs()->start();
        WAIT_UNTIL(verifying);
        QSignalSpy cancelled(window.session(), &Session::cancelled);
        QSignalSpy finished(window.runs(), &Runs::finished);
        test::press(&window, Qt::Key_Period, Qt::ControlModifier);
        QVERIFY(!window.session()->busy());
        QCOMPARE(cancelled.count(), 1);
        const QString words = cancelled[0][0].toString();
        QVERIFY2(words.endsWith(QStringLiteral("; the run is kept, not verified")),
                 qPrintable(words));
        WAIT_UNTIL(!finished.isEmpty());
        QVERIFY(finished[0][0].toString().startsWith(QStringLiteral("Run kept, not verified: ")));
        const runs::KeptRun* kept = window.runs()->lastMade();
        QVERIFY(kept != nullptr && !kept->verified && !kept->verification);
        auto* dock = static_cast<RunsDock*>(window.docks().runs);
        const QModelIndex mark = dock->model()->index(
            dock->model()->rowOf(QString::fromStdString(kept->id)), RunsModel::Verified);
        QVERIFY(mark.data(Qt::ToolTipRole).toString().startsWith(QStringLiteral("Not verified")));
    }

    /// The wall time of a run is the same wherever it stands, and what is of another repetition
    /// says so.
    void one_run_has_one_time() {
        WindowFixture fixture;
        fixture.make();
        MainWindow& window = *fixture.window;
        window.runs()->setFolder(fixture.folder.filePath(QStringLiteral("kept")));
        QVERIFY(write_messages(fixture.blocks(), 60) && fixture.open());
        auto* repeat = window.findChild<QComboBox*>(QStringLiteral("repetitions"));
        repeat->setFocus();
        while (window.runs()->repetitions() < 6) QTest::keyClick(repeat, Qt::Key_Down);
        QSignalSpy finished(window.runs(), &Runs::finished);
        test::wait_until_active(&window);
        QTest::keyClick(window.windowHandle(), Qt::Key_Return, Qt::ControlModifier);
        WAIT_UNTIL(!finished.isEmpty() && !window.session()->busy());
        const runs::KeptRun run = *window.runs()->lastMade();
        QVERIFY(run.repetitions >= 6);
        const QString time = ui::time_text(run.wall);
        const QString words = finished[0][0].toString();
        QVERIFY2(words.startsWith(QStringLiteral("Run kept: %1,").arg(time)), qPrintable(words));

        const RunsModel* rows = static_cast<RunsDock*>(window.docks().runs)->model();
        QCOMPARE(rows->rowCount(), 1);
        QCOMPARE(rows->index(0, RunsModel::Time).data(SortRole).toLongLong(), qint64{run.wall});
        window.docks().breakdown->raise();
        auto* breakdown = static_cast<BreakdownDock*>(window.docks().breakdown);
        const QString wall = to_qt(runs::wall_words(run)); // "…, median of 6 repetitions"
        QVERIFY(wall.startsWith(time) && wall.contains(QStringLiteral("median of")));
        WAIT_UNTIL(breakdown->verdict() == wall);
        // The phases are of one repetition: they sum to its wall time.
        QVERIFY(run.median_repetition > 0);
        QCOMPARE(run.phases.sum(), run.walls[run.median_repetition - 1]);
        window.docks().live->raise();
        auto* live = static_cast<LiveDock*>(window.docks().live);
        WAIT_UNTIL(live->figures().contains(QStringLiteral("Time: %1\n").arg(time)));
        // Blocks are of the recorded repetition, the last one.
        breakdown->raise();
        QToolButton* blocks = nullptr;
        for (auto* button : breakdown->findChildren<QToolButton*>())
            if (button->isVisible() && button->text() == QStringLiteral("Blocks")) blocks = button;
        QVERIFY(blocks != nullptr);
        QTest::mouseClick(blocks, Qt::LeftButton);
        const QString last = to_qt(runs::last_words(run));
        QVERIFY(last.startsWith(QStringLiteral("last repetition")));
        const ChartPage* page = breakdown->page(BreakdownDock::Page::blocks);
        WAIT_UNTIL(page->isVisible() && page->words().contains(last));
    }

    /// Each kind of span has a colour of its own, in the lanes and beside the table.
    void kinds_of_spans_can_be_told_apart() {
        for (const scene::Theme* theme : {&scene::dark_theme(), &scene::light_theme()}) {
            QSet<QRgb> colours;
            for (std::uint16_t name = 0;
                 name < static_cast<std::uint16_t>(execute::SpanName::count); ++name)
                colours.insert(qcolor(report::span_colour(name, *theme)).rgb());
            QCOMPARE(colours.size(), qsizetype{static_cast<int>(execute::SpanName::count)});
        }
        WindowFixture fixture;
        fixture.make();
        MainWindow& window = *fixture.window;
        window.runs()->setFolder(fixture.folder.filePath(QStringLiteral("kept")));
        QVERIFY(write_messages(fixture.blocks(), 60) && fixture.open());
        QSignalSpy finished(window.runs(), &Runs::finished);
        test::wait_until_active(&window);
        QTest::keyClick(window.windowHandle(), Qt::Key_Return, Qt::ControlModifier);
        WAIT_UNTIL(!finished.isEmpty() && !window.session()->busy());
        auto* timeline = static_cast<TimelineDock*>(window.docks().timeline);
        timeline->show();
        timeline->raise();
        auto* kinds = timeline->findChild<Table*>(QStringLiteral("spanKinds"));
        // A panel as narrow as this one shows its statistics on request.
        if (auto* side = timeline->findChild<QToolButton*>(QStringLiteral("timelineStatistics"));
            !side->isChecked())
            side->click();
        WAIT_UNTIL(timeline->settled() && kinds->isVisible() && kinds->model()->rowCount() > 3);
        QSet<QRgb> shown;
        for (int row = 0; row < kinds->model()->rowCount(); ++row)
            shown.insert(kinds->model()
                             ->index(row, SpanKindsModel::Name)
                             .data(ColourRole)
                             .value<QColor>()
                             .rgb());
        QCOMPARE(shown.size(), qsizetype{kinds->model()->rowCount()});
    }

    /// What was run on another range is not shown as the new one's: Live names its source.
    void runs_belong_to_what_is_open() {
        WindowFixture fixture;
        fixture.make();
        MainWindow& window = *fixture.window;
        window.runs()->setFolder(fixture.folder.filePath(QStringLiteral("kept")));
        QVERIFY(write_messages(fixture.blocks(), 60) && fixture.open());
        QSignalSpy finished(window.runs(), &Runs::finished);
        test::wait_until_active(&window);
        QTest::keyClick(window.windowHandle(), Qt::Key_Return, Qt::ControlModifier);
        WAIT_UNTIL(!finished.isEmpty() && !window.session()->busy());
        auto* live = static_cast<LiveDock*>(window.docks().live);
        auto* breakdown = static_cast<BreakdownDock*>(window.docks().breakdown);
        auto* timeline = static_cast<TimelineDock*>(window.docks().timeline);
        WAIT_UNTIL(window.runs()->lastMade() != nullptr && !live->isShowingEmpty());
        const QString other = fixture.folder.filePath(QStringLiteral("other"));
        QVERIFY(write_messages(other, 20));
        window.open({other});
        WAIT_UNTIL(window.session()->sources() == QStringList{other} && window.isSettled());
        WAIT_UNTIL(!window.runs()->reading());
        QVERIFY(window.runs()->lastMade() == nullptr && window.runs()->live() == nullptr);
        const QString whose = source_words(window.runs()->kept().front());
        QVERIFY2(whose.contains(QFileInfo(fixture.blocks()).fileName()), qPrintable(whose));
        const auto labels = live->findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(),
                            [&](const QLabel* label) { return label->toolTip().contains(whose); }));
        for (Dock* dock : {static_cast<Dock*>(breakdown), static_cast<Dock*>(timeline)}) {
            dock->show();
            dock->raise();
        }
        WAIT_UNTIL(timeline->settled());
        QVERIFY(!timeline->message().isEmpty());
        QCOMPARE(breakdown->verdict(), QStringLiteral("Choose a run above"));
    }

    /// One cancelled before it was measured is not kept.
    void a_cancelled_run_is_not_kept() {
        RunOutcome early, late;
        QVERIFY(early.cancel() && !early.keep());
        QVERIFY(late.keep() && !late.cancel());
    }

    /// Of the whole work, whatever part of it is running.
    void progress_is_of_the_whole_work() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        Session& session = *fixture.window->session();
        session.perform(work_that_waits({"Replaying blocks · repetition 5 of 10", 135, 270}),
                        QStringLiteral("Run"), QStringLiteral("it is not kept"));
        auto* bar = fixture.window->findChild<WorkBar*>();
        QVERIFY(bar != nullptr);
        WAIT_UNTIL(session.progress().total == 270);
        QVERIFY2(bar->text().contains(QStringLiteral("135 of 270 (50.0 %)")),
                 qPrintable(bar->text()));
        QVERIFY(bar->text().contains(QStringLiteral("repetition 5 of 10")));
        session.cancel();
    }

    void a_found_key_can_be_inspected() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        MainWindow& window = *fixture.window;
        Session& session = *window.session();
        const auto& trace = *session.currentBlock()->analysis.index->trace;
        // A key that some task writes and another one reads.
        quint32 key = 0;
        for (quint32 task = 0; task < trace.tasks(); ++task)
            if (!session.currentBlock()->analysis.index->predecessors_of(task).empty())
                for (const trace::Access access : trace.access_sets().of(task))
                    if (access.reads()) key = access.key();
        const QString name = QString::fromStdString(trace.keys->printable(key));
        window.findBox()->setFocus();
        QTest::keyClicks(window.findBox(), name);
        WAIT_UNTIL(window.findBox()->answers()->count() > 0);
        QTest::keyClick(window.findBox(), Qt::Key_Return);
        WAIT_UNTIL(session.selectedKey() == std::optional<quint32>(key));
        auto* inspector = static_cast<InspectorDock*>(window.docks().inspector);
        inspector->raise();
        WAIT_UNTIL(inspector->page()->toPlainText().contains(QStringLiteral("Readers")));
        QVERIFY(inspector->showsKey());
        const QString text = inspector->page()->toPlainText();
        QVERIFY(text.contains(QStringLiteral("Writers")));
        QVERIFY(text.contains(QStringLiteral("Tasks that access it")));
        // A link leads to a task, and the page follows.
        for (quint32 task = 0; task < trace.tasks() && inspector->showsKey(); ++task)
            if (inspector->page()->toHtml().contains(QStringLiteral("task:%1\"").arg(task)))
                Q_EMIT inspector->page()->anchorClicked(QUrl(QStringLiteral("task:%1").arg(task)));
        QVERIFY(!inspector->showsKey() && session.selectedTask());
        // And back to the key, which can be relaxed here.
        Q_EMIT inspector->page()->anchorClicked(QUrl(QStringLiteral("key:%1").arg(key)));
        QVERIFY(inspector->showsKey());
        Q_EMIT inspector->page()->anchorClicked(QUrl(QStringLiteral("do:0")));
        WAIT_UNTIL(!session.busy());
        QVERIFY(!session.options().policy.leaves_all());
    }

    void keys_go_to_the_canvas_after_a_layout_switch() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        MainWindow& window = *fixture.window;
        window.commands()->layout_run->trigger();
        settle();
        window.commands()->layout_analyse->trigger();
        SceneCanvas* canvas = window.graph()->canvas();
        WAIT_UNTIL(QApplication::focusWidget() == canvas);
        QVERIFY(fixture.settle());
        canvas->zoomBy(4);
        const QRectF before = canvas->visibleWorld();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_D);
        QVERIFY(canvas->visibleWorld() != before);
        QVERIFY(QApplication::activePopupWidget() == nullptr);

        // F6 lands on what a panel shows, never on a button of its title or of an error.
        for (Dock* dock : window.docks().all()) dock->showError(QStringLiteral("an error"));
        for (int i = 0; i < 8; ++i) {
            window.panels()->walk(1);
            const QWidget* focus = QApplication::focusWidget();
            QVERIFY(focus != nullptr);
            QVERIFY2(qobject_cast<const QToolButton*>(focus) == nullptr,
                     qPrintable(focus->accessibleName()));
        }
    }

    /// By the keys themselves, in every layout, with errors shown and with panels that are empty.
    void f6_never_reaches_a_close_button() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        MainWindow& window = *fixture.window;
        for (Dock* dock : window.docks().all()) dock->showError(QStringLiteral("an error"));
        for (const Qt::Key layout : {Qt::Key_1, Qt::Key_2, Qt::Key_3, Qt::Key_4}) {
            test::wait_until_active(&window);
            QTest::keyClick(window.windowHandle(), layout, Qt::ControlModifier | Qt::AltModifier);
            QVERIFY(fixture.settle());
            const auto panels = window.layoutOfDocks().visible();
            QVERIFY(panels.size() >= 2);
            for (const Qt::KeyboardModifiers back : {Qt::NoModifier, Qt::ShiftModifier}) {
                QSet<const QWidget*> visited;
                for (qsizetype i = 0; i < panels.size(); ++i) {
                    test::wait_until_active(&window);
                    QTest::keyClick(window.windowHandle(), Qt::Key_F6, back);
                    settle();
                    QString why;
                    visited.insert(panel_with_focus(window, &why));
                    QVERIFY2(why.isEmpty(), qPrintable(why));
                }
                QCOMPARE(visited.size(), panels.size());
            }
        }
    }

    /// The Run button of the empty panel goes when its run starts: its focus stays in the panel.
    void a_button_that_goes_leaves_the_focus_in_its_panel() {
        WindowFixture fixture;
        fixture.make();
        MainWindow& window = *fixture.window;
        window.runs()->setFolder(fixture.folder.filePath(QStringLiteral("kept")));
        QVERIFY(write_messages(fixture.blocks(), 60) && fixture.open());
        Dock* live = window.docks().live;
        live->raise();
        WAIT_UNTIL(live->isShowingEmpty() && !live->visibleRegion().isEmpty());
        window.panels()->goTo(live);
        auto* run = qobject_cast<QPushButton*>(QApplication::focusWidget());
        QVERIFY(run != nullptr && live->isAncestorOf(run));
        test::wait_until_active(&window);
        QTest::keyClick(window.windowHandle(), Qt::Key_Space);
        WAIT_UNTIL(!window.session()->busy() && window.runs()->lastMade() != nullptr);
        settle();
        QString why;
        QCOMPARE(panel_with_focus(window, &why), static_cast<const QWidget*>(live));
        QVERIFY2(why.isEmpty(), qPrintable(why));
    }

    void hover_and_wheel_suffice_for_the_keys_of_a_canvas() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        MainWindow& window = *fixture.window;
        SceneCanvas* canvas = window.graph()->canvas();
        Table* rows = static_cast<BlocksDock*>(window.docks().blocks)->table();
        rows->setFocus();
        QCursor::setPos(canvas->mapToGlobal(canvas->rect().center()));
        WAIT_UNTIL(canvas->underMouse());
        canvas->zoomBy(4);
        const QRectF before = canvas->visibleWorld();
        QTest::keyClick(rows, Qt::Key_D);
        QVERIFY(canvas->visibleWorld() != before);
        QCOMPARE(QApplication::focusWidget(), canvas);
        // Not while a text is written.
        window.findBox()->setFocus();
        const QRectF moved = canvas->visibleWorld();
        QTest::keyClick(window.findBox(), Qt::Key_D);
        QCOMPARE(window.findBox()->text(), QStringLiteral("d"));
        QCOMPARE(canvas->visibleWorld(), moved);
        QVERIFY((canvas->focusPolicy() & Qt::WheelFocus) == Qt::WheelFocus);
    }

    void the_colours_of_arrows_are_in_the_legend() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        auto* schedule = fixture.window->docks().schedule;
        schedule->raise();
        const QString legend = schedule->findChild<LegendStrip*>()->text();
        for (const char* arrow : {"waited for a task", "waited for a free worker"})
            QVERIFY2(legend.contains(QLatin1StringView(arrow)), qPrintable(legend));
    }

    /// A click on a segment, which takes no focus itself, makes its panel the one that keys are
    /// for.
    void a_click_in_a_panel_makes_its_keys_work() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        MainWindow& window = *fixture.window;
        window.docks().graph->raise();
        window.findBox()->setFocus();
        QToolButton* segment = nullptr;
        for (auto* button : window.graph()->findChildren<QToolButton*>())
            if (button->isVisible() && button->text() == QStringLiteral("Arc")) segment = button;
        QVERIFY(segment != nullptr && (segment->focusPolicy() & Qt::ClickFocus) == 0);
        QTest::mouseClick(window.windowHandle(), Qt::LeftButton, {},
                          segment->mapTo(&window, segment->rect().center()));
        WAIT_UNTIL(segment->isChecked() &&
                   window.graph()->isAncestorOf(QApplication::focusWidget()));
        test::wait_until_active(&window);
        QTest::keyClick(window.windowHandle(), Qt::Key_T, Qt::ControlModifier);
        WAIT_UNTIL(!window.graph()->canvas()->isVisible());
    }

    /// A click on a tab: keys are for the panel that it brings to the front.
    void a_click_on_a_tab_makes_the_keys_of_its_panel_work() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        MainWindow& window = *fixture.window;
        for (Dock* wanted : {window.docks().contention, window.docks().graph}) {
            Dock* shown = wanted == window.docks().graph ? window.docks().contention
                                                         : static_cast<Dock*>(window.docks().graph);
            shown->raise();
            WAIT_UNTIL(!shown->visibleRegion().isEmpty());
            window.panels()->goTo(shown);
            auto* tabs = shown->titleBarWidget()->findChild<QTabBar*>();
            int at = 0;
            while (at < tabs->count() && tabs->tabText(at) != wanted->windowTitle()) ++at;
            QVERIFY(at < tabs->count());
            QTest::mouseClick(window.windowHandle(), Qt::LeftButton, {},
                              tabs->mapTo(&window, tabs->tabRect(at).center()));
            WAIT_UNTIL(!wanted->visibleRegion().isEmpty());
            WAIT_UNTIL(QApplication::focusWidget() != nullptr &&
                       QApplication::focusWidget() == wanted->focusTarget());
        }
    }

    /// As in a dialog, and not only the space bar.
    void return_presses_the_focused_button() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        MainWindow& window = *fixture.window;
        window.commands()->clear_selection->trigger();
        Dock* inspector = window.docks().inspector;
        QPushButton* button = nullptr;
        for (auto* one : inspector->findChildren<QPushButton*>())
            if (one->isVisible() && one->text() == QStringLiteral("Select the first task"))
                button = one;
        QVERIFY(button != nullptr && !window.session()->selectedTask());
        button->setFocus();
        test::wait_until_active(&window);
        QTest::keyClick(window.windowHandle(), Qt::Key_Return);
        QCOMPARE(window.session()->selectedTask(), std::optional<quint32>(0));
    }

    /// Wherever Blocks stand: an error is read once, and dismissed once.
    void an_error_stands_in_one_place() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        MainWindow& window = *fixture.window;
        const auto shown = [&] {
            QStringList panels;
            for (Dock* dock : window.docks().all())
                if (!dock->findChild<QWidget*>(QStringLiteral("errorBar"))->isHidden())
                    panels.append(dock->windowTitle());
            return panels;
        };
        QSignalSpy failed(window.session(), &Session::failed);
        for (QAction* layout : {window.commands()->layout_run, window.commands()->layout_analyse}) {
            layout->trigger();
            QVERIFY(fixture.settle());
            failed.clear();
            window.open({fixture.folder.filePath(QStringLiteral("nowhere"))});
            WAIT_UNTIL(!failed.isEmpty());
            QVERIFY2(shown().size() == 1, qPrintable(shown().join(QStringLiteral(", "))));
        }
        QCOMPARE(shown(), QStringList(window.docks().blocks->windowTitle()));
    }

    /// A panel that scrolls gives the focus to what can be seen.
    void the_focus_goes_to_what_can_be_seen() {
        Dock dock(QStringLiteral("low"), QStringLiteral("Low"));
        auto* body = new QWidget;
        auto* column = new QVBoxLayout(body);
        auto *near = new QListWidget, *below = new QListWidget;
        near->setFixedHeight(100);
        below->setFixedHeight(600);
        column->addWidget(near);
        column->addWidget(below);
        dock.setBody(body);
        dock.resize(300, 190);
        dock.show();
        WAIT_UNTIL(!near->visibleRegion().isEmpty());
        QCOMPARE(dock.focusTarget(), near);
        dock.resize(300, 700);
        WAIT_UNTIL(below->visibleRegion().boundingRect().height() > 300);
        QCOMPARE(dock.focusTarget(), below);
        // A panel may name what its keys belong to, however large its tables are.
        dock.setMain(near);
        QCOMPARE(dock.focusTarget(), near);
        near->hide();
        QCOMPARE(dock.focusTarget(), below);
    }

    /// Qt would hand it to the next control, and scroll there.
    void the_focus_of_a_disabled_control_goes_to_the_content() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(write_messages(fixture.blocks(), 60) && fixture.open());
        Dock* tuning = fixture.window->docks().tuning;
        tuning->raise();
        auto* workers = tuning->findChild<QLineEdit*>(QStringLiteral("tuningWorkers"));
        WAIT_UNTIL(workers->isVisible() && workers->isEnabled());
        workers->setFocus();
        workers->setEnabled(false);
        WAIT_UNTIL(QApplication::focusWidget() == tuning->focusTarget());
    }

    void cancel_says_what_it_did() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        MainWindow& window = *fixture.window;
        window.session()->perform(work_that_waits({"executing", 3, 27}), QStringLiteral("Run"),
                                  QStringLiteral("it was not kept"));
        WAIT_UNTIL(window.session()->progress().total == 27);
        test::press(&window, Qt::Key_Period, Qt::ControlModifier);
        QVERIFY(!window.session()->busy());
        QCOMPARE(status_of(window),
                 QStringLiteral("Run cancelled at 3 of 27 (executing); it was not kept"));
    }

    void closing_during_work_asks() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        MainWindow& window = *fixture.window;
        window.session()->perform(work_that_waits({"executing", 3, 27}), QStringLiteral("Run"));
        const auto dialog = [&] {
            return window.findChild<QMessageBox*>(QStringLiteral("closeDialog"));
        };
        const auto press = [&](const QString& text) {
            for (QAbstractButton* button : dialog()->buttons())
                if (button->text().remove(QLatin1Char('&')) == text)
                    return QTest::mouseClick(button, Qt::LeftButton);
            QFAIL("no such button");
        };
        QVERIFY(!window.close());
        WAIT_UNTIL(dialog() != nullptr && dialog()->isVisible());
        press(QStringLiteral("Keep running"));
        WAIT_UNTIL(dialog() == nullptr);
        QVERIFY(window.isVisible() && window.session()->busy());
        QVERIFY(!window.close());
        WAIT_UNTIL(dialog() != nullptr && dialog()->isVisible());
        press(QStringLiteral("Stop and close"));
        WAIT_UNTIL(!window.isVisible());
        QVERIFY(!window.session()->busy());
    }

    void errors_belong_to_what_is_open() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        MainWindow& window = *fixture.window;
        auto* bar = window.docks().blocks->findChild<QWidget*>(QStringLiteral("errorBar"));
        window.docks().blocks->showError(QStringLiteral("of the old range"));
        window.docks().schedule->showError(QStringLiteral("of the old range"));
        QVERIFY(bar->isVisible());
        const QString other = fixture.folder.filePath(QStringLiteral("deeper/blocks"));
        QVERIFY(QDir().mkpath(QFileInfo(other).path()) && write_blocks(other, 2, 60));
        window.open({other});
        WAIT_UNTIL(window.session()->sources() == QStringList{other} && window.isSettled());
        QVERIFY(!bar->isVisible());
        QVERIFY(!window.docks()
                     .schedule->findChild<QWidget*>(QStringLiteral("errorBar"))
                     ->isVisibleTo(window.docks().schedule));
        // Both ranges are called "bitcoin": the title and the list of ranges say which is which.
        QVERIFY2(window.windowTitle().contains(QStringLiteral("deeper")),
                 qPrintable(window.windowTitle()));
        QCOMPARE(window.recent()->distinct(QStringLiteral("bitcoin"), {fixture.blocks()}),
                 QStringLiteral("bitcoin in %1").arg(fixture.folder.path()));
        QCOMPARE(window.recent()->distinct(QStringLiteral("elsewhere"), {fixture.blocks()}),
                 QStringLiteral("elsewhere"));
    }

    void an_error_names_its_file_once() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(write_blocks(fixture.blocks(), 2, 60));
        QFile whole(QDir(fixture.blocks()).entryInfoList(QDir::Files).constLast().filePath());
        QVERIFY(whole.open(QIODevice::ReadOnly));
        QFile cut(fixture.blocks() + QStringLiteral("/cut-849236.bin"));
        QVERIFY(cut.open(QIODevice::WriteOnly));
        cut.write(whole.readAll().chopped(40));
        cut.close();
        QVERIFY(whole.remove());
        QSignalSpy logged(fixture.window->session(), &Session::logged);
        QVERIFY(fixture.open());
        const auto once = [](const QString& text) {
            return text.count(QStringLiteral("cut-849236.bin")) == 1;
        };
        int lines = 0;
        for (const QList<QVariant>& line : logged)
            if (line.at(1).toString().contains(QStringLiteral("cut-849236.bin"))) {
                QVERIFY2(once(line.at(1).toString()), qPrintable(line.at(1).toString()));
                ++lines;
            }
        QCOMPARE(lines, 1);
        const auto* table = static_cast<BlocksDock*>(fixture.window->docks().blocks)->table();
        const QModelIndex reason =
            table->model()->index(table->model()->rowCount() - 1, BlocksModel::Tasks);
        const QString tip = reason.data(Qt::ToolTipRole).toString();
        QVERIFY2(once(tip), qPrintable(tip));
        QVERIFY(reason.data().toString().startsWith(QStringLiteral("offset")));
    }

    /// What a node of another chain answers is no damaged block: the error says what it is, on the
    /// start page and, once a range is open, in a panel.
    void json_of_another_chain_is_named() {
        WindowFixture fixture;
        fixture.make();
        MainWindow& window = *fixture.window;
        const QString path = fixture.folder.filePath(QStringLiteral("trace.json"));
        QFile trace(path);
        QVERIFY(trace.open(QIODevice::WriteOnly));
        trace.write(R"({"jsonrpc":"2.0","result":[{"txHash":"0x1","result":{"pre":{}}}],)"
                    R"("request":{"params":["0x1",{"tracer":"prestateTracer"}]}})");
        trace.close();
        const QString what = QStringLiteral("JSON of Ethereum traces (prestateTracer)");
        const auto shown = [&](const QWidget& in) {
            QStringList found;
            for (const auto* label : in.findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains(what)) found.append(label->text());
            return found;
        };
        open_by_dialog(window, path);
        WAIT_UNTIL(!window.session()->busy() && window.firstStart()->isVisible());
        const QStringList first = shown(*window.firstStart());
        QCOMPARE(first.size(), qsizetype{1});
        QCOMPARE(first[0].count(QStringLiteral("trace.json")), qsizetype{1});

        QVERIFY(fixture.open());
        QVERIFY(shown(window).isEmpty());
        QSignalSpy failed(window.session(), &Session::failed);
        open_by_dialog(window, path);
        WAIT_UNTIL(!failed.isEmpty() && !window.session()->busy());
        WAIT_UNTIL(shown(*window.docks().blocks).size() == 1);
        QCOMPARE(window.session()->sources(), QStringList{fixture.blocks()}); // it stays open
    }

    /// Where more repetitions are needed, it says what to set here, and that is enough.
    void the_window_speaks_of_its_own_controls() {
        WindowFixture fixture;
        fixture.make({1900, 1000});
        MainWindow& window = *fixture.window;
        window.runs()->setFolder(fixture.folder.filePath(QStringLiteral("kept")));
        QVERIFY(write_messages(fixture.blocks(), 20) && fixture.open());
        auto* start = window.findChild<QPushButton*>(QStringLiteral("run"));
        const auto run_twice = [&] {
            for (int i = 0; i < 2; ++i) {
                const std::size_t count = window.runs()->kept().size() + 1;
                WAIT_UNTIL(start->isEnabled());
                QTest::mouseClick(start, Qt::LeftButton);
                WAIT_UNTIL(window.runs()->kept().size() == count && !window.session()->busy());
            }
        };
        run_twice();
        auto* dock = static_cast<CompareDock*>(window.docks().compare);
        test::wait_until_active(&window);
        QTest::keyClick(window.windowHandle(), Qt::Key_3, Qt::ControlModifier | Qt::AltModifier);
        WAIT_UNTIL(window.runs()->comparison() != nullptr && !dock->visibleRegion().isEmpty());
        const QString why = interval_words(*window.runs()->comparison());
        QCOMPARE(why, QStringLiteral("no interval: too few repetitions of each run; set Repeat to "
                                     "12 and run both again"));
        for (const Qt::Key layout : {Qt::Key_1, Qt::Key_2, Qt::Key_3, Qt::Key_4}) {
            test::wait_until_active(&window);
            QTest::keyClick(window.windowHandle(), layout, Qt::ControlModifier | Qt::AltModifier);
            QVERIFY(fixture.settle());
            QCOMPARE(options_in(window), QStringList());
        }
        // What the sentence asks for.
        auto* repeat = window.findChild<QComboBox*>(QStringLiteral("repetitions"));
        const auto labels = window.findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->isVisible() && label->text() == QStringLiteral("Repeat");
        }));
        repeat->setFocus();
        while (repeat->currentText() != QStringLiteral("12")) {
            const int before = repeat->currentIndex();
            QTest::keyClick(repeat, Qt::Key_Down);
            QVERIFY(repeat->currentIndex() > before);
        }
        run_twice();
        const std::string newest = window.runs()->kept().front().id;
        window.runs()->choose(Runs::Side::a, QString::fromStdString(newest));
        window.runs()->choose(Runs::Side::b,
                              QString::fromStdString(window.runs()->kept().at(1).id));
        WAIT_UNTIL(window.runs()->comparison() != nullptr &&
                   window.runs()->comparison()->a == newest);
        QVERIFY2(interval_words(*window.runs()->comparison()).contains(QStringLiteral("95 %")),
                 qPrintable(interval_words(*window.runs()->comparison())));
    }

    void the_size_of_the_window_survives_a_kill() {
        WindowFixture fixture;
        fixture.make({1300, 800});
        QVERIFY(fixture.open());
        const auto kept_size = [&] {
            QSettings settings(fixture.settings(), QSettings::IniFormat);
            QWidget other;
            if (!other.restoreGeometry(
                    settings.value(QStringLiteral("window/geometry")).toByteArray()))
                return QSize();
            return other.size();
        };
        fixture.window->resize(1234, 777);
        // Nothing is closed: what is on disk is what a kill leaves.
        WAIT_UNTIL(kept_size() == QSize(1234, 777));
    }

private:
    /// The panel whose content has the focus; `why` says where the focus is otherwise.
    static const QWidget* panel_with_focus(const MainWindow& window, QString* why) {
        const QWidget* focus = QApplication::focusWidget();
        for (const QDockWidget* panel : window.layoutOfDocks().visible()) {
            if (!panel->isAncestorOf(focus)) continue;
            if (panel->titleBarWidget()->isAncestorOf(focus) ||
                qobject_cast<const QToolButton*>(focus) != nullptr)
                *why = QStringLiteral("on a button: ") + focus->accessibleName();
            return panel;
        }
        *why = QStringLiteral("in no panel");
        return nullptr;
    }

    static void open_by_dialog(MainWindow& window, const QString& path) {
        test::press(&window, Qt::Key_O, Qt::ControlModifier);
        auto* dialog = window.findChild<QFileDialog*>(QStringLiteral("openDialog"));
        QVERIFY(dialog != nullptr);
        auto* field = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        field->setText(path);
        QTest::keyClick(field, Qt::Key_Return);
        window.activateWindow();
        wait_until_active(&window);
    }

    /// Texts, hints and explanations that name an option of the command line.
    static QStringList options_in(const MainWindow& window) {
        static const QRegularExpression option(QStringLiteral("(^|[^-\\w])--[a-z]"));
        QStringList found;
        const auto look = [&](const QString& text) {
            if (text.contains(option)) found.append(text);
        };
        for (const auto* widget : window.findChildren<QWidget*>()) {
            look(widget->toolTip());
            look(widget->whatsThis());
            if (const auto* label = qobject_cast<const QLabel*>(widget)) look(label->text());
            if (const auto* page = qobject_cast<const QTextBrowser*>(widget))
                look(page->toPlainText());
            const auto* table = qobject_cast<const QTableView*>(widget);
            if (table == nullptr || table->model() == nullptr) continue;
            const QAbstractItemModel& model = *table->model();
            for (int column = 0; column < model.columnCount(); ++column) {
                look(model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
                for (int row = 0; row < model.rowCount(); ++row) {
                    look(model.index(row, column).data().toString());
                    look(model.index(row, column).data(Qt::ToolTipRole).toString());
                }
            }
        }
        return found;
    }

    static void settle() {
        for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
    }
};

QTEST_MAIN(TestPromises)
#include "test_promises.moc"
