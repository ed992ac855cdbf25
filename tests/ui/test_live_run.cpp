// A run in progress: started, paused, resumed, finished and cancelled by real input; what the
// panel shows of it, and that a flood of snapshots does not hold the window.
#include "charts/chart_view.h"
#include "docks/live/live_dock.h"
#include "execute/live_run.h"
#include "headers/waiting.h"
#include "look/table.h"
#include "models/twin_model.h"
#include "models/usage_model.h"
#include "report/live_charts.h"
#include "session/runs.h"
#include "text/numbers.h"
#include "window/tool_row.h"
#include "window/window_actions.h"
#include "window/work_bar.h"
#include "window_fixture.h"

#include <QAbstractItemModelTester>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QToolButton>

#include <atomic>
#include <thread>

namespace blockloom::ui::test_live_run {
namespace {

std::shared_ptr<execute::LiveRun> made_live() {
    return std::make_shared<execute::LiveRun>(
        execute::LiveSettings{"cpu", "this processor", "native", "speculative", 6});
}

std::shared_ptr<const profile::UsageSeries> series(std::size_t moments) {
    using profile::Quantity;
    auto made = std::make_shared<profile::UsageSeries>();
    made->lines = {{"run", Quantity::tried, 0, {}, {}},
                   {"host", Quantity::process_cpu, 1000, {}, {}},
                   {"host", Quantity::process_memory, 1 << 30, {}, {}},
                   {"GPU", Quantity::temperature, 0, {}, {}},
                   {"GPU", Quantity::power, 0, {}, "NVML: Not Supported"}};
    for (std::size_t i = 0; i < moments; ++i) {
        made->at.push_back(static_cast<Nanoseconds>(i) * 100'000'000);
        const auto value = static_cast<std::int64_t>(i);
        made->lines[0].values.push_back(value * 50);
        made->lines[1].values.push_back(value * 10 % 1000);
        made->lines[2].values.push_back(1'048'576 * (value + 1));
        made->lines[3].values.push_back(i == 1 ? profile::no_value : 41'000 + value);
    }
    return made;
}

QString cell(const QAbstractItemModel& model, int row, int column) {
    return model.index(row, column).data().toString();
}

} // namespace

class TestLiveRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", data_.path().toUtf8()); // nobody's own workspace
        QVERIFY(test::write_messages(fixture_.blocks(), 60));
        fixture_.make();
        QVERIFY(dock().isShowingEmpty());
        fixture_.window->open({fixture_.blocks()});
        QVERIFY(fixture_.settle());
        QVERIFY(dock().isShowingEmpty());
        QVERIFY(!dock().isPulling());
        QVERIFY(!commands().pause->isEnabled());
        runs().setStrategy(QStringLiteral("serial")); // the baseline of the curve
    }

    void cleanupTestCase() { fixture_.window.reset(); }

    void usage_as_a_table() {
        UsageModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        model.setUsage(series(3));
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.columnCount(), 5); // what is not reported is no column
        QCOMPARE(cell(model, 0, 0), QStringLiteral("200 ms"));
        QCOMPARE(cell(model, 0, 1), QStringLiteral("100"));
        QCOMPARE(cell(model, 0, 3), QStringLiteral("3.00 MiB"));
        QCOMPARE(cell(model, 1, 4), not_applicable());
        QCOMPARE(cell(model, 2, 4), QString::fromUtf8("41.0 °C"));
        const QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        model.setUsage(series(5)); // grown: rows come, the others stay
        QCOMPARE(model.rowCount(), 5);
        QCOMPARE(reset.count(), 0);
        model.setUsage(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void lanes_over_time() {
        const std::vector<std::pair<Nanoseconds, Nanoseconds>> pauses{{120'000'000, 180'000'000}};
        const charts::Chart made = report::usage_chart(*series(4), pauses);
        QCOMPARE(made.series.size(), std::size_t{4});
        QCOMPARE(made.bands.size(), std::size_t{1});
        QVERIFY(made.bands[0].hatched);
        QCOMPARE(made.left_out.size(), std::size_t{1});
        QVERIFY(made.left_out[0].find("Not Supported") != std::string::npos);
        ChartView chart(QStringLiteral("lanes"), QStringLiteral("Lanes"));
        chart.resize(500, 400);
        chart.setChart(made);
        const QString words = chart.canvas()->accessibleDescription();
        QVERIFY(words.contains(QStringLiteral("500 /s highest")));
        QVERIFY(words.contains(QString::fromUtf8("GPU: temperature: 41.0 °C last")));
        QTest::keyClick(chart.canvas(), Qt::Key_Home);
        const auto said = [&] { return chart.canvas()->accessibleDescription(); };
        QVERIFY2(said().startsWith(QStringLiteral("at 0")), qPrintable(said()));
        QTest::keyClick(chart.canvas(), Qt::Key_Right);
        QVERIFY2(said().contains(QStringLiteral("no data")), qPrintable(said()));
        QTest::keyClick(chart.canvas(), Qt::Key_End);
        QVERIFY2(said().startsWith(QStringLiteral("at 300 ms")), qPrintable(said()));
        QVERIFY(!chart.grab().toImage().isNull());
        QCOMPARE(chart.model()->rowCount(), 4);
    }

    /// "wave 12, computing 99.9 %" needs more than a column.
    void the_device_has_the_rest_of_its_row() {
        const auto captions = dock().findChildren<QLabel*>();
        const auto caption = std::ranges::find(captions, QStringLiteral("Device"), &QLabel::text);
        QVERIFY(caption != captions.end());
        QWidget* const tile = (*caption)->parentWidget();
        const auto* grid = qobject_cast<QGridLayout*>(tile->parentWidget()->layout());
        QVERIFY(grid != nullptr);
        int row = 0, column = 0, rows = 0, columns = 0;
        grid->getItemPosition(grid->indexOf(tile), &row, &column, &rows, &columns);
        QCOMPARE(rows, 1);
        QVERIFY(columns >= 2);
        int used = 0; // the grid keeps columns that it had when the panel was wider
        while (used < grid->columnCount() && grid->columnStretch(used) != 0) ++used;
        QCOMPARE(column + columns, used);
    }

    /// However often a run reports something, the window is asked to show it no more often than
    /// can be seen, and it stays responsive.
    void a_flood_does_not_hold_the_window() {
        const auto live = made_live();
        live->expect(1'000'000, 4);
        runs().follow(live);
        dock().show();
        dock().raise();
        QVERIFY(dock().isPulling());
        QVERIFY(!dock().isShowingEmpty());
        constexpr std::uint64_t flood = 100'000, answers = 1000;
        std::atomic<std::uint64_t> answered{0}, reported{0};
        std::jthread run([&] {
            for (std::uint64_t i = 0; i < flood || answered < answers; ++i) {
                live->tried(static_cast<unsigned>(i), 100);
                live->at_hand({i + 1, i, i, i}, {});
                (void)live->latest();
                reported = i + 1;
            }
        });
        const quint64 before = dock().renewals();
        while (reported < flood || answered < answers) {
            QMetaObject::invokeMethod(
                this, [&] { ++answered; }, Qt::QueuedConnection);
            QCoreApplication::processEvents();
        }
        run.join();
        QVERIFY(answered >= answers);
        QVERIFY(live->made() < flood);
        QVERIFY(dock().renewals() - before <= live->made());
        live->finish();
        WAIT_UNTIL(!dock().isPulling());
        QCOMPARE(live->latest()->tried, reported.load()); // the newest is what stays
        runs().follow(nullptr);
        QVERIFY(dock().isShowingEmpty());
    }

    void what_cannot_be_interrupted_is_said() {
        const auto live = made_live();
        live->begin_repetition(2);
        live->expect(10, 4);
        live->hold_up("The driver of GPU is compiling a pipeline, which cannot be interrupted");
        runs().follow(live);
        auto* held = dock().findChild<QLabel*>(QStringLiteral("heldUp"));
        WAIT_UNTIL(held->isVisibleTo(&dock()));
        QVERIFY(held->text().contains(QStringLiteral("cannot be interrupted")));
        QCOMPARE(dock().state(), QStringLiteral("Running · repetition 2 of 6"));
        live->hold_up({});
        WAIT_UNTIL(!held->isVisibleTo(&dock()));
        live->finish();
        WAIT_UNTIL(!dock().isPulling());
        runs().follow(nullptr);
    }

    /// F9 holds the run, what is shown stands still; F9 again and it comes to its end.
    void paused_and_resumed_by_key() {
        start_paused(40);
        WAIT_UNTIL(runs().live()->gate().waiting() > 0);
        WAIT_UNTIL(dock().state().startsWith(QStringLiteral("Paused")));
        QCOMPARE(dock().pauseButton()->text(), QStringLiteral("Resume"));
        const auto first = runs().live()->latest();
        WAIT_UNTIL(runs().live()->latest()->number > first->number + 5);
        const auto later = runs().live()->latest();
        QCOMPARE(later->tried, first->tried);
        QCOMPARE(later->done.tasks, first->done.tasks);
        QCOMPARE(later->elapsed, first->elapsed);
        QCOMPARE(later->repetition, first->repetition);
        QVERIFY(session().busy());

        press(Qt::Key_F9);
        QVERIFY(!runs().pauseAsked());
        WAIT_UNTIL(runs().lastMade() != nullptr && !session().busy());
        WAIT_UNTIL(!dock().isPulling());
        QVERIFY(!commands().pause->isEnabled());
        const runs::KeptRun& run = *runs().lastMade();
        QCOMPARE(run.repetitions, std::uint64_t{40});
        QCOMPARE(run.pauses.size(), std::size_t{1});
        QVERIFY(run.usage != nullptr && run.usage->at.size() >= 2);
        // The panel shows the same run from its record.
        const QString words = dock().findChild<QLabel*>(QStringLiteral("liveState"))->text();
        QVERIFY2(words.contains(QString::fromStdString(run.date).left(10)), qPrintable(words));
        QVERIFY(dock().figures().contains(QStringLiteral("Statuses: ")));
        QVERIFY(dock().usageChart()->chart().series.size() >= 4);
        QVERIFY(text_of(*dock().bars()).contains(QStringLiteral("block")));
        QVERIFY(text_of(*dock().phases()).contains(QStringLiteral("measured")));
        kept_ = runs().kept().size();
    }

    void paused_by_mouse_and_cancelled_by_key() {
        start_paused(100);
        WAIT_UNTIL(runs().live()->gate().waiting() > 0);
        WAIT_UNTIL(dock().pauseButton()->isVisible());
        QTest::mouseClick(dock().pauseButton(), Qt::LeftButton);
        QVERIFY(!runs().pauseAsked());
        auto* bar = fixture_.window->findChild<WorkBar*>();
        WAIT_UNTIL(bar->pauseButton()->isVisible());
        QTest::mouseClick(bar->pauseButton(), Qt::LeftButton);
        QVERIFY(runs().pauseAsked());
        press(Qt::Key_Period, Qt::ControlModifier);
        QVERIFY(!session().busy());
        QVERIFY(!runs().running());
        QVERIFY(!bar->pauseButton()->isVisible());
        WAIT_UNTIL(!dock().isPulling());
        runs().reload();
        WAIT_UNTIL(!runs().reading());
        QCOMPARE(runs().kept().size(), kept_); // what was kept is there, nothing else
        QVERIFY(!dock().isShowingEmpty());
    }

    /// A cancel releases those that wait at the gate: the job ends, nothing is kept.
    void cancelled_while_it_is_paused() {
        start_paused(100);
        const auto live = runs().live();
        WAIT_UNTIL(live->gate().waiting() > 0);
        WAIT_UNTIL(live->latest()->state == execute::LiveState::paused); // one picture a frame
        press(Qt::Key_Period, Qt::ControlModifier);
        QVERIFY(!session().busy());
        QVERIFY(!runs().running());
        // Its threads as well, not only what the window shows of it.
        WAIT_UNTIL(live->latest()->state == execute::LiveState::finished);
        QCOMPARE(live->gate().waiting(), 0U);
        QVERIFY(live->gate().asked()); // nobody pressed resume
        WAIT_UNTIL(!dock().isPulling());
        runs().reload();
        WAIT_UNTIL(!runs().reading());
        QCOMPARE(runs().kept().size(), kept_);
        // The next one is not held by it.
        runs().setRepetitions(1);
        press(Qt::Key_Return, Qt::ControlModifier);
        WAIT_UNTIL(runs().kept().size() == kept_ + 1);
        ++kept_;
    }

    /// One run is compared with none: no letter; and its picture is a drawing, too.
    void a_run_alone_has_no_letter() {
        WAIT_UNTIL(!runs().running());
        const QString words = text_of(*dock().phases());
        QVERIFY2(!words.startsWith(QStringLiteral("A: ")), qPrintable(words));
        QVERIFY(words.contains(QStringLiteral("measured")));
        const QTemporaryDir folder;
        for (const char* ending : {"png", "svg"}) {
            const QString path = folder.filePath(QStringLiteral("run.") + QLatin1String(ending));
            const Status done = dock().exportTo(path);
            QVERIFY2(done.ok(), done ? "" : done.error().message.c_str());
            QVERIFY(QFileInfo(path).size() > 200);
        }
        QFile svg(folder.filePath(QStringLiteral("run.svg")));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(svg.readAll());
        QVERIFY(text.contains(QStringLiteral("<text")));
        QVERIFY(text.contains(QStringLiteral("Statuses")));
        QVERIFY(!dock().exportTo(folder.filePath(QStringLiteral("no/such/run.svg"))).ok());
        QVERIFY(!dock().exportTo(folder.filePath(QStringLiteral("no/such/run.png"))).ok());
    }

    /// Serial runs are kept: the speed-up of the run in progress stands among them, block by block.
    void the_curve_grows() {
        dock().raise();
        WAIT_UNTIL(dock().speedup()->isVisibleTo(&dock()));
        QVERIFY(dock().speedupTable()->model()->rowCount() > 0);
        start_paused(100); // one or two may be over before the window hears of them
        WAIT_UNTIL(runs().live()->gate().waiting() > 0);
        WAIT_UNTIL(dock().speedup()->isVisibleTo(&dock())); // kept runs of the same blocks
        WAIT_UNTIL(!dock().speedup()->chart().empty());
        const std::string summary = dock().speedup()->chart().summary;
        QVERIFY2(summary.starts_with("Amdahl. Baseline, serial"), summary.c_str());
        press(Qt::Key_F9);
        WAIT_UNTIL(runs().lastMade() != nullptr && !session().busy());
        WAIT_UNTIL(runs().kept().size() == kept_ + 1);
        kept_ = runs().kept().size();
        WAIT_UNTIL(dock().speedup()->isVisibleTo(&dock()));
        QVERIFY(!dock().speedupWords().contains(QStringLiteral("so far")));
    }

    void its_table() {
        dock().raise();
        auto* scroll = dock().findChild<QScrollArea*>(QStringLiteral("liveScroll"));
        const auto seen = [&] { // below the others, where the panel is low
            scroll->ensureWidgetVisible(dock().usageChart()->canvas());
            return !dock().usageChart()->canvas()->viewport()->visibleRegion().isEmpty();
        };
        WAIT_UNTIL(seen());
        dock().usageChart()->canvas()->setFocus();
        QTest::keyClick(dock().usageChart()->canvas(), Qt::Key_T, Qt::ControlModifier);
        WAIT_UNTIL(dock().table()->isVisible());
        QVERIFY(dock().table()->model()->rowCount() >= 2);
        dock().table()->selectRow(0);
        QVERIFY(dock().table()->selectedAsText().contains(QLatin1Char('\t')));
        dock().table()->setFocus();
        QTest::keyClick(dock().table(), Qt::Key_T, Qt::ControlModifier);
        WAIT_UNTIL(!dock().table()->isVisible());
    }

private:
    static QString text_of(ChartView& view) { return view.canvas()->accessibleDescription(); }

    /// Ctrl+Return, and F9 as soon as the run has started.
    void start_paused(unsigned repetitions) {
        runs().setRepetitions(repetitions);
        QObject context;
        bool pressed = false;
        connect(&runs(), &Runs::liveChanged, &context, [&] {
            if (pressed || !runs().running()) return;
            pressed = true;
            press(Qt::Key_F9);
        });
        press(Qt::Key_Return, Qt::ControlModifier);
        WAIT_UNTIL(pressed);
        QVERIFY(runs().pauseAsked());
        QVERIFY(dock().isPulling());
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(fixture_.window.get(), key, modifiers);
    }
    [[nodiscard]] Runs& runs() const { return *fixture_.window->runs(); }
    [[nodiscard]] Session& session() const { return *fixture_.window->session(); }
    [[nodiscard]] WindowActions& commands() const { return *fixture_.window->commands(); }
    [[nodiscard]] LiveDock& dock() const {
        return *static_cast<LiveDock*>(fixture_.window->docks().live);
    }

    QTemporaryDir data_;
    test::WindowFixture fixture_;
    std::size_t kept_ = 0;
};

} // namespace blockloom::ui::test_live_run

QTEST_MAIN(blockloom::ui::test_live_run::TestLiveRun)
#include "test_live_run.moc"
