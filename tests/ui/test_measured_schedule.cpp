// The Schedule with what a kept run measured below what is predicted: one axis, arrows, the
// Inspector's sentence, and what is said where there is nothing to show.
#include "canvas/scene_canvas.h"
#include "docks/inspector/inspector_dock.h"
#include "docks/parts/table_twin.h"
#include "docks/parts/view_pane.h"
#include "docks/schedule/schedule_dock.h"
#include "headers/waiting.h"
#include "models/twin_model.h"
#include "scene/gantt.h"
#include "session/measured_run.h"
#include "session/runs.h"
#include "store/workspace.h"
#include "window_fixture.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QPushButton>
#include <QTextBrowser>

namespace blockloom::ui::test_measured_schedule {

class TestMeasuredSchedule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", data_.path().toUtf8()); // nobody's own workspace
        qputenv("BLOCKLOOM_RENDERER", "cairo");
        QVERIFY(test::write_messages(fixture_.blocks(), 40));
        fixture_.make();
        fixture_.window->open({fixture_.blocks()});
        QVERIFY(fixture_.settle());
        QVERIFY(measured().view() == nullptr && measured().choices().empty());
        runs().setStrategy(QStringLiteral("speculative"));
        auto* run = fixture_.window->findChild<QPushButton*>(QStringLiteral("run"));
        WAIT_UNTIL(run->isEnabled());
        QTest::mouseClick(run, Qt::LeftButton);
        WAIT_UNTIL(runs().kept().size() == std::size_t{1});
        WAIT_UNTIL(measured().view() != nullptr);
        fixture_.window->docks().schedule->raise();
    }
    void cleanupTestCase() { fixture_.window.reset(); }

    void both_on_one_axis() {
        WAIT_UNTIL(dock().pane()->settled() && dock().pane()->shown().measured != nullptr);
        const auto view = measured().view();
        QVERIFY(view->analysis != nullptr);
        const auto& shown = dock().pane()->shown();
        const auto list = dock().canvas()->list();
        QCOMPARE(list->gantt.predicted.size(), std::size_t{shown.schedule->workers});
        QCOMPARE(list->gantt.measured.size(), view->measured->lanes.size());
        QVERIFY(!dock().pane()->shown().schedule->slots.empty());
        // Each target's length is its time on the common axis.
        const auto span = std::max(shown.schedule->makespan, view->measured->schedule.makespan);
        const double unit = static_cast<double>(scene::gantt_width) / static_cast<double>(span);
        std::size_t found = 0;
        for (const auto* schedule : {shown.schedule.get(), &view->measured->schedule})
            for (const schedule::Slot& slot : schedule->slots)
                for (const scene::PickTarget& target : list->targets)
                    if (target.task == slot.task &&
                        qAbs(static_cast<double>(target.bounds.x) -
                             static_cast<double>(slot.start) * unit) < 0.01 &&
                        qAbs(static_cast<double>(target.bounds.width) -
                             static_cast<double>(slot.end - slot.start) * unit) < 0.01) {
                        ++found;
                        break;
                    }
        QCOMPARE(found, shown.schedule->slots.size() + view->measured->schedule.slots.size());
        QStringList texts;
        for (const scene::Layer& layer : dock().canvas()->currentRequest().marks)
            for (const scene::Text& text : layer.texts)
                texts.append(QString::fromStdString(text.utf8));
        QVERIFY(texts.contains(QStringLiteral("predicted from the measured costs")));
        QVERIFY(texts.contains(QString::fromUtf8("measured · ") + view->name) ||
                !texts.filter(QStringLiteral("measured")).isEmpty());
    }

    void the_twin_has_both() {
        auto* twin = dock().pane()->table();
        const QAbstractItemModelTester tester(
            twin->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        dock().pane()->showTable(true);
        const auto view = measured().view();
        WAIT_UNTIL(twin->model()->rowCount() ==
                   (static_cast<int>(dock().pane()->shown().schedule->slots.size() +
                                     view->measured->schedule.slots.size() +
                                     view->measured->device.size())));
        dock().pane()->showTable(false);
    }

    void arrows_and_the_sentence() {
        const auto& index = *session().currentBlock()->analysis.index;
        const auto lines = [this] {
            std::size_t count = 0;
            for (const scene::Layer& layer : dock().canvas()->currentRequest().marks)
                if (layer.space == scene::Space::screen) count += layer.lines.size();
            return count;
        };
        QCOMPARE(lines(), std::size_t{0});
        fixture_.window->docks().inspector->raise();
        std::size_t arrows = 0;
        for (conflict::TaskId task = 0; task < index.tasks(); ++task) {
            session().selectTask(task);
            WAIT_UNTIL(page().contains(QStringLiteral("Schedule, measured")));
            QVERIFY2(page().contains(QStringLiteral("It waited")) ||
                         page().contains(QStringLiteral("It did not wait")),
                     qPrintable(page()));
            arrows += lines();
        }
        QVERIFY(arrows > 0);
    }

    void none_and_back_by_keys() {
        auto* box = dock().findChild<QComboBox*>(QStringLiteral("scheduleRun"));
        QVERIFY(box->isVisible());
        QCOMPARE(box->count(), 2);
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Home);
        QVERIFY(measured().chosen().isEmpty());
        WAIT_UNTIL(dock().pane()->settled() && dock().pane()->shown().measured == nullptr);
        WAIT_UNTIL(!page().contains(QStringLiteral("Schedule, measured")));
        box->setFocus();
        QTest::keyClick(box, Qt::Key_End);
        WAIT_UNTIL(dock().pane()->settled() && dock().pane()->shown().measured != nullptr);
    }

    void a_run_without_spans_says_so() {
        const std::string id = runs().kept().front().id;
        {
            const auto kept = test::open_runs(runs().folder());
            QVERIFY(kept.ok());
            const auto document = kept->load(id);
            QVERIFY(document && *document);
            std::string text = **document;
            text.replace(text.find(id), id.size(), "99990101-bare");
            QVERIFY(kept->keep("99990101-bare", "", text));
        }
        runs().reload();
        WAIT_UNTIL(runs().kept().size() == std::size_t{2});
        measured().choose(QStringLiteral("99990101-bare"));
        WAIT_UNTIL(measured().why().contains(QStringLiteral("without spans")));
        session().selectTask(1);
        WAIT_UNTIL(page().contains(QStringLiteral("without spans")));
    }

private:
    [[nodiscard]] Runs& runs() const { return *fixture_.window->runs(); }
    [[nodiscard]] Session& session() const { return *fixture_.window->session(); }
    [[nodiscard]] MeasuredRun& measured() const { return *MeasuredRun::of(&session(), &runs()); }
    [[nodiscard]] ScheduleDock& dock() const {
        return static_cast<ScheduleDock&>(*fixture_.window->docks().schedule);
    }
    [[nodiscard]] QString page() const {
        return fixture_.window->docks().inspector->findChild<QTextBrowser*>()->toPlainText();
    }

    QTemporaryDir data_;
    test::WindowFixture fixture_;
};

} // namespace blockloom::ui::test_measured_schedule

using blockloom::ui::test_measured_schedule::TestMeasuredSchedule;
QTEST_MAIN(TestMeasuredSchedule)
#include "test_measured_schedule.moc"
