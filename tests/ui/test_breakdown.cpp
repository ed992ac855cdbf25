// The Breakdown panel on kept runs: pages and laws by clicks and keys, points, words, tables, runs
// that are struck out, what is said where something is missing.
#include "canvas/legend_strip.h"
#include "docks/breakdown/breakdown_dock.h"
#include "docks/breakdown/chart_page.h"
#include "docks/runs_dock.h"
#include "headers/waiting.h"
#include "look/apply_theme.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "models/runs_model.h"
#include "models/twin_model.h"
#include "runs/kept_runs.h"
#include "runs/run_json.h"
#include "session/runs.h"
#include "session/session.h"
#include "store/kept_folders.h"
#include "store/workspace.h"
#include "window_waits.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QToolTip>

namespace blockloom::ui::test_breakdown {
namespace {

using execute::Phase;
using Page = BreakdownDock::Page;

/// Two blocks; half of what is not executed is shared out too slowly: some overhead a worker.
runs::RunRecord record(const std::string& id, const char* strategy, unsigned workers) {
    runs::RunRecord run;
    run.id = id;
    run.date = "2026-11-22 00:00:00 UTC";
    run.network = "regtest";
    run.engine = "native";
    run.strategy = strategy;
    run.workers = workers;
    for (std::uint64_t height = 7; height < 9; ++height) {
        runs::RunBlock block;
        block.height = height;
        block.hash[0] = static_cast<std::uint8_t>(height);
        block.digest[0] = 1;
        block.tasks = 10;
        block.phases[Phase::decode] = 5'000'000;
        block.phases[Phase::execute] =
            40'000'000 / static_cast<Nanoseconds>(workers) + 500'000 * (workers - 1);
        block.phases[Phase::commit] = 5'000'000;
        run.blocks.push_back(block);
    }
    const Nanoseconds wall = run.blocks[0].phases.sum() + run.blocks[1].phases.sum();
    for (int i = 0; i < 8; ++i) run.walls.push_back(wall + i % 3 * 1'000);
    return run;
}

profile::Trace spans_of(unsigned workers, Nanoseconds each) {
    profile::Trace trace;
    trace.names = {"batch", "message"};
    trace.duration = each;
    profile::Span batch;
    batch.end = each;
    batch.category = profile::Category::batch;
    trace.lanes.push_back({"driver", profile::LaneKind::driver, {batch}});
    for (unsigned i = 0; i < workers; ++i) {
        profile::Span message;
        message.end = each;
        message.name = 1;
        message.category = profile::Category::message;
        trace.lanes.push_back({"worker", profile::LaneKind::worker, {message}});
    }
    return trace;
}

} // namespace

class TestBreakdown : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", folder_.path().toUtf8()); // nobody's own workspace
        {
            const auto kept = store::open_runs(place().toStdString());
            QVERIFY(kept.ok());
            runs::Provenance made;
            made.machine.processor = "a processor";
            const auto keep = [&](runs::RunRecord run, const profile::Trace* spans) {
                QVERIFY(runs::keep_run(*kept, run, made, spans));
            };
            const profile::Trace alone = spans_of(1, 60'000'000), two = spans_of(2, 35'000'000);
            keep(record("1-serial", "serial", 1), &alone);
            keep(record("2-two", "speculative", 2), &two);
            keep(record("4-four", "speculative", 4), nullptr);
            runs::RunRecord wrong = record("8-wrong", "speculative", 8);
            wrong.blocks[1].digest[0] = 9;
            keep(std::move(wrong), nullptr);
            runs::RunRecord other = record("9-other", "speculative", 2);
            other.blocks[0].hash[0] = 99;
            keep(std::move(other), nullptr);
        }
        runs_ = std::make_unique<Runs>(&session_);
        dock_ = std::make_unique<BreakdownDock>(runs_.get());
        dock_->resize(640, 640);
        dock_->show();
        test::wait_until_exposed(dock_.get());
        runs_->setFolder(place());
        WAIT_UNTIL(runs_->kept().size() == std::size_t{5});
        choose("2-two", "4-four");
    }

    void cleanupTestCase() {
        dock_.reset();
        runs_.reset();
    }

    void words_say_what_to_do_next() {
        const QString words = dock_->findChild<QLabel*>(QStringLiteral("breakdownWords"))->text();
        QVERIFY2(words.contains(QStringLiteral("Largest gain, predicted")), qPrintable(words));
        QVERIFY(words.contains(QStringLiteral("Busy"))); // A has spans
        QVERIFY(words.contains(QStringLiteral("<b>B")));
    }

    void the_speed_up_has_its_points() {
        click("breakdownParts", 3);
        ChartPage& page = *dock_->page(Page::speedup);
        QVERIFY(page.isVisible());
        QCOMPARE(page.canvas()->words().size(), 3);
        QVERIFY(page.canvas()->accessibleDescription().contains(QStringLiteral("infinitely")) ||
                page.canvas()->accessibleDescription().contains(QStringLiteral("no device")));
        QVERIFY2(page.words().contains(QStringLiteral("Excluded: 8-wrong")),
                 qPrintable(page.words()));
        QVERIFY(!page.words().contains(QStringLiteral("9-other"))); // other blocks
        // By keys: each point says what it is.
        page.canvas()->setFocus();
        QTest::keyClick(page.canvas(), Qt::Key_Right);
        QVERIFY(page.canvas()->accessibleDescription().contains(QStringLiteral("1-serial")));
        QTest::keyClick(page.canvas(), Qt::Key_Right);
        QVERIFY(page.canvas()->accessibleDescription().contains(QStringLiteral("2-two")));
        QVERIFY(page.canvas()->accessibleDescription().contains(QStringLiteral("95 %")));
        QTest::keyClick(page.canvas(), Qt::Key_Left);
        QVERIFY(page.canvas()->accessibleDescription().contains(QStringLiteral("1-serial")));
    }

    void laws_are_chosen() {
        QImage before = dock_->page(Page::speedup)->grab().toImage();
        for (const int law : {1, 2, 3}) {
            click("scalingLaws", law);
            QCOMPARE(static_cast<int>(dock_->law()), law);
            const QImage now = dock_->page(Page::speedup)->grab().toImage();
            QVERIFY(now != before);
            before = now;
        }
        // Karp–Flatt has no point for one worker.
        QCOMPARE(dock_->page(Page::speedup)->canvas()->words().size(), 2);
        click("scalingLaws", 0);
    }

    void tables_say_the_same() {
        ChartPage& page = *dock_->page(Page::speedup);
        const QAbstractItemModelTester tester(
            page.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        page.canvas()->setFocus();
        test::press(page.canvas(), Qt::Key_T, Qt::ControlModifier);
        QVERIFY(page.showsTable());
        QVERIFY(page.table()->isVisible());
        QCOMPARE(page.model()->rowCount(), 4); // three points and a struck-out run
        QVERIFY(page.table()->wholeAsText().contains(QStringLiteral("excluded: MISMATCH")));
        page.model()->sort(4, Qt::DescendingOrder);
        QVERIFY(page.model()->index(0, 0).data().toString() == QStringLiteral("4-four"));
        page.table()->setFocus();
        test::press(page.table(), Qt::Key_T, Qt::ControlModifier);
        QVERIFY(!page.showsTable());
    }

    /// However low the panel: the table scrolls, and the page around it does not; there is one
    /// table.
    void one_scroll_bar_and_one_table() {
        const QSize had = dock_->size();
        dock_->resize(640, 420);
        for (int page = 0; page < 5; ++page) {
            click("breakdownParts", page);
            Table* first = nullptr;
            const auto tables = [&] {
                QList<Table*> shown;
                for (auto* table : dock_->findChildren<Table*>())
                    if (table->isVisible()) shown.append(table);
                first = shown.value(0);
                return shown.size();
            };
            qsizetype charts = 0; // of A, of B, or of both
            for (const auto* canvas : dock_->findChildren<ChartCanvas*>())
                if (canvas->isVisible()) ++charts;
            if (charts == 0) continue;
            toggle_table();
            WAIT_UNTIL(tables() == charts);
            for (const QWidget* at = first; at != dock_.get(); at = at->parentWidget()) {
                const auto* area = qobject_cast<const QScrollArea*>(at);
                if (area == nullptr) continue;
                const QScrollBar* bar = area->verticalScrollBar();
                for (int i = 0; i < 20 && bar->maximum() != 0; ++i)
                    QCoreApplication::processEvents();
                QVERIFY2(
                    bar->maximum() == 0,
                    qPrintable(
                        QStringLiteral("page %1: %2 px hidden").arg(page).arg(bar->maximum())));
            }
            toggle_table();
            WAIT_UNTIL(tables() == (page == 0 ? 1 : 0)); // the phases below their bars
        }
        dock_->resize(had);
        click("breakdownParts", 3);
    }

    /// The words follow the legend, also where the panel was narrow before.
    void no_gap_below_the_bars() {
        const QSize had = dock_->size();
        click("breakdownParts", 0);
        auto* words = dock_->findChild<QLabel*>(QStringLiteral("breakdownWords"));
        const auto gap = [&] {
            const LegendStrip* legend = nullptr;
            for (const auto* each : dock_->findChildren<LegendStrip*>())
                if (each->isVisible()) legend = each;
            return legend == nullptr
                       ? -1
                       : words->mapTo(dock_.get(), QPoint()).y() -
                             legend->mapTo(dock_.get(), QPoint(0, legend->height())).y();
        };
        for (const int width : {300, 1000, 640}) {
            dock_->resize(width, 640);
            for (int i = 0; i < 20; ++i) QCoreApplication::processEvents();
            QVERIFY2(gap() >= 0 && gap() <= 12,
                     qPrintable(QStringLiteral("%1 px at %2").arg(gap()).arg(width)));
        }
        dock_->resize(had);
        click("breakdownParts", 3);
    }

    void blocks_of_both_share_an_axis() {
        click("breakdownParts", 1);
        ChartPage& page = *dock_->page(Page::blocks);
        QVERIFY(page.canvas(0)->isVisible() && page.canvas(1)->isVisible());
        const QAbstractItemModelTester tester(
            page.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(page.model()->rowCount(), 2);
        QVERIFY(!page.canvas(0)->shown().empty());
        QCOMPARE(page.canvas(0)->shown().y, page.canvas(1)->shown().y);
        choose("2-two", "");
        QVERIFY(!page.canvas(1)->isVisible());
        choose("2-two", "4-four");
    }

    void stacks_name_their_phases() {
        click("breakdownParts", 1);
        ChartCanvas& canvas = *dock_->page(Page::blocks)->canvas(0);
        canvas.setFocus();
        QTest::keyClick(&canvas, Qt::Key_Right);
        QVERIFY2(canvas.accessibleDescription().contains(QStringLiteral("Block 7, execute: ")),
                 qPrintable(canvas.accessibleDescription()));
        QTest::keyClick(&canvas, Qt::Key_Right);
        QVERIFY(canvas.accessibleDescription().contains(QStringLiteral("serial")));
        // The mouse finds what the keys find: anywhere inside a part.
        const QPoint inside = canvas.areaOf(0, 0).center().toPoint();
        const QString words = QString::fromStdString(canvas.shown().series[0].points[0].words);
        QTest::mouseMove(canvas.viewport(), inside);
        WAIT_UNTIL(QToolTip::text() == words);
        QToolTip::hideText();
    }

    void busy_against_wall_is_drawn() {
        click("breakdownParts", 2);
        ChartPage& page = *dock_->page(Page::busy);
        QVERIFY(page.canvas(0)->isVisible());
        QVERIFY(!page.canvas(1)->isVisible()); // B kept no spans
        QVERIFY2(page.words().contains(QStringLiteral("B: busy time needs the run")),
                 qPrintable(page.words()));
        const QAbstractItemModelTester tester(
            page.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(page.model()->rowCount(), 4); // all phases, execute, decode, commit
        QCOMPARE(page.canvas(0)->words().size(), 4);
        page.canvas(0)->setFocus();
        QTest::keyClick(page.canvas(0), Qt::Key_Right);
        QVERIFY(page.canvas(0)->accessibleDescription().contains(QStringLiteral("all phases")));
        QVERIFY(page.canvas(0)->accessibleDescription().contains(QStringLiteral("2 workers")));
        click("busyOf", 1);
        QCOMPARE(page.model()->rowCount(), 2); // blocks
        QVERIFY(page.canvas(0)->words().constFirst().startsWith(QStringLiteral("Block 7")));
        click("busyOf", 0);
        QCOMPARE(page.model()->rowCount(), 4);
    }

    void the_gap_says_what_is_missing() {
        click("breakdownParts", 4);
        ChartPage& page = *dock_->page(Page::gap);
        QVERIFY(page.canvas(0)->isVisible());
        QVERIFY(!page.canvas(1)->isVisible()); // B kept no spans
        QVERIFY2(page.words().contains(QStringLiteral("not recorded")), qPrintable(page.words()));
        QVERIFY(page.words().contains(QStringLiteral("predicted")));
        QVERIFY(page.words().contains(QStringLiteral("dependencies")));
        const QAbstractItemModelTester tester(
            page.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(page.model()->index(0, 2).data().toString(), QStringLiteral("predicted"));
    }

    void nothing_to_measure_against_is_said() {
        click("breakdownParts", 3);
        choose("9-other", "");
        ChartPage& page = *dock_->page(Page::speedup);
        QVERIFY2(page.words().contains(QStringLiteral("needs a serial run")),
                 qPrintable(page.words()));
        QVERIFY(!page.canvas()->isVisible());
        choose("2-two", "4-four");
        QVERIFY(page.canvas()->isVisible());
    }

    /// Slower than the serial run with every number of workers: no curve, and a sentence.
    void a_fit_that_means_nothing_is_a_sentence() {
        const QString slower = folder_.filePath(QStringLiteral("slower"));
        {
            const auto kept = store::open_runs(slower.toStdString());
            QVERIFY(kept.ok());
            const profile::Trace alone = spans_of(1, 60'000'000);
            runs::RunRecord serial = record("1-serial", "serial", 1);
            QVERIFY(runs::keep_run(*kept, serial, {}, &alone));
            for (const unsigned workers : {2U, 4U, 8U}) {
                runs::RunRecord run = record("w" + std::to_string(workers), "speculative", workers);
                for (runs::RunBlock& block : run.blocks)
                    block.phases[Phase::execute] = 50'000'000 * static_cast<Nanoseconds>(workers);
                for (Nanoseconds& wall : run.walls)
                    wall = run.blocks[0].phases.sum() + run.blocks[1].phases.sum();
                QVERIFY(runs::keep_run(*kept, run, {}, nullptr));
            }
        }
        runs_->setFolder(slower);
        WAIT_UNTIL(runs_->kept().size() == std::size_t{4});
        choose("w2", "w4");
        click("breakdownParts", 3);
        ChartPage& page = *dock_->page(Page::speedup);
        const auto curves = [&](const char* what) {
            const auto& series = page.canvas()->shown().series;
            return std::count_if(series.begin(), series.end(), [&](const charts::Series& at) {
                return at.name.find(what) != std::string::npos;
            });
        };
        QCOMPARE(curves("Amdahl fitted"), std::ptrdiff_t{0});
        QVERIFY2(page.words().contains(QStringLiteral("Amdahl's law is not fitted to")) &&
                     page.words().contains(QStringLiteral("it was slower than the serial run")),
                 qPrintable(page.words()));
        QVERIFY(!page.words().contains(QStringLiteral("Amdahl fitted")));
        click("scalingLaws", 3);
        QCOMPARE(curves("speculative"), std::ptrdiff_t{0});
        QVERIFY2(page.words().contains(QStringLiteral("slower than the serial run")),
                 qPrintable(page.words()));
        click("scalingLaws", 0);

        // One worker waits for nobody.
        choose("1-serial", "");
        click("breakdownParts", 4);
        ChartPage& gap = *dock_->page(Page::gap);
        QVERIFY(gap.canvas()->isVisible());
        for (int row = 0; row < gap.model()->rowCount(); ++row) {
            const QString step = gap.model()->index(row, 0).data().toString();
            QVERIFY2(!step.contains(QStringLiteral("barriers")) &&
                         step != QStringLiteral("imbalance"),
                     qPrintable(step));
        }
        const auto labels = gap.findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->isVisible() && label->text().contains(QStringLiteral("one worker"));
        }));
        runs_->setFolder(place());
        WAIT_UNTIL(runs_->kept().size() == std::size_t{5});
        choose("2-two", "4-four");
    }

    void charts_are_files() {
        ChartView* view = dock_->page(Page::speedup)->view();
        for (const char* ending : {"png", "svg", "pdf", "csv"}) {
            const QString path =
                folder_.filePath(QLatin1StringView("c.") + QLatin1StringView(ending));
            QVERIFY2(view->exportTo(path), ending);
            QVERIFY(QFileInfo(path).size() > 300);
        }
        QVERIFY(!view->exportTo(folder_.filePath(QStringLiteral("no/such/folder.svg"))));
        // The phases too; their text stays text, their bars no picture of pixels.
        click("breakdownParts", 0);
        QCOMPARE(dock_->shownChart(), dock_->chart());
        const QString path = folder_.filePath(QStringLiteral("phases.svg"));
        QVERIFY(dock_->chart()->exportTo(path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray svg = file.readAll();
        QVERIFY(svg.contains("accelerated") && svg.contains("execute"));
        QVERIFY(svg.contains("<desc>A: "));
        QVERIFY(!svg.contains("<image") && !svg.contains("<pattern"));
        QVERIFY(QSvgRenderer(svg).isValid());
    }

    void both_themes_draw() {
        const QImage dark = dock_->grab().toImage();
        apply_theme(*qApp, current_theme().is_dark ? scene::light_theme() : scene::dark_theme());
        WAIT_UNTIL(dock_->grab().toImage() != dark);
        QVERIFY(!dock_->page(Page::speedup)->canvas()->shown().empty());
    }

    /// The newest are read; the others when somebody asks.
    void older_runs() {
        const QString many = folder_.filePath(QStringLiteral("many"));
        {
            const auto kept = store::open_runs(many.toStdString());
            QVERIFY(kept.ok());
            for (int i = 0; i < 203; ++i) {
                runs::RunRecord run =
                    record(QStringLiteral("run-%1").arg(i, 3, 10, QLatin1Char('0')).toStdString(),
                           "serial", 1);
                QVERIFY(runs::keep_run(*kept, run, runs::Provenance()));
            }
        }
        Session session;
        Runs runs(&session);
        RunsDock dock(&runs);
        dock.resize(900, 400);
        dock.show();
        runs.setFolder(many);
        auto* button = dock.findChild<QPushButton*>(QStringLiteral("readOlder"));
        WAIT_UNTIL(runs.kept().size() == std::size_t{200});
        for (const int width : {1200, 760}) { // what most rows share steps aside
            dock.resize(width, 400);
            WAIT_UNTIL(dock.table()->isColumnHidden(RunsModel::Source) == (width < 1100));
            QVERIFY(!dock.table()->isColumnHidden(RunsModel::Digest));
            WAIT_UNTIL(!dock.table()->horizontalScrollBar()->isVisible());
        }
        QCOMPARE(runs.keptInAll(), std::size_t{203});
        QVERIFY(button->isVisible());
        QCOMPARE(dock.findChild<QLabel*>(QStringLiteral("runsCount"))->text(),
                 QStringLiteral("200 of 203 runs"));
        QVERIFY(runs.find(QStringLiteral("run-001")) == nullptr);
        QTest::mouseClick(button, Qt::LeftButton);
        WAIT_UNTIL(runs.kept().size() == std::size_t{203});
        QVERIFY(runs.find(QStringLiteral("run-001")) != nullptr);
        QVERIFY(!button->isVisible());
        WAIT_UNTIL(!runs.reading());
    }

private:
    [[nodiscard]] QString place() const { return folder_.filePath(QStringLiteral("w")); }

    void choose(const char* a, const char* b) {
        runs_->choose(Runs::Side::a, QLatin1StringView(a));
        runs_->choose(Runs::Side::b, QLatin1StringView(b));
        WAIT_UNTIL(!dock_->working());
    }

    /// What Ctrl+T does.
    void toggle_table() {
        for (QAction* action : dock_->actions())
            if (action->text().endsWith(QStringLiteral("as a table"))) return action->trigger();
        QFAIL("no such command");
    }

    void click(const char* group, int button) {
        const auto* holder = dock_->findChild<QWidget*>(QLatin1StringView(group));
        QVERIFY(holder != nullptr);
        QTest::mouseClick(holder->findChildren<QToolButton*>().at(button), Qt::LeftButton);
    }

    QTemporaryDir folder_;
    Session session_;
    std::unique_ptr<Runs> runs_;
    std::unique_ptr<BreakdownDock> dock_;
};

} // namespace blockloom::ui::test_breakdown

QTEST_MAIN(blockloom::ui::test_breakdown::TestBreakdown)
#include "test_breakdown.moc"
