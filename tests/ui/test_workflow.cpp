// A whole day in the window, by mouse and keys: open the demo, select, relax a key, run on the CPU
// and on a device, compare, tune, take the report home, close, come back. Nothing sleeps.
#include "docks/compare/compare_dock.h"
#include "docks/parts/status_badge.h"
#include "headers/waiting.h"
#include "look/table.h"
#include "models/blocks_model.h"
#include "models/contention_model.h"
#include "runs/run_comparison.h"
#include "session/backends.h"
#include "session/runs.h"
#include "window/card_button.h"
#include "window/first_start.h"
#include "window/session_keeper.h"
#include "window/window_actions.h"
#include "window_fixture.h"
#include "window_waits.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QUndoStack>

#include <algorithm>

namespace blockloom::ui::test_workflow {

class TestWorkflow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", data_.path().toUtf8()); // nobody's own workspace
        qputenv("XDG_CONFIG_HOME", data_.path().toUtf8());
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        QVERIFY(test::write_messages(fixture_.blocks(), 16));
        fixture_.make();
        QVERIFY(!fixture_.window->restoreSession()); // a newcomer
    }

    void cleanupTestCase() { fixture_.window.reset(); }

    /// The first screen says what to press: Enter.
    void enter_opens_the_demo() {
        QVERIFY(fixture_.window->firstStart()->isVisible());
        WAIT_UNTIL(QApplication::focusWidget() == fixture_.window->firstStart()->demoButton());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        WAIT_UNTIL(session().range() && fixture_.window->isSettled());
        QCOMPARE(session().sources(), QStringList{QStringLiteral("demo")});
        QCOMPARE(session().range()->blocks.size(), std::size_t{27});
        QVERIFY(!fixture_.window->firstStart()->isVisible());
    }

    /// A click on a row is the block everywhere; a task by its number.
    void select() {
        Table* blocks = table_of(fixture_.window->docks().blocks);
        click_row(blocks, 5);
        WAIT_UNTIL(session().currentRow() == 5);
        keys(Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("#1"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        WAIT_UNTIL(session().selectedTask() == std::optional<quint32>(1));
        QVERIFY(fixture_.settle());
    }

    /// Space ticks the first key: everything is analysed again, and the step has a name.
    void relax_a_key() {
        Dock* dock = fixture_.window->docks().contention;
        dock->raise();
        Table* table = table_of(dock);
        WAIT_UNTIL(table->model()->rowCount() > 0);
        WAIT_UNTIL(!table->visibleRegion().isEmpty());
        click_row(table, 0);
        QTest::keyClick(table, Qt::Key_Space);
        WAIT_UNTIL(session().options().policy.ignore.size() == std::size_t{1});
        QVERIFY(fixture_.settle());
        QVERIFY(!session().currentBlock()->analysis.index->trace->same_sets);
        const QString undo = fixture_.window->commands()->undo->text();
        QVERIFY2(undo.startsWith(QStringLiteral("&Undo relax key ")), qPrintable(undo));
    }

    /// Runs of the whole demo are minutes on a software device: a smaller range of the same kind is
    /// dropped on the window.
    void drop_a_smaller_range() {
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(fixture_.blocks())});
        const QPoint at(800, 500);
        QDragEnterEvent enter(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(fixture_.window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(fixture_.window.get(), &drop);
        WAIT_UNTIL(session().sources() == QStringList{fixture_.blocks()});
        QVERIFY(fixture_.settle());
        QCOMPARE(session().options().policy.ignore.size(), std::size_t{1}); // rules stay
    }

    void run_on_the_cpu() {
        pick(box("backend"), QStringLiteral("cpu"));
        pick(box("repetitions"), QStringLiteral("6"));
        QVERIFY(run());
        const runs::KeptRun& run = runs().kept().front();
        QCOMPARE(run.backend, std::string("cpu"));
        QCOMPARE(run.repetitions, std::uint64_t{6});
    }

    /// Lavapipe will do. Where there is none, workers stand in, so that there is a second run.
    void run_on_a_device() {
        QString device;
        for (const Backend& backend : runs().backends())
            if (backend.key.startsWith(QLatin1StringView("vulkan:")) && backend.usable())
                device = backend.key;
        if (device.isEmpty())
            pick(box("runStrategy"), QStringLiteral("speculative"));
        else
            pick(box("backend"), device);
        // Shared, the workers would run rounds as small as these.
        if (!device.isEmpty()) pick(box("placement"), QStringLiteral("device"));
        QVERIFY(run());
        const runs::KeptRun& run = runs().kept().front();
        if (device.isEmpty())
            QSKIP("no Vulkan device that can run contracts: CPU workers stood in");
        QCOMPARE(run.backend, std::string("vulkan"));
        QVERIFY(run.on_device > 0);
    }

    /// Both came to the same state, and that stands beside the times.
    void compare() {
        keys(Qt::Key_3, Qt::ControlModifier | Qt::AltModifier);
        auto& dock = static_cast<CompareDock&>(*fixture_.window->docks().compare);
        WAIT_UNTIL(!dock.visibleRegion().isEmpty());
        WAIT_UNTIL(runs().comparison() != nullptr);
        QCOMPARE(dock.badge()->text(), QStringLiteral("Equal digests"));
        QVERIFY(!dock.verdict().isEmpty());
        QVERIFY(!dock.interval().isEmpty());
        QVERIFY(runs().chosen(Runs::Side::a)->id < runs().chosen(Runs::Side::b)->id);
    }

    /// A small sweep on the CPU; what it finds is what the next run uses, and a step of undo.
    void tune() {
        keys(Qt::Key_4, Qt::ControlModifier | Qt::AltModifier);
        Dock* dock = panel("tuning");
        QVERIFY(dock != nullptr);
        WAIT_UNTIL(!dock->visibleRegion().isEmpty());
        const auto field = [dock](const char* name, const char* text) {
            auto* line = dock->findChild<QLineEdit*>(QLatin1StringView(name));
            QVERIFY2(line != nullptr, name);
            line->setFocus();
            line->selectAll();
            QTest::keyClicks(line, QString::fromLatin1(text));
            QTest::keyClick(line, Qt::Key_Return);
        };
        for (auto* box : dock->findChildren<QCheckBox*>())
            if (box->objectName().startsWith(QStringLiteral("tuningOn:")) && box->isEnabled() &&
                box->isChecked() != box->objectName().endsWith(QStringLiteral(":cpu")))
                toggle(box);
        field("tuningWorkers", "1, 2");
        field("tuningBatchMin", "1");
        field("tuningBatchMax", "all");
        auto* start = dock->findChild<QPushButton*>(QStringLiteral("tuningStart"));
        WAIT_UNTIL(start->isEnabled());
        QTest::mouseClick(start, Qt::LeftButton);
        WAIT_UNTIL(session().busy());
        WAIT_UNTIL(!session().busy());
        auto* apply = dock->findChild<QPushButton*>(QStringLiteral("tuningApply"));
        WAIT_UNTIL(apply->isEnabled());
        const int steps = session().undoStack().count();
        QTest::mouseClick(apply, Qt::LeftButton);
        QCOMPARE(session().undoStack().count(), steps + 1);
        QVERIFY(fixture_.window->commands()->undo->text().startsWith(QStringLiteral("&Undo ")));
        keys(Qt::Key_3, Qt::ControlModifier | Qt::AltModifier); // back to the comparison
    }

    void take_the_report_home() {
        QSignalSpy written(fixture_.window.get(), &MainWindow::reportWritten);
        keys(Qt::Key_R, Qt::ControlModifier);
        auto* dialog = fixture_.window->findChild<QFileDialog*>(QStringLiteral("reportDialog"));
        QVERIFY(dialog != nullptr);
        const QString path = data_.filePath(QStringLiteral("report.html"));
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        QVERIFY(name != nullptr);
        name->setText(path); // typed, its list of files would take the Return
        auto* buttons = dialog->findChild<QDialogButtonBox*>();
        WAIT_UNTIL(buttons->button(QDialogButtonBox::Save)->isEnabled());
        QTest::mouseClick(buttons->button(QDialogButtonBox::Save), Qt::LeftButton);
        WAIT_UNTIL(!written.isEmpty());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray html = file.readAll();
        QVERIFY(html.contains("</html>"));
        for (const char* outside : {"<script src", "<link ", "<img src=\"http"})
            QVERIFY2(!html.contains(outside), outside);
    }

    void close_and_come_back() {
        const QString a = QString::fromStdString(runs().chosen(Runs::Side::a)->id);
        const QString b = QString::fromStdString(runs().chosen(Runs::Side::b)->id);
        const QString backend = runs().backend();
        const auto policy = session().options().policy;
        session().setCurrentRow(1);
        session().selectTask(2);
        QVERIFY(fixture_.settle());
        keys(Qt::Key_Q, Qt::ControlModifier);
        WAIT_UNTIL(!fixture_.window->isVisible());

        fixture_.make();
        QVERIFY(fixture_.window->restoreSession());
        QVERIFY(fixture_.settle());
        WAIT_UNTIL(session().selectedTask() == std::optional<quint32>(2));
        QCOMPARE(session().sources(), QStringList{fixture_.blocks()});
        QCOMPARE(session().currentRow(), 1);
        QVERIFY(session().options().policy == policy);
        QCOMPARE(fixture_.window->layoutOfDocks().current(), QStringLiteral("Compare"));
        WAIT_UNTIL(runs().backend() == backend);
        QCOMPARE(runs().repetitions(), 6U);
        WAIT_UNTIL(runs().chosen(Runs::Side::a) != nullptr &&
                   runs().chosen(Runs::Side::b) != nullptr);
        QCOMPARE(QString::fromStdString(runs().chosen(Runs::Side::a)->id), a);
        QCOMPARE(QString::fromStdString(runs().chosen(Runs::Side::b)->id), b);
        WAIT_UNTIL(static_cast<CompareDock*>(fixture_.window->docks().compare)->badge()->text() ==
                   QStringLiteral("Equal digests"));
    }

private:
    [[nodiscard]] Session& session() const { return *fixture_.window->session(); }
    [[nodiscard]] Runs& runs() const { return *fixture_.window->runs(); }
    [[nodiscard]] QComboBox* box(const char* name) const {
        return fixture_.window->findChild<QComboBox*>(QLatin1StringView(name));
    }
    [[nodiscard]] Dock* panel(const char* name) const {
        for (Dock* dock : fixture_.window->docks().all())
            if (dock->objectName() == QLatin1StringView(name)) return dock;
        return nullptr;
    }
    /// The panel's own table: a chart beside it has a hidden one.
    [[nodiscard]] static Table* table_of(Dock* dock) {
        const auto tables = dock->findChildren<Table*>();
        const auto shown = std::ranges::find_if(
            tables, [dock](const Table* table) { return table->isVisibleTo(dock); });
        return shown == tables.end() ? nullptr : *shown;
    }

    void keys(Qt::Key key, Qt::KeyboardModifiers modifiers) const {
        fixture_.window->activateWindow();
        test::wait_until_active(fixture_.window.get());
        QTest::keyClick(fixture_.window.get(), key, modifiers);
    }
    static void click_row(Table* table, int row) {
        const QRect cell = table->visualRect(table->model()->index(row, 1));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
    }
    static void toggle(QCheckBox* box) {
        QTest::mouseClick(box, Qt::LeftButton, {}, {8, box->height() / 2});
    }
    /// Walks a box by keys to the entry with this data or text.
    static void pick(QComboBox* box, const QString& wanted) {
        const auto there = [box, &wanted] {
            return box->currentText() == wanted || box->currentData().toString() == wanted;
        };
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Home);
        for (int i = 0; i < box->count() && !there(); ++i) QTest::keyClick(box, Qt::Key_Down);
        QVERIFY2(there(), qPrintable(wanted));
    }
    /// Presses Run and waits until the run is listed.
    bool run() {
        const auto before = runs().kept().size();
        auto* button = fixture_.window->findChild<QPushButton*>(QStringLiteral("run"));
        WAIT_UNTIL(button->isEnabled());
        QTest::mouseClick(button, Qt::LeftButton);
        WAIT_UNTIL(runs().kept().size() > before && !session().busy());
        return true;
    }

    QTemporaryDir data_;
    test::WindowFixture fixture_;
};

} // namespace blockloom::ui::test_workflow

QTEST_MAIN(blockloom::ui::test_workflow::TestWorkflow)
#include "test_workflow.moc"
