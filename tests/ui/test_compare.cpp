// Two kept runs against each other: the table, the verdict, refusals, and where wrong runs part.
#include "charts/chart_view.h"
#include "docks/compare/compare_dock.h"
#include "docks/compare/run_card.h"
#include "docks/parts/status_badge.h"
#include "docks/runs_dock.h"
#include "headers/waiting.h"
#include "look/roles.h"
#include "look/table.h"
#include "models/compare_model.h"
#include "models/runs_model.h"
#include "session/divergence_search.h"
#include "session/runs.h"
#include "window_fixture.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QStandardItemModel>
#include <QToolButton>

namespace blockloom::ui::test_compare {
namespace {

using Part = CompareModel::Part;

/// Times in µs: of 12 repetitions around `wall`.
runs::KeptRun made_run(const std::string& id, Nanoseconds wall_us) {
    runs::KeptRun run;
    run.id = id;
    run.backend = "cpu";
    run.engine = "native";
    run.strategy = "serial";
    run.network = "blockloom";
    run.tasks = 10;
    run.succeeded = 9;
    run.reverted = 1;
    runs::KeptBlock block;
    block.height = 1007;
    block.hash = "07";
    block.digest = "aa";
    block.tasks = 10;
    const auto execute = static_cast<std::size_t>(execute::Phase::execute);
    const auto decode = static_cast<std::size_t>(execute::Phase::decode);
    for (Nanoseconds i = 0; i < 12; ++i) {
        const Nanoseconds wall = 1000 * (wall_us + i % 5);
        run.walls.push_back(wall);
        run.phase_samples[execute].push_back(wall - 200'000);
        run.phase_samples[decode].push_back(200'000);
        block.samples.push_back(wall);
    }
    run.phases.ns[execute] = run.walls.back() - 200'000;
    run.phases.ns[decode] = 200'000;
    block.phases = run.phases;
    run.blocks.push_back(block);
    run.wall = 1000 * (wall_us + 2);
    run.repetitions = run.walls.size();
    return run;
}

QString cell(const QAbstractItemModel& model, int row, int column) {
    return model.index(row, column).data().toString();
}

} // namespace

class TestCompare : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", data_.path().toUtf8()); // nobody's own workspace
        QVERIFY(test::write_messages(fixture_.blocks(), 24));
        fixture_.make();
        fixture_.window->open({fixture_.blocks()});
        QVERIFY(fixture_.settle());
    }

    void cleanupTestCase() { fixture_.window.reset(); }

    void a_card_says_that_fuel_is_not_certain() {
        runs::KeptRun run = made_run("a", 4000);
        for (const std::uint64_t messages : {0, 3}) {
            run.fuel_uncertain = messages;
            RunCard card(QLatin1Char('A'), nullptr);
            card.setRun(&run);
            const auto labels = card.findChildren<QLabel*>();
            const auto marked =
                std::count_if(labels.begin(), labels.end(), [](const QLabel* label) {
                    return label->text().contains(QStringLiteral("fuel uncertain"));
                });
            QCOMPARE(marked, messages == 0 ? 0 : 1);
        }
    }

    /// The causes of two times, their difference, and the times that they add up to.
    void gaps_subtracted() {
        CompareModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const runs::KeptRun a = made_run("a", 4000), b = made_run("b", 2000);
        model.setComparison(std::make_shared<const runs::RunComparison>(runs::compare_runs(a, b)),
                            &a, &b);
        model.setPart(CompareModel::Part::gap);
        QCOMPARE(model.rowCount(), 0); // not known yet
        runs::GapWaterfall of_a, of_b;
        of_a.measured = 4'000'000;
        of_a.steps = {{"ideal time", "x", 1'500'000, true},
                      {"imbalance", "x", 2'700'000},
                      {"bookkeeping", "x", -200'000}};
        of_b.measured = 2'000'000;
        of_b.steps = {{"ideal time", "x", 1'500'000, true}, {"commit", "x", 500'000}};
        const auto apart =
            std::make_shared<const runs::GapDifference>(runs::gap_difference(of_a, of_b));
        model.setGap(apart);
        QCOMPARE(model.rowCount(), 5);
        // What is predicted says so, and its bars are hollow.
        QCOMPARE(cell(model, 0, CompareModel::Name), QStringLiteral("ideal time, predicted"));
        for (const int row : {0, 1})
            QCOMPARE(model.index(row, CompareModel::A)
                         .data(CompareModel::PairRole)
                         .value<PairBar>()
                         .predicted,
                     row == 0);
        QCOMPARE(cell(model, 1, CompareModel::Name), QStringLiteral("imbalance"));
        QCOMPARE(cell(model, 1, CompareModel::A), QStringLiteral("2.70"));
        QCOMPARE(cell(model, 1, CompareModel::B), QString::fromUtf8("—"));
        QCOMPARE(cell(model, 1, CompareModel::Against), QString::fromUtf8("−2.70"));
        QVERIFY(cell(model, 2, CompareModel::A).startsWith(QChar(0x2212)));
        QCOMPARE(cell(model, 4, CompareModel::Against), QString::fromUtf8("−2.00"));
        qint64 causes = 0; // as copied, in nanoseconds
        for (int row = 0; row + 1 < model.rowCount(); ++row)
            causes += model.index(row, CompareModel::B).data(CopyRole).toLongLong() -
                      model.index(row, CompareModel::A).data(CopyRole).toLongLong();
        QCOMPARE(causes, qint64{-2'000'000});
        runs::GapDifference none;
        none.missing = "run A: needs spans";
        model.setGap(std::make_shared<const runs::GapDifference>(none));
        QCOMPARE(model.rowCount(), 0);
    }

    void figures_as_a_table() {
        CompareModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const runs::KeptRun a = made_run("a", 4000), b = made_run("b", 2000);
        model.setComparison(std::make_shared<const runs::RunComparison>(runs::compare_runs(a, b)),
                            &a, &b);
        QCOMPARE(model.rowCount(), 2); // phases that took time
        int execute = cell(model, 0, CompareModel::Name) == QLatin1StringView("execute") ? 0 : 1;
        QCOMPARE(cell(model, execute, CompareModel::A), QStringLiteral("3.80"));
        QCOMPARE(cell(model, execute, CompareModel::B), QStringLiteral("1.80"));
        QCOMPARE(cell(model, execute, CompareModel::Against), QString::fromUtf8("−2.00"));
        QVERIFY(cell(model, execute, CompareModel::Ratio).startsWith(QStringLiteral("2.11")));
        QVERIFY(cell(model, execute, CompareModel::Interval).contains(QChar(0x2013)));
        QCOMPARE(cell(model, 1 - execute, CompareModel::Interval),
                 QStringLiteral("no significant difference"));
        QCOMPARE(cell(model, 1 - execute, CompareModel::Against), QStringLiteral("="));
        const auto bar =
            model.index(execute, CompareModel::Bars).data(CompareModel::PairRole).value<PairBar>();
        QCOMPARE(bar.a, 1.0);
        QVERIFY(bar.b < 0.5 && bar.delta < 0 && bar.hatch_a && bar.is_time);

        model.setNormalised(true);
        QCOMPARE(cell(model, execute, CompareModel::A), QStringLiteral("95.0 %"));
        QVERIFY(cell(model, execute, CompareModel::Against).endsWith(QStringLiteral("points")));
        model.setNormalised(false);
        model.setPart(Part::blocks);
        QCOMPARE(cell(model, 0, CompareModel::Name), QStringLiteral("1007"));
        QCOMPARE(cell(model, 0, CompareModel::Digests), QStringLiteral("equal"));
        QCOMPARE(model.hashAt(0), QStringLiteral("07"));
        model.setPart(Part::percentiles);
        QCOMPARE(model.rowCount(), 3); // the 50th percentile is the median
        QCOMPARE(cell(model, 0, CompareModel::Name), QStringLiteral("median"));
        QCOMPARE(cell(model, 2, CompareModel::Name), QStringLiteral("p99"));
        model.setPart(Part::statuses);
        QCOMPARE(cell(model, 1, CompareModel::Name), QStringLiteral("succeeded"));
        QCOMPARE(cell(model, 1, CompareModel::A), QStringLiteral("9"));
        model.setComparison(nullptr, nullptr, nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void verdicts_in_words() {
        const runs::KeptRun slow = made_run("a", 4000), fast = made_run("b", 2000);
        const auto faster = runs::compare_runs(slow, fast);
        QVERIFY(verdict_words(faster).startsWith(QString::fromUtf8("B is 2.00× faster")));
        const auto slower = runs::compare_runs(fast, slow);
        QVERIFY(verdict_words(slower).startsWith(QString::fromUtf8("B is 2.00× slower")));
        // The interval is of what is said: above 1 in both.
        for (const auto& comparison : {faster, slower})
            QVERIFY2(
                interval_words(comparison).contains(QString::fromUtf8("95 % interval 2.00–")) ||
                    interval_words(comparison).contains(QStringLiteral("95 % interval 1.99")),
                qPrintable(interval_words(comparison)));
        runs::KeptRun same = slow;
        same.id = "c";
        const auto none = runs::compare_runs(slow, same);
        QCOMPARE(verdict_words(none), QStringLiteral("No significant difference"));
        QVERIFY(interval_words(none).contains(QStringLiteral("contains 1")));
        same.blocks[0].digest = "bb";
        QCOMPARE(verdict_words(runs::compare_runs(slow, same)),
                 QStringLiteral("Mismatch: the results differ"));
        same.blocks[0].hash = "08";
        const auto other = runs::compare_runs(slow, same);
        QCOMPARE(verdict_words(other), QStringLiteral("Different inputs"));
        QVERIFY(interval_words(other).contains(QStringLiteral("1007")));
    }

    /// Two runs of the open range by real input: repeated, compared, swapped.
    void runs_of_the_window() {
        QVERIFY(dock().isShowingEmpty());
        auto* repeat = fixture_.window->findChild<QComboBox*>(QStringLiteral("repetitions"));
        repeat->setFocus();
        QTest::keyClick(repeat, Qt::Key_Down);
        QCOMPARE(runs().repetitions(), 6U);
        for (std::size_t count = 1; count <= 2; ++count) {
            auto* run = fixture_.window->findChild<QPushButton*>(QStringLiteral("run"));
            WAIT_UNTIL(run->isEnabled());
            QTest::mouseClick(run, Qt::LeftButton);
            WAIT_UNTIL(runs().kept().size() == count);
            WAIT_UNTIL(!session().busy());
        }
        QCOMPARE(runs().kept().front().walls.size(), std::size_t{6});
        fixture_.window->docks().compare->raise();
        WAIT_UNTIL(runs().comparison() != nullptr);
        QVERIFY(!dock().isShowingEmpty());
        QCOMPARE(dock().badge()->text(), QStringLiteral("Equal digests"));
        QVERIFY2(dock().interval().contains(QStringLiteral("95 %")), qPrintable(dock().interval()));
        QVERIFY(dock().model()->rowCount() > 2);
        const std::string first = runs().chosen(Runs::Side::a)->id;
        auto* swap = dock().findChild<QToolButton*>();
        for (auto* button : dock().findChildren<QToolButton*>())
            if (button->accessibleName() == QStringLiteral("Swap A and B")) swap = button;
        QTest::mouseClick(swap, Qt::LeftButton);
        QCOMPARE(runs().chosen(Runs::Side::b)->id, first);
        WAIT_UNTIL(runs().comparison() != nullptr);
        QCOMPARE(runs().comparison()->b, first);
    }

    /// Parts and views by clicks, the table by keys.
    void parts_views_and_keys() {
        for (const auto& [name, rows] : {std::pair{"Blocks", 2}, {"Percentiles", 3}}) {
            click(name);
            QCOMPARE(dock().model()->rowCount(), rows);
        }
        click("Statuses");
        QVERIFY(dock().table()->isColumnHidden(CompareModel::Interval));
        click("Overlay");
        QVERIFY(!dock().table()->isColumnHidden(CompareModel::Bars));
        click("Deltas");
        click("Side by side");
        QVERIFY(dock().table()->isColumnHidden(CompareModel::Bars));
        click("Phases");
        auto* normal = dock().findChild<QToolButton*>(QStringLiteral("compareNormalise"));
        QTest::mouseClick(normal, Qt::LeftButton);
        QVERIFY(cell(*dock().model(), 0, CompareModel::A).endsWith(QStringLiteral("%")));
        QTest::mouseClick(normal, Qt::LeftButton);
        dock().table()->setFocus();
        dock().table()->selectAll();
        QTest::keyClick(dock().table(), Qt::Key_C, Qt::ControlModifier);
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.startsWith(QStringLiteral("A, ")), qPrintable(copied));
        QCOMPARE(copied.count(QLatin1Char('\n')), dock().model()->rowCount() + 1);
    }

    /// A run whose second block differs: in plain sight, and one click leads there. A run of other
    /// blocks is greyed and says why.
    void unequal_and_other_inputs() {
        const runs::KeptRun a = *runs().chosen(Runs::Side::a);
        {
            const auto kept = test::open_runs(runs().folder());
            QVERIFY(kept.ok());
            const auto document = kept->load(a.id);
            QVERIFY(document && *document);
            const auto keep = [&](const std::string& id, const std::string& what,
                                  const std::string& by) {
                std::string text = **document;
                for (const auto& [from, to] : {std::pair{a.id, id}, {what, by}}) {
                    const auto at = text.find(from);
                    QVERIFY(at != std::string::npos);
                    text.replace(at, from.size(), to);
                }
                QVERIFY(kept->keep(id, "", text));
            };
            keep("99990101-wrong", a.blocks[1].digest, std::string(64, '0'));
            keep("99990102-other", a.blocks[1].hash, std::string(64, '1'));
        }
        runs().reload();
        WAIT_UNTIL(runs().kept().size() == std::size_t{4});
        auto* box = dock().findChild<QComboBox*>(QStringLiteral("compareB"));
        const int other = box->findData(QStringLiteral("99990102-other"));
        QVERIFY(other > 0);
        QVERIFY(!qobject_cast<QStandardItemModel*>(box->model())->item(other)->isEnabled());
        QVERIFY(box->itemData(other, Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("Different input")));

        runs().choose(Runs::Side::b, QStringLiteral("99990101-wrong"));
        WAIT_UNTIL(runs().comparison() != nullptr);
        QCOMPARE(dock().badge()->mark(), Mark::error);
        QCOMPARE(dock().verdict(), QStringLiteral("Mismatch: the results differ"));
        QVERIFY(!dock()
                     .findChild<ChartView*>(QStringLiteral("ratioView"))
                     ->isVisible()); // nothing is ranked
        auto* apart = dock().findChild<QLabel*>(QStringLiteral("compareApart"));
        QVERIFY(apart->isVisible());
        QVERIFY(apart->text().contains(QString::number(a.blocks[1].height)));
        session().setCurrentRow(0);
        QTest::mouseClick(dock().findChild<QPushButton*>(QStringLiteral("compareShowApart")),
                          Qt::LeftButton);
        QCOMPARE(session().currentRow(), 1);
        QCOMPARE(dock().model()->part(), Part::blocks);

        // The block again, in both ways: what was written into a document does not come again.
        session().setCurrentRow(0);
        auto* find = dock().findChild<QPushButton*>(QStringLiteral("compareFindApart"));
        QTest::mouseClick(find, Qt::LeftButton);
        QVERIFY(dock().search()->running());
        QCOMPARE(find->text(), QStringLiteral("Cancel"));
        WAIT_UNTIL(!dock().search()->running());
        QVERIFY2(dock().search()->error().isEmpty(), qPrintable(dock().search()->error()));
        QVERIFY(dock().search()->found() != nullptr);
        QVERIFY(!dock().search()->found()->in_block);
        QVERIFY2(apart->text().contains(QStringLiteral("which run A recorded")),
                 qPrintable(apart->text()));
        QCOMPARE(session().currentRow(), 1); // it led there

        // Cancelled: nothing was found, and it can be asked again.
        QTest::mouseClick(find, Qt::LeftButton);
        QTest::mouseClick(find, Qt::LeftButton);
        WAIT_UNTIL(!dock().search()->running() && !session().busy());
        WAIT_UNTIL(find->text() == (dock().search()->found() == nullptr
                                        ? QStringLiteral("Find the divergence")
                                        : QStringLiteral("Search again")));

        runs().choose(Runs::Side::b, QStringLiteral("99990102-other"));
        WAIT_UNTIL(runs().comparison() != nullptr);
        QCOMPARE(dock().badge()->mark(), Mark::warning);
        QCOMPARE(dock().verdict(), QStringLiteral("Different inputs"));
        QCOMPARE(dock().model()->rowCount(), 0);
        QVERIFY(!apart->isVisible());
    }

private:
    [[nodiscard]] Runs& runs() const { return *fixture_.window->runs(); }
    [[nodiscard]] Session& session() const { return *fixture_.window->session(); }
    [[nodiscard]] CompareDock& dock() const {
        return static_cast<CompareDock&>(*fixture_.window->docks().compare);
    }
    void click(const char* text) const {
        for (auto* button : dock().findChildren<QToolButton*>())
            if (button->text() == QLatin1StringView(text)) {
                QTest::mouseClick(button, Qt::LeftButton);
                QVERIFY(button->isChecked());
                return;
            }
        QFAIL(text);
    }

    QTemporaryDir data_;
    test::WindowFixture fixture_;
};

} // namespace blockloom::ui::test_compare

QTEST_MAIN(blockloom::ui::test_compare::TestCompare)
#include "test_compare.moc"
