// Habits: the command palette and layouts by name.
#include "docks/runs_dock.h"
#include "docks/title_bar.h"
#include "look/table.h"
#include "models/commands_model.h"
#include "models/run_words.h"
#include "models/runs_model.h"
#include "session/runs.h"
#include "window/command_palette.h"
#include "window/window_actions.h"
#include "window_fixture.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QUndoStack>

namespace blockloom::ui {

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
        QTRY_COMPARE(session().options().model, conflict::ConflictModel::multi_version);
        QTRY_VERIFY(find_palette() == nullptr);
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
        QTRY_VERIFY(find_palette() == nullptr);
        palette = open_palette();
        QTest::keyClicks(palette->field(), QStringLiteral("go to runs"));
        QTest::keyClick(palette->field(), Qt::Key_Return);
        QTRY_VERIFY(find_palette() == nullptr);
        activate();
        QTRY_VERIFY(fixture_.window->docks().runs->isAncestorOf(QApplication::focusWidget()));
    }

    void layouts_by_name() {
        activate();
        const DockLayout& layout = fixture_.window->layoutOfDocks();
        const Docks& docks = fixture_.window->docks();
        auto* button = fixture_.window->findChild<QToolButton*>(QStringLiteral("layoutButton"));
        QTest::keyClick(fixture_.window.get(), Qt::Key_3, Qt::ControlModifier | Qt::AltModifier);
        QCOMPARE(layout.current(), QStringLiteral("Compare"));
        QVERIFY(button->text().contains(QStringLiteral("Compare")));
        QTRY_VERIFY(docks.compare->isVisible() && !docks.compare->visibleRegion().isEmpty());
        QVERIFY(docks.blocks->isHidden());
        QTest::keyClick(fixture_.window.get(), Qt::Key_2, Qt::ControlModifier | Qt::AltModifier);
        QTRY_VERIFY(!docks.timeline->visibleRegion().isEmpty());
        QVERIFY(docks.blocks->isHidden());

        docks.contention->close();
        fixture_.window->commands()->save_layout->trigger();
        auto* dialog = fixture_.window->findChild<QInputDialog*>(QStringLiteral("layoutDialog"));
        QVERIFY(dialog != nullptr);
        auto* field = dialog->findChild<QLineEdit*>();
        QTest::keyClicks(field, QStringLiteral("Mine/ours"));
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_COMPARE(layout.saved(), QStringList{QStringLiteral("Mine/ours")});
        activate();
        QTest::keyClick(fixture_.window.get(), Qt::Key_1, Qt::ControlModifier | Qt::AltModifier);
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
        QTRY_COMPARE(fixture_.window->layoutOfDocks().current(), QStringLiteral("Mine/ours"));
        QVERIFY(fixture_.window->docks().contention->isHidden());
        fixture_.window->commands()->layout_analyse->trigger();
    }

private:
    [[nodiscard]] Session& session() const { return *fixture_.window->session(); }
    [[nodiscard]] CommandPalette* find_palette() const {
        return fixture_.window->findChild<CommandPalette*>(QStringLiteral("commandPalette"));
    }
    /// What a window manager does when a palette goes: keys reach the window again.
    void activate() const {
        fixture_.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(fixture_.window.get()));
    }
    CommandPalette* open_palette() {
        activate();
        QTest::keyClick(fixture_.window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        return QTest::qWaitFor([this] { return find_palette() != nullptr; }) ? find_palette()
                                                                             : nullptr;
    }

    QTemporaryDir data_;
    test::WindowFixture fixture_;
};

} // namespace blockloom::ui

QTEST_MAIN(blockloom::ui::TestHabits)
#include "test_habits.moc"
