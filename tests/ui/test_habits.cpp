// Habits: the command palette, layouts by name, what is said of runs and their deletion with undo,
// tables as text.
#include "docks/runs_dock.h"
#include "docks/title_bar.h"
#include "headers/waiting.h"
#include "look/table.h"
#include "models/commands_model.h"
#include "models/run_words.h"
#include "models/runs_model.h"
#include "session/runs.h"
#include "window/command_palette.h"
#include "window/window_actions.h"
#include "window_fixture.h"
#include "window_waits.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QUndoStack>

namespace blockloom::ui::test_habits {

class TestHabits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", data_.path().toUtf8()); // nobody's own workspace
        QVERIFY(test::write_messages(fixture_.blocks(), 12));
        fixture_.make();
        fixture_.window->open({fixture_.blocks()});
        QVERIFY(fixture_.settle());
    }

    void cleanupTestCase() { fixture_.window.reset(); }

    void names_that_fit() {
        const Command next{QStringLiteral("Range"), QStringLiteral("Next block"), {}, true, {}};
        QCOMPARE(misfit(next, {}), 0);
        QCOMPARE(misfit(next, QStringLiteral("next")), 0);
        QVERIFY(misfit(next, QStringLiteral("block")) > 0);
        QVERIFY(misfit(next, QStringLiteral("lock")) > misfit(next, QStringLiteral("block")));
        QVERIFY(misfit(next, QStringLiteral("range nex")) >= 0);
        QCOMPARE(misfit(next, QStringLiteral("next key")), -1);

        CommandsModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        Command off = next;
        off.text = QStringLiteral("Next");
        off.enabled = false;
        model.setCommands({off, next});
        QCOMPARE(model.at(0)->text, next.text); // what cannot be used stands last
        model.setTyped(QStringLiteral("nothing like it"));
        QCOMPARE(model.rowCount(), 0);
    }

    void a_command_by_its_name() {
        QCOMPARE(session().options().model, conflict::ConflictModel::single_version);
        CommandPalette* palette = open_palette();
        QVERIFY(palette != nullptr);
        QTest::keyClicks(palette->field(), QStringLiteral("multi-version"));
        QVERIFY(palette->model()->at(0)->text.contains(QStringLiteral("ulti-version")));
        QTest::keyClick(palette->field(), Qt::Key_Return);
        WAIT_UNTIL(session().options().model == conflict::ConflictModel::multi_version);
        WAIT_UNTIL(find_palette() == nullptr);
        QVERIFY(fixture_.settle());
        session().undoStack().undo();
        QCOMPARE(session().options().model, conflict::ConflictModel::single_version);
        QVERIFY(fixture_.settle());
    }

    void keys_of_the_palette() {
        CommandPalette* palette = open_palette();
        QVERIFY(palette != nullptr);
        QTest::keyClicks(palette->field(), QStringLiteral("go to"));
        const int all = palette->model()->rowCount();
        QCOMPARE(all, static_cast<int>(fixture_.window->docks().all().size()));
        const QString first = palette->field()->accessibleDescription();
        QTest::keyClick(palette->field(), Qt::Key_Down);
        QVERIFY(palette->field()->accessibleDescription() != first);
        QTest::keyClick(palette->field(), Qt::Key_Escape);
        WAIT_UNTIL(find_palette() == nullptr);
        palette = open_palette();
        QTest::keyClicks(palette->field(), QStringLiteral("go to runs"));
        QTest::keyClick(palette->field(), Qt::Key_Return);
        WAIT_UNTIL(find_palette() == nullptr);
        activate();
        WAIT_UNTIL(fixture_.window->docks().runs->isAncestorOf(QApplication::focusWidget()));
    }

    void layouts_by_name() {
        activate();
        const DockLayout& layout = fixture_.window->layoutOfDocks();
        const Docks& docks = fixture_.window->docks();
        auto* button = fixture_.window->findChild<QToolButton*>(QStringLiteral("layoutButton"));
        test::press(fixture_.window.get(), Qt::Key_3, Qt::ControlModifier | Qt::AltModifier);
        QCOMPARE(layout.current(), QStringLiteral("Compare"));
        QVERIFY(button->text().contains(QStringLiteral("Compare")));
        WAIT_UNTIL(docks.compare->isVisible() && !docks.compare->visibleRegion().isEmpty());
        QVERIFY(docks.blocks->isHidden());
        test::press(fixture_.window.get(), Qt::Key_2, Qt::ControlModifier | Qt::AltModifier);
        WAIT_UNTIL(!docks.timeline->visibleRegion().isEmpty());
        QVERIFY(docks.blocks->isHidden());

        docks.contention->close();
        fixture_.window->commands()->save_layout->trigger();
        auto* dialog = fixture_.window->findChild<QInputDialog*>(QStringLiteral("layoutDialog"));
        QVERIFY(dialog != nullptr);
        auto* field = dialog->findChild<QLineEdit*>();
        QTest::keyClicks(field, QStringLiteral("Mine/ours"));
        QTest::keyClick(field, Qt::Key_Return);
        WAIT_UNTIL(layout.saved() == QStringList{QStringLiteral("Mine/ours")});
        activate();
        test::press(fixture_.window.get(), Qt::Key_1, Qt::ControlModifier | Qt::AltModifier);
        QVERIFY(!docks.contention->isHidden());
        QVERIFY(button->text().contains(QStringLiteral("Analyse")));

        // Kept with the settings, offered by name.
        fixture_.window->close();
        fixture_.make();
        fixture_.window->open({fixture_.blocks()});
        QVERIFY(fixture_.settle());
        QCOMPARE(fixture_.window->layoutOfDocks().saved(),
                 QStringList{QStringLiteral("Mine/ours")});
        CommandPalette* palette = open_palette();
        QVERIFY(palette != nullptr);
        QTest::keyClicks(palette->field(), QStringLiteral("mine/ours"));
        QTest::keyClick(palette->field(), Qt::Key_Return);
        WAIT_UNTIL(fixture_.window->layoutOfDocks().current() == QStringLiteral("Mine/ours"));
        QVERIFY(fixture_.window->docks().contention->isHidden());
        fixture_.window->commands()->layout_analyse->trigger();
    }

    /// Note, baseline and deletion: each an undo step with its name, each kept in the workspace.
    void runs_are_annotated_deleted_and_brought_back() {
        activate();
        auto* run = fixture_.window->findChild<QPushButton*>(QStringLiteral("run"));
        WAIT_UNTIL(run->isEnabled());
        QTest::mouseClick(run, Qt::LeftButton);
        WAIT_UNTIL(runs().kept().size() == std::size_t{1});
        const QString id = QString::fromStdString(runs().kept().front().id);
        auto& dock = static_cast<RunsDock&>(*fixture_.window->docks().runs);
        WAIT_UNTIL(!session().busy() && !runs().reading());
        dock.show();
        dock.raise();
        WAIT_UNTIL(!dock.table()->visibleRegion().isEmpty());
        dock.table()->setFocus();
        dock.table()->selectRow(0);

        QTest::mouseClick(dock.findChild<QPushButton*>(QStringLiteral("noteRun")), Qt::LeftButton);
        auto* editor = dock.table()->viewport()->findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        QTest::keyClicks(editor, QStringLiteral("with the lid open"));
        QTest::keyClick(editor, Qt::Key_Return);
        WAIT_UNTIL(runs().find(id)->notes.note == std::string("with the lid open"));
        QCOMPARE(session().undoStack().undoText(), QStringLiteral("edit the note of a run"));

        WAIT_UNTIL(!runs().reading());
        QTest::mouseClick(dock.findChild<QPushButton*>(QStringLiteral("pinRun")), Qt::LeftButton);
        WAIT_UNTIL(!runs().find(id)->notes.baseline.empty());
        QVERIFY(session().undoStack().undoText().startsWith(QStringLiteral("set baseline")));
        QVERIFY(run_title(*runs().find(id)).contains(QStringLiteral("baseline")));
        QCOMPARE(runs().find(id)->notes.note, std::string("with the lid open"));

        WAIT_UNTIL(!runs().reading());
        dock.table()->setFocus();
        dock.table()->selectRow(0);
        QTest::keyClick(dock.table(), Qt::Key_Delete);
        WAIT_UNTIL(runs().kept().empty());
        QAction* undo = fixture_.window->commands()->undo;
        QCOMPARE(undo->text(), QStringLiteral("&Undo delete run %1").arg(id));
        QVERIFY(undo->isEnabled());
        WAIT_UNTIL(!runs().reading());
        test::press(fixture_.window.get(), Qt::Key_Z, Qt::ControlModifier);
        WAIT_UNTIL(runs().kept().size() == std::size_t{1});
        QVERIFY(!runs().find(id)->notes.baseline.empty());
        for (int i = 0; i < 2; ++i)
            test::press(fixture_.window.get(), Qt::Key_Z, Qt::ControlModifier);
        WAIT_UNTIL(runs().find(id) != nullptr && runs().find(id)->notes == runs::RunNotes());
        test::press(fixture_.window.get(), Qt::Key_Y, Qt::ControlModifier);
        WAIT_UNTIL(runs().find(id)->notes.note == std::string("with the lid open"));
    }

    void any_table_as_text() {
        for (Dock* dock : fixture_.window->docks().all())
            for (Table* table : dock->findChildren<Table*>()) {
                if (table->model() == nullptr || table->model()->rowCount() == 0) continue;
                table->clearSelection();
                table->copy(); // nothing chosen: all of it
                const QString text = QGuiApplication::clipboard()->text();
                QCOMPARE(text.count(QLatin1Char('\n')), table->model()->rowCount() + 1);
                QVERIFY(text.contains(QLatin1Char('\t')));
            }
        auto* table = static_cast<RunsDock*>(fixture_.window->docks().runs)->table();
        QContextMenuEvent ask(QContextMenuEvent::Keyboard, QPoint(5, 5),
                              table->mapToGlobal(QPoint(5, 5)));
        QApplication::sendEvent(table, &ask);
        auto* menu = table->findChild<QMenu*>(QStringLiteral("tableMenu"));
        QVERIFY(menu != nullptr && menu->actions().size() >= 2); // the panel's own stand above
        menu->actions().constLast()->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("with the lid open")));
        menu->close();
    }

private:
    [[nodiscard]] Runs& runs() const { return *fixture_.window->runs(); }
    [[nodiscard]] Session& session() const { return *fixture_.window->session(); }
    [[nodiscard]] CommandPalette* find_palette() const {
        return fixture_.window->findChild<CommandPalette*>(QStringLiteral("commandPalette"));
    }
    /// What a window manager does when a palette goes: keys reach the window again.
    void activate() const {
        fixture_.window->activateWindow();
        test::wait_until_active(fixture_.window.get());
    }
    CommandPalette* open_palette() {
        activate();
        test::press(fixture_.window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        WAIT_UNTIL(find_palette() != nullptr);
        return find_palette();
    }

    QTemporaryDir data_;
    test::WindowFixture fixture_;
};

} // namespace blockloom::ui::test_habits

QTEST_MAIN(blockloom::ui::test_habits::TestHabits)
#include "test_habits.moc"
