// What-ifs in the window, by real events: the strip of Contention, Advice, and runs of several
// strategies above each other.
#include "canvas/scene_canvas.h"
#include "docks/advice_dock.h"
#include "docks/contention_dock.h"
#include "docks/parts/view_pane.h"
#include "docks/schedule/schedule_dock.h"
#include "docks/what_if_strip.h"
#include "headers/waiting.h"
#include "look/table.h"
#include "models/advice_model.h"
#include "models/contention_model.h"
#include "session/measured_run.h"
#include "session/runs.h"
#include "session/what_ifs.h"
#include "window_fixture.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

namespace blockloom::ui::test_what_if {

constexpr auto strict = QAbstractItemModelTester::FailureReportingMode::QtTest;

class TestWhatIf : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", data_.path().toUtf8()); // nobody's own workspace
        qputenv("BLOCKLOOM_RENDERER", "cairo");
        QVERIFY(test::write_messages(fixture_.blocks(), 40));
        fixture_.make();
        fixture_.window->open({fixture_.blocks()});
        QVERIFY(fixture_.settle());
        contention_ = static_cast<ContentionDock*>(fixture_.window->docks().contention);
        contention_->raise();
        WAIT_UNTIL(!contention_->strip()->visibleRegion().isEmpty());
        QVERIFY2(contention_->strip()->words().contains(QStringLiteral("run this range first")),
                 qPrintable(contention_->strip()->words()));
        QVERIFY(!button("whatIfVerify")->isEnabled());
        runs().setWorkers(2);
        for (const char* strategy : {"levels", "speculative"}) {
            runs().setStrategy(QString::fromLatin1(strategy));
            auto* run = fixture_.window->findChild<QPushButton*>(QStringLiteral("run"));
            const std::size_t before = runs().kept().size();
            WAIT_UNTIL(run->isEnabled());
            QTest::mouseClick(run, Qt::LeftButton);
            WAIT_UNTIL(runs().kept().size() == before + 1);
        }
        WAIT_UNTIL(what_ifs().base() != nullptr && !what_ifs().busy());
        QCOMPARE(what_ifs().base()->run.strategy, std::string("speculative"));
    }
    void cleanupTestCase() { fixture_.window.reset(); }

    void a_key_is_selected_and_relaxed() {
        Table* const keys = contention_->table();
        QVERIFY(keys->model()->rowCount() > 1);
        click_row(keys, 0);
        WAIT_UNTIL(says("predicted") && says("→"));
        QVERIFY(says("executions"));
        auto* how = fixture_.window->findChild<QComboBox*>(QStringLiteral("whatIfHow"));
        QVERIFY(how->isEnabled());
        QCOMPARE(how->currentText(), QStringLiteral("predicted"));
        QVERIFY2(button("whatIfVerify")->isEnabled(),
                 qPrintable(button("whatIfVerify")->toolTip()));
        // What would change results cannot be replayed, and the tooltip says so.
        how->setFocus();
        QTest::keyClick(how, Qt::Key_Down);
        QCOMPARE(how->currentText(), QStringLiteral("commutative"));
        WAIT_UNTIL(what_ifs().answer() != nullptr && says("predicted"));
        QVERIFY(!button("whatIfVerify")->isEnabled());
        QVERIFY(button("whatIfVerify")
                    ->toolTip()
                    .contains(QStringLiteral("it would change the results")));
        QTest::keyClick(how, Qt::Key_End);
        QCOMPARE(how->currentText(), QStringLiteral("as it is"));
        QVERIFY(!button("whatIfVerify")->isEnabled());
    }

    void another_number_of_workers_is_verified_by_replay() {
        auto* workers = fixture_.window->findChild<QSpinBox*>(QStringLiteral("whatIfWorkers"));
        QCOMPARE(workers->value(), 2);
        workers->setFocus();
        QTest::keyClick(workers, Qt::Key_Up);
        QCOMPARE(workers->value(), 3);
        WAIT_UNTIL(what_ifs().answer() != nullptr && what_ifs().answer()->plan.workers == 3 &&
                   says("predicted"));
        QPushButton* const verify = button("whatIfVerify");
        QVERIFY2(verify->isEnabled(), qPrintable(verify->toolTip()));
        const std::size_t before = runs().kept().size();
        QTest::mouseClick(verify, Qt::LeftButton);
        WAIT_UNTIL(says("Replay: predicted"));
        QVERIFY(says("off by"));
        WAIT_UNTIL(runs().kept().size() == before + 1);
        const runs::KeptRun& made = runs().kept().front();
        QCOMPARE(made.strategy, std::string("speculative"));
        QCOMPARE(made.workers, 3U);
        QCOMPARE(made.repetitions, std::uint64_t{WhatIfs::repetitions});
        QCOMPARE(what_ifs().base()->run.workers, 2U); // still that of the run it began with
    }

    void predictable_keys_are_listed() {
        auto* model = contention_->findChild<ContentionModel*>();
        QVERIFY(model != nullptr);
        const QAbstractItemModelTester tester(model, strict);
        QStringList rates;
        double before = 1e9;
        for (int row = 0; row < model->rowCount(); ++row) {
            rates.append(model->index(row, ContentionModel::Predictable).data().toString());
            const double gain = model->index(row, ContentionModel::Gain).data(SortRole).toDouble();
            QVERIFY(gain <= before);
            before = gain;
            QVERIFY(!model->index(row, ContentionModel::Predictable)
                         .data(Qt::ToolTipRole)
                         .toString()
                         .isEmpty());
        }
        QVERIFY2(!rates.filter(QStringLiteral("%")).isEmpty(), qPrintable(rates.join(u' ')));
        model->setKnown({});
        QCOMPARE(model->index(0, ContentionModel::Predictable).data().toString(),
                 QString::fromUtf8("—"));
        model->setKnown(what_ifs().base()->keys);
    }

    void advice_is_ranked_and_tried() {
        auto* dock = static_cast<AdviceDock*>(fixture_.window->docks().advice);
        dock->raise();
        WAIT_UNTIL(!dock->table()->visibleRegion().isEmpty());
        auto* model = dock->findChild<AdviceModel*>();
        QVERIFY(model != nullptr);
        const QAbstractItemModelTester tester(model, strict);
        QCOMPARE(static_cast<std::size_t>(model->rowCount()), what_ifs().base()->advice.size());
        int replayable = -1;
        for (int row = 0; row < model->rowCount(); ++row) {
            const runs::Advice* advice = model->adviceAt(row);
            QVERIFY(advice != nullptr && advice->gain() >= runs::least_advised_gain);
            if (replayable < 0 && advice->why_not.empty() && advice->plan.keys.empty())
                replayable = row;
            for (int column = 0; column < AdviceModel::ColumnCount; ++column)
                QVERIFY(!model->index(row, column).data().toString().isEmpty());
        }
        QVERIFY(model->adviceAt(-1) == nullptr && model->adviceAt(model->rowCount()) == nullptr);
        QPushButton* const tried = button("adviceTry");
        if (replayable < 0) { // what this machine measured leaves nothing that a replay can show
            if (model->rowCount() != 0) click_row(dock->table(), 0);
            QVERIFY(!tried->isEnabled() && !tried->toolTip().isEmpty());
            return;
        }
        click_row(dock->table(), replayable);
        QVERIFY2(tried->isEnabled(), qPrintable(tried->toolTip()));
        QTest::mouseClick(tried, Qt::LeftButton);
        const QModelIndex measured = model->index(replayable, AdviceModel::Measured);
        WAIT_UNTIL(measured.data() != QVariant(QString::fromUtf8("—")));
        QVERIFY(measured.data(Qt::ToolTipRole).toString().contains(QStringLiteral("off by")));
        WAIT_UNTIL(fixture_.window->isSettled());
    }

    void strategies_above_each_other() {
        auto* dock = static_cast<ScheduleDock*>(fixture_.window->docks().schedule);
        dock->raise();
        auto* beside = dock->findChild<QToolButton*>(QStringLiteral("scheduleBeside"));
        MeasuredRun& measured = *MeasuredRun::of(&session(), &runs());
        WAIT_UNTIL(measured.view() != nullptr && !beside->menu()->isEmpty());
        QCOMPARE(measured.view()->drawn, measured.view()->measured);
        QAction* levels = nullptr;
        for (QAction* action : beside->menu()->actions()) {
            const runs::KeptRun* run = runs().find(action->data().toString());
            if (run != nullptr && run->strategy == "levels") levels = action;
        }
        QVERIFY(levels != nullptr);
        const QString id = levels->data().toString();
        levels->trigger();
        QCOMPARE(measured.beside(), QStringList{id});
        WAIT_UNTIL(measured.view() != nullptr && measured.view()->beside.size() == std::size_t{1});
        const auto view = measured.view();
        QVERIFY2(view->not_beside.isEmpty(), qPrintable(view->not_beside));
        QVERIFY(view->drawn->lanes.size() > view->measured->lanes.size() + 1);
        WAIT_UNTIL(dock->pane()->settled() && dock->pane()->shown().measured == view);
        QCOMPARE(dock->canvas()->list()->gantt.measured.size(), view->drawn->lanes.size());
        QStringList texts;
        for (const scene::Layer& layer : dock->canvas()->currentRequest().marks)
            for (const scene::Text& text : layer.texts)
                texts.append(QString::fromStdString(text.utf8));
        QVERIFY2(!texts.filter(QStringLiteral("levels")).isEmpty(), qPrintable(texts.join(u'\n')));
        measured.setBeside({});
        WAIT_UNTIL(measured.view() != nullptr && measured.view()->beside.empty());
    }

private:
    [[nodiscard]] Runs& runs() const { return *fixture_.window->runs(); }
    [[nodiscard]] Session& session() const { return *fixture_.window->session(); }
    [[nodiscard]] WhatIfs& what_ifs() const { return *WhatIfs::of(&session(), &runs()); }
    [[nodiscard]] QPushButton* button(const char* name) const {
        return fixture_.window->findChild<QPushButton*>(QString::fromLatin1(name));
    }
    [[nodiscard]] bool says(const char* words) const {
        return contention_->strip()->words().contains(QString::fromUtf8(words));
    }
    static void click_row(Table* table, int row) {
        const QModelIndex at = table->model()->index(row, 1);
        table->scrollTo(at);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, Qt::NoModifier,
                          table->visualRect(at).center());
    }

    QTemporaryDir data_;
    test::WindowFixture fixture_;
    ContentionDock* contention_ = nullptr;
};

} // namespace blockloom::ui::test_what_if

using blockloom::ui::test_what_if::TestWhatIf;
QTEST_MAIN(TestWhatIf)
#include "test_what_if.moc"
