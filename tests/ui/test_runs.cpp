// Backends to choose from, a run of the open range, the kept runs and two of them side by side.
#include "charts/chart_view.h"
#include "docks/breakdown/breakdown_dock.h"
#include "docks/parts/status_badge.h"
#include "docks/runs_dock.h"
#include "headers/waiting.h"
#include "look/style.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "models/breakdown_model.h"
#include "models/run_words.h"
#include "models/runs_model.h"
#include "runs/run_json.h"
#include "runs/run_notes.h"
#include "session/backends.h"
#include "session/runs.h"
#include "window/tool_row.h"
#include "window/window_actions.h"
#include "window_fixture.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QPushButton>
#include <QStandardItemModel>

namespace blockloom::ui::test_runs {
namespace {

using execute::Phase;

runs::KeptRun made_run(const std::string& id, Nanoseconds execute_ns) {
    runs::KeptRun run;
    run.id = id;
    run.date = "2026-08-29 14:03:22 UTC";
    run.backend = "cpu";
    run.strategy = "serial";
    run.engine = "native";
    run.network = "regtest";
    run.sources = {"/a/b/blocks"};
    run.blocks.resize(2);
    run.blocks[0].height = 7;
    run.blocks[0].hash = "07";
    run.blocks[0].digest = "aa";
    run.blocks[1].height = 8;
    run.blocks[1].hash = "08";
    run.blocks[1].digest = "bb";
    run.tasks = 2489;
    run.phases[Phase::decode] = 2'000'000;
    run.phases[Phase::execute] = execute_ns;
    run.wall = run.phases.sum();
    return run;
}

QString cell(const QAbstractItemModel& model, int row, int column) {
    return model.index(row, column).data().toString();
}

} // namespace

class TestRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        // Nobody's own workspace is touched.
        qputenv("XDG_DATA_HOME", data_.path().toUtf8());
        QVERIFY(test::write_messages(fixture_.blocks(), 60));
        fixture_.make();
        QVERIFY(runs().whyNot().contains(QStringLiteral("Open")));
        QVERIFY(!action()->isEnabled());
        QVERIFY(breakdown().isShowingEmpty());
        fixture_.window->open({fixture_.blocks()});
        QVERIFY(fixture_.settle());
    }

    void cleanupTestCase() { fixture_.window.reset(); }

    void words() {
        runs::KeptRun run = made_run("x", 1);
        QCOMPARE(run_words(run), QStringLiteral("CPU native, serial"));
        QCOMPARE(source_words(run), QStringLiteral("blocks"));
        run.strategy = "levels";
        QCOMPARE(run_words(run), QStringLiteral("CPU native, levels, 1 worker"));
        run.backend = "vulkan";
        QCOMPARE(run_words(run), QStringLiteral("Vulkan, levels"));
        run.workers = 16;
        QCOMPARE(run_words(run), QStringLiteral("Vulkan, levels, 16 workers"));
        QCOMPARE(unit_for(2'000'000).name, QStringLiteral("ms"));
        QCOMPARE(unit_for(0).name, QStringLiteral("ns"));
    }

    /// How the Inspector says where a message ran, and what was compiled of its contract.
    void words_of_devices() {
        runs::KeptRun run = made_run("x", 1);
        run.backend = "cuda";
        run.device = "Some GPU";
        const auto placed = [&](bool there, const char* why) {
            return QString::fromStdString(placement_row("A", run, {there, why}).value);
        };
        QCOMPARE(placed(true, ""),
                 QStringLiteral("device: Some GPU, in compiled lanes (CUDA, serial)"));
        QCOMPARE(placed(false, "window"),
                 QStringLiteral("host, not Some GPU: an address outside the memory that compiled "
                                "code has (CUDA, serial)"));
        QCOMPARE(QString::fromStdString(placement_row("A", run, {true, {}, 128}).value),
                 QStringLiteral("device: Some GPU, wave 129, in compiled lanes (CUDA, serial)"));
        const range::DetailRow in_wave =
            span_row("A", {"Some GPU: compiled lanes 2", 4'000'000, 6'500'000, 40'000});
        QCOMPARE(in_wave.label, std::string("A, when"));
        QCOMPARE(in_wave.value, std::string("Some GPU: compiled lanes 2, at 4.00 ms for 2.50 ms, "
                                            "together with 39,999 other messages"));
        QCOMPARE(span_row("B", {"worker 3", 1'000, 6'000, 0}).value,
                 std::string("worker 3, at 1.00 µs for 5.00 µs"));
        run.backend = "vulkan";
        QVERIFY(placed(true, "").contains(QStringLiteral("by the interpreter's kernel")));

        QVERIFY(code_rows("A", run, "ab").empty());
        run.code.resize(2);
        run.code[1].module = "ab";
        run.code[1].state = "ready";
        run.code[1].compilations = 2;
        run.code[1].compile_time = 3'000'000'000, run.code[1].last_time = 1'000'000'000;
        run.code[1].lane_bytes = 16'384, run.code[1].windows = 3;
        run.code[1].compiled = 2'000;
        run.code[1].ejected = {{"window", 4}};
        const auto rows = code_rows("B", run, "ab");
        QCOMPARE(rows.size(), 2U);
        QCOMPARE(rows[0].label, std::string("B"));
        QCOMPARE(
            rows[0].value,
            std::string("compiled twice in 3.00 s, the last time in 1.00 s; 16.0 KiB of memory "
                        "per lane, in 3 windows"));
        QCOMPARE(rows[1].label, std::string("B, calls"));
        QCOMPARE(rows[1].value, std::string("2,000 in compiled lanes, 4 ejected (4 window)"));
    }

    /// Two runs in narrow boxes can be told apart: what differs stays.
    void names_beside_each_other() {
        runs::KeptRun a = made_run("a", 1), b = made_run("b", 1);
        a.date = "2026-11-25 10:00:00";
        b.date = "2026-11-25 10:20:00";
        b.strategy = "speculative";
        b.workers = 4;
        QCOMPARE(run_forms(a, &b).first(), run_title(a));
        QCOMPARE(run_forms(a, &b).last(), QStringLiteral("serial"));
        QCOMPARE(run_forms(b, &a).last(), QStringLiteral("speculative, 4 workers"));
        a.strategy = b.strategy;
        a.workers = 8;
        QCOMPARE(run_forms(a, &b).last(), QStringLiteral("8 workers"));
        QCOMPARE(run_forms(b, &a).last(), QStringLiteral("4 workers"));
        a.workers = b.workers;
        QCOMPARE(run_forms(a, &b).last(), QStringLiteral("10:00:00"));
        QCOMPARE(run_forms(b, &a).last(), QStringLiteral("10:20:00"));
        b.date = "2026-11-26 10:00:00";
        QCOMPARE(run_forms(a, &b).last(), QStringLiteral("2026-11-25"));
        b.notes.baseline = "gold";
        QCOMPARE(run_forms(b, &a).last(), QString::fromUtf8("“gold”"));
        QCOMPARE(run_forms(a, nullptr).last(), run_words(a));
        // The longest that fits; else both ends.
        const QFontMetrics metrics(text_font());
        const QStringList forms{QStringLiteral("CPU native, serial"), QStringLiteral("serial")};
        QCOMPARE(fitted_form(forms, metrics, 1000), forms.first());
        QCOMPARE(fitted_form(forms, metrics, metrics.horizontalAdvance(forms.last())),
                 forms.last());
        const QString cut = fitted_form({QStringLiteral("beginning and end")}, metrics, 60);
        QVERIFY2(cut.startsWith(QLatin1Char('b')) && cut.endsWith(QLatin1Char('d')),
                 qPrintable(cut));
    }

    void runs_as_a_table() {
        RunsModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRuns({made_run("fast", 2'000'000), made_run("slow", 6'000'000)});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(cell(model, 1, RunsModel::Time), QStringLiteral("8.00"));
        QCOMPARE(model.headerData(RunsModel::Time, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("Time, ms"));
        QCOMPARE(cell(model, 0, RunsModel::Speedup), QString::fromUtf8("1.00×"));
        QCOMPARE(cell(model, 1, RunsModel::Speedup), QString::fromUtf8("0.500×"));
        QCOMPARE(cell(model, 0, RunsModel::Compared), QString());
        model.setCompared(QStringLiteral("fast"), QStringLiteral("slow"));
        QCOMPARE(cell(model, 0, RunsModel::Compared), QStringLiteral("A"));
        QCOMPARE(cell(model, 1, RunsModel::Compared), QStringLiteral("B"));
        QCOMPARE(model.index(0, RunsModel::Verified).data(StatusRole).value<Mark>(), Mark::unknown);
        QCOMPARE(cell(model, 0, RunsModel::Verified), QStringLiteral("not verified"));
        model.setRuns({});
        QCOMPARE(model.rowCount(), 0);
    }

    void phases_as_a_table() {
        BreakdownModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        runs::KeptRun device = made_run("b", 3'000'000);
        device.backend = "vulkan";
        model.setRuns(made_run("a", 6'000'000), device);
        QCOMPARE(model.rowCount(), static_cast<int>(execute::phase_count) + 1);
        const int row = static_cast<int>(Phase::execute);
        QCOMPARE(cell(model, row, BreakdownModel::Phase), QStringLiteral("execute"));
        QCOMPARE(cell(model, row, BreakdownModel::Where), QStringLiteral("serial / device"));
        QCOMPARE(cell(model, row, BreakdownModel::A), QStringLiteral("6.00"));
        QCOMPARE(cell(model, row, BreakdownModel::ShareB), QStringLiteral("60.0 %"));
        QCOMPARE(cell(model, row, BreakdownModel::Against), QString::fromUtf8("−3.00 · 2.00×"));
        QCOMPARE(cell(model, static_cast<int>(Phase::decode), BreakdownModel::Against),
                 QStringLiteral("="));
        QCOMPARE(cell(model, static_cast<int>(Phase::pack), BreakdownModel::A),
                 QString::fromUtf8("—"));
        QCOMPARE(cell(model, model.rowCount() - 1, BreakdownModel::A), QStringLiteral("8.00"));
        // Beside milliseconds a phase of 1.2 µs would begin with zeros.
        runs::KeptRun tiny = made_run("a", 6'000'000);
        tiny.phases.ns[static_cast<std::size_t>(Phase::decode)] += 1'200;
        tiny.phases.ns[static_cast<std::size_t>(Phase::pack)] = 1'200;
        model.setRuns(tiny, made_run("b", 6'000'000));
        QCOMPARE(cell(model, static_cast<int>(Phase::pack), BreakdownModel::A),
                 QString::fromUtf8("1.20 µs"));
        QCOMPARE(cell(model, static_cast<int>(Phase::pack), BreakdownModel::Against),
                 QString::fromUtf8("−1.20 µs"));
        QVERIFY2(cell(model, static_cast<int>(Phase::decode), BreakdownModel::Against)
                     .startsWith(QString::fromUtf8("−1.20 µs · ")),
                 qPrintable(cell(model, static_cast<int>(Phase::decode), BreakdownModel::Against)));
        model.setRuns(made_run("a", 6'000'000), std::nullopt);
        QCOMPARE(cell(model, row, BreakdownModel::Against), QString::fromUtf8("—"));
    }

    /// What cannot be used is listed, greyed and says why; choosing it changes nothing.
    void backends_tell_why() {
        auto* box = fixture_.window->findChild<QComboBox*>(QStringLiteral("backend"));
        QVERIFY(box != nullptr);
        QVERIFY(box->findData(QStringLiteral("auto")) >= 0);
        QVERIFY(box->findData(QStringLiteral("cpu")) >= 0);
        const auto before = runs().backends();
        auto list = before;
        list.push_back({QStringLiteral("vulkan:9"), QStringLiteral("Vulkan · a device · 8.00 GiB"),
                        QStringLiteral("details"), QStringLiteral("it is on fire")});
        runs().setBackends(list);
        const int at = box->findData(QStringLiteral("vulkan:9"));
        QVERIFY(at >= 0);
        QVERIFY(!qobject_cast<QStandardItemModel*>(box->model())->item(at)->isEnabled());
        QVERIFY(box->itemData(at, Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("it is on fire")));
        runs().setBackend(QStringLiteral("vulkan:9"));
        QCOMPARE(runs().backend(), QStringLiteral("auto"));
        runs().setBackend(QStringLiteral("cpu"));
        QCOMPARE(box->currentData().toString(), QStringLiteral("cpu"));
        runs().setBackends(before);
        QCOMPARE(runs().backend(), QStringLiteral("cpu"));
        runs().setStrategy(QStringLiteral("no such strategy"));
        QCOMPARE(runs().strategy(), QStringLiteral("auto"));
    }

    /// Who executes the rounds of a device: shared, as on the command line. The CPU has no use for
    /// it, Auto may.
    void placement_is_shared_by_default() {
        auto* box = fixture_.window->findChild<QComboBox*>(QStringLiteral("placement"));
        QVERIFY(box != nullptr);
        QVERIFY(RunLimits().hybrid);
        QVERIFY(runs().limits().hybrid);
        QCOMPARE(box->currentText(), QStringLiteral("shared"));
        runs().setBackend(QStringLiteral("cpu"));
        QVERIFY(!box->isEnabled());
        QVERIFY(box->toolTip().contains(QStringLiteral("CPU only")));
        runs().setBackend(QStringLiteral("auto"));
        QVERIFY(box->isEnabled());
        runs().setStrategy(QStringLiteral("serial"));
        QVERIFY(!box->isEnabled());
        runs().setStrategy(QStringLiteral("auto"));
        box->setFocus();
        QTest::keyClick(box, Qt::Key_End);
        QCOMPARE(box->currentText(), QStringLiteral("device"));
        QVERIFY(!runs().limits().hybrid);
        QTest::keyClick(box, Qt::Key_Home);
        QVERIFY(runs().limits().hybrid);
        runs().setBackend(QStringLiteral("cpu"));
    }

    /// Two runs of the same range: kept, listed, equal.
    void run_twice_and_compare() {
        QVERIFY(runs().kept().empty());
        runs().setStrategy(QStringLiteral("serial")); // the baseline of others
        WAIT_UNTIL(action()->isEnabled());
        auto* button = fixture_.window->findChild<QPushButton*>(QStringLiteral("run"));
        QVERIFY(button->isEnabled());
        // Panels that watched the run wait for its record: it ends before it is listed.
        QStringList order;
        connect(&runs(), &Runs::liveChanged, button, [&] {
            if (runs().live() != nullptr && !runs().running())
                order.append(QStringLiteral("ended"));
        });
        connect(&runs(), &Runs::keptChanged, button, [&] {
            if (!runs().kept().empty()) order.append(QStringLiteral("listed"));
        });
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(session().busy());
        QVERIFY(!session().showsBefore()); // nothing on screen is about to change
        WAIT_UNTIL(runs().kept().size() == std::size_t{1});
        QCOMPARE(order.value(0), QStringLiteral("ended"));
        QVERIFY(order.contains(QStringLiteral("listed")));
        disconnect(&runs(), nullptr, button, nullptr);
        QVERIFY(runs().chosen(Runs::Side::a) != nullptr);
        QVERIFY(runs().chosen(Runs::Side::b) == nullptr);
        QVERIFY(!breakdown().badge()->isVisibleTo(&breakdown()));
        WAIT_UNTIL(!session().busy());
        action()->trigger();
        WAIT_UNTIL(runs().kept().size() == std::size_t{2});
        QVERIFY(runs().chosen(Runs::Side::b) != nullptr);
        QCOMPARE(breakdown().badge()->text(), QStringLiteral("Equal digests"));
        QCOMPARE(breakdown().badge()->mark(), Mark::ok);
        QVERIFY(!breakdown().isShowingEmpty());
        WAIT_UNTIL(!breakdown().visibleRegion().isEmpty()); // it comes to the front
        const QString said = breakdown().chart()->canvas()->accessibleDescription();
        QVERIFY(said.contains(QStringLiteral("infinitely fast device")));
        QCOMPARE(said.count(QLatin1Char('\n')), 1);
        const runs::KeptRun* a = runs().chosen(Runs::Side::a);
        std::uint64_t tasks = 0;
        for (const auto& record : session().range()->blocks)
            tasks += record->replayed->execution->tasks;
        QCOMPARE(a->tasks, tasks);
        QVERIFY(runs::breakdown_of(*a, runs().baselineOf(*a)).bound.value() > 1);

        const std::string first = a->id;
        runs().swap();
        QCOMPARE(runs().chosen(Runs::Side::b)->id, first);
    }

    /// By keys: the phases of the chart, and the letters of the list.
    void keys() {
        ChartCanvas* chart = breakdown().chart()->canvas();
        chart->setFocus();
        QTest::keyClick(chart, Qt::Key_Right);
        const QString first = chart->accessibleDescription();
        QVERIFY2(first.contains(QStringLiteral("serial")), qPrintable(first));
        QTest::keyClick(chart, Qt::Key_Right);
        QVERIFY(chart->accessibleDescription() != first);
        auto& dock = static_cast<RunsDock&>(*fixture_.window->docks().runs);
        dock.raise();
        dock.table()->setFocus();
        dock.table()->selectRow(1);
        QTest::keyClick(dock.table(), Qt::Key_A);
        QCOMPARE(QString::fromStdString(runs().chosen(Runs::Side::a)->id), dock.model()->idAt(1));
        QTest::keyClick(dock.table(), Qt::Key_Up);
        QTest::keyClick(dock.table(), Qt::Key_B);
        QCOMPARE(QString::fromStdString(runs().chosen(Runs::Side::b)->id), dock.model()->idAt(0));
    }

    /// A digest that differs is in plain sight, and no time is ranked.
    void unequal_digests() {
        const runs::KeptRun* a = runs().chosen(Runs::Side::a);
        {
            const auto kept = test::open_runs(runs().folder());
            QVERIFY(kept.ok());
            auto document = kept->load(a->id);
            QVERIFY(document && *document);
            std::string text = **document;
            const auto replace = [&text](const std::string& what, const std::string& by) {
                const auto at = text.find(what);
                QVERIFY(at != std::string::npos);
                text.replace(at, what.size(), by);
            };
            replace(a->id, "99990101-wrong");
            replace(a->blocks[0].digest, std::string(64, '0'));
            QVERIFY(kept->keep("99990101-wrong", "", text));
        }
        runs().reload();
        WAIT_UNTIL(runs().kept().size() == std::size_t{3});
        runs().choose(Runs::Side::b, QStringLiteral("99990101-wrong"));
        QCOMPARE(breakdown().badge()->mark(), Mark::error);
        QCOMPARE(breakdown().badge()->text(), QStringLiteral("Unequal digests"));
        WAIT_UNTIL(breakdown().verdict().contains(QStringLiteral("Mismatch")));
        QVERIFY(!breakdown().verdict().contains(QStringLiteral("faster")));
    }

    void cancelled() {
        const auto before = runs().kept().size();
        WAIT_UNTIL(action()->isEnabled());
        action()->trigger();
        QVERIFY(session().busy());
        session().cancel();
        QVERIFY(!session().busy()); // at once
        WAIT_UNTIL(action()->isEnabled());
        runs().reload();
        WAIT_UNTIL(!runs().reading());
        QCOMPARE(runs().kept().size(), before);
    }

    /// Another process keeps a run, and takes one away: the list follows by itself.
    void runs_of_another_process() {
        const std::size_t before = runs().kept().size();
        const std::string id = runs().kept().front().id, other = id + "-other";
        {
            const auto kept = test::open_runs(runs().folder());
            QVERIFY(kept.ok());
            const auto document = kept->load(id);
            QVERIFY(document.ok() && *document);
            std::string text = **document;
            const std::size_t at = text.find(id);
            if (at != std::string::npos) text.replace(at, id.size(), other);
            QVERIFY(kept->keep(other, "another process's", text).ok());
        }
        WAIT_UNTIL(runs().kept().size() == before + 1);
        {
            const auto kept = test::open_runs(runs().folder());
            QVERIFY(kept.ok());
            QVERIFY(runs::remove_run(*kept, other).ok());
        }
        WAIT_UNTIL(runs().kept().size() == before);
    }

private:
    [[nodiscard]] Runs& runs() const { return *fixture_.window->runs(); }
    [[nodiscard]] Session& session() const { return *fixture_.window->session(); }
    [[nodiscard]] QAction* action() const { return fixture_.window->commands()->run; }
    [[nodiscard]] BreakdownDock& breakdown() const {
        return static_cast<BreakdownDock&>(*fixture_.window->docks().breakdown);
    }

    QTemporaryDir data_;
    test::WindowFixture fixture_;
};

} // namespace blockloom::ui::test_runs

QTEST_MAIN(blockloom::ui::test_runs::TestRuns)
#include "test_runs.moc"
