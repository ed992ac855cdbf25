// Every control can be named by a screen reader and reached by key.
#include "canvas/scene_canvas.h"
#include "docks/graph/graph_dock.h"
#include "docks/parts/minimap.h"
#include "docks/parts/view_pane.h"
#include "docks/timeline/span_histogram.h"
#include "docks/timeline/timeline_canvas.h"
#include "docks/timeline/timeline_dock.h"
#include "docks/timeline/timeline_side.h"
#include "docks/timeline/timeline_twin.h"
#include "headers/waiting.h"
#include "models/span_kinds_model.h"
#include "models/spans_model.h"
#include "session/runs.h"
#include "window/first_start.h"
#include "window/window_actions.h"
#include "window_fixture.h"

#include <QAbstractSpinBox>
#include <QAccessible>
#include <QActionGroup>
#include <QDialog>
#include <QLineEdit>
#include <QScrollBar>
#include <QToolButton>

using namespace blockloom;
using namespace blockloom::ui;
using namespace blockloom::test;

namespace {

QString place_of(const QWidget* widget) {
    QStringList path;
    for (const QWidget* at = widget; at != nullptr; at = at->parentWidget())
        path.prepend(at->objectName().isEmpty() ? QString::fromLatin1(at->metaObject()->className())
                                                : at->objectName());
    return path.join(QLatin1Char('/'));
}

/// Controls that take the focus and have no name.
QStringList nameless(const QWidget& root) {
    QStringList found;
    for (QWidget* widget : root.findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus) continue;
        // Taken away for now (an error that is not there): nothing can be heard of it either.
        if (widget->isHidden() && widget->testAttribute(Qt::WA_WState_ExplicitShowHide)) continue;
        // Parts of a control, which has the name.
        if (qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) != nullptr) continue;
        if (qobject_cast<QScrollBar*>(widget) != nullptr) continue;
        if (widget->inherits("QComboBoxPrivateContainer") || widget->inherits("QComboBoxListView"))
            continue;
        QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
        const QString name = interface != nullptr ? interface->text(QAccessible::Name) : QString();
        if (name.trimmed().isEmpty() && widget->accessibleName().isEmpty())
            found.append(place_of(widget));
    }
    return found;
}

} // namespace

/// Modal, or beside the window as the guide is.
static QWidget* shown_dialog(const WindowFixture& fixture) {
    for (QDialog* dialog : fixture.window->findChildren<QDialog*>())
        if (dialog->isVisible()) return dialog;
    return nullptr;
}

class TestAccessibility : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_control_has_a_name() {
        WindowFixture fixture;
        fixture.make();
        QCOMPARE(nameless(*fixture.window).join(QLatin1Char('\n')), QString());
        QVERIFY(fixture.open());
        fixture.window->graph()->pane()->showTable(true);
        fixture.window->session()->selectTask(3);
        QVERIFY(fixture.settle());
        QCOMPARE(nameless(*fixture.window).join(QLatin1Char('\n')), QString());
    }

    /// All panels with something in them, in every layout, as pictures and as tables.
    void every_panel_in_every_layout() {
        QTemporaryDir data;
        qputenv("XDG_DATA_HOME", data.path().toUtf8()); // nobody's own workspace
        WindowFixture fixture;
        QVERIFY(write_messages(fixture.blocks(), 12));
        fixture.make();
        fixture.window->open({fixture.blocks()});
        QVERIFY(fixture.settle());
        for (std::size_t run = 1; run <= 2; ++run) {
            WAIT_UNTIL(fixture.window->commands()->run->isEnabled());
            fixture.window->commands()->run->trigger();
            WAIT_UNTIL(fixture.window->runs()->kept().size() == run);
        }
        for (QAction* layout : fixture.window->commands()->layouts->actions()) {
            layout->trigger();
            QVERIFY(fixture.settle());
            for (Dock* dock : fixture.window->docks().all()) {
                if (dock->isHidden()) continue;
                dock->raise();
                for (QToolButton* button : dock->findChildren<QToolButton*>())
                    if (button->accessibleName().endsWith(QStringLiteral("as a table")))
                        button->click();
            }
            QVERIFY(fixture.settle());
            QCOMPARE(nameless(*fixture.window).join(QLatin1Char('\n')), QString());
        }
    }

    /// The timeline of a run: lanes and kinds, and the table that says the same.
    void timeline_of_a_run() {
        QTemporaryDir data;
        qputenv("XDG_DATA_HOME", data.path().toUtf8()); // nobody's own workspace
        WindowFixture fixture;
        QVERIFY(write_messages(fixture.blocks(), 12));
        fixture.make({1700, 1400});
        fixture.window->open({fixture.blocks()});
        QVERIFY(fixture.settle());
        QTest::keyClick(fixture.window.get(), Qt::Key_2, Qt::ControlModifier | Qt::AltModifier);
        auto* dock = static_cast<TimelineDock*>(fixture.window->docks().timeline);
        dock->raise();
        WAIT_UNTIL(fixture.window->commands()->run->isEnabled());
        fixture.window->commands()->run->trigger();
        WAIT_UNTIL(fixture.window->runs()->lastMade() != nullptr);
        WAIT_UNTIL(!dock->isLive() && dock->settled() && dock->canvas()->timeline() != nullptr);
        fixture.window->session()->selectTask(3);
        QVERIFY(fixture.settle());
        QCOMPARE(nameless(*dock).join(QLatin1Char('\n')), QString());
        for (const QWidget* drawn :
             {static_cast<QWidget*>(dock->canvas()), static_cast<QWidget*>(dock->minimap()),
              static_cast<QWidget*>(dock->side()->histogram()->canvas())})
            QVERIFY2(!drawn->accessibleDescription().isEmpty(), qPrintable(place_of(drawn)));
        QVERIFY(dock->side()->model()->rowCount() > 0);
        dock->canvas()->setFocus();
        QTest::keyClick(dock->canvas(), Qt::Key_T, Qt::ControlModifier);
        WAIT_UNTIL(dock->twin()->isVisible());
        QCOMPARE(dock->twin()->model()->all(), dock->canvas()->timeline()->span_count());
        QCOMPARE(nameless(*dock).join(QLatin1Char('\n')), QString());
    }

    void the_walk_would_notice() {
        QWidget root;
        auto* button = new QToolButton(&root);
        button->setFocusPolicy(Qt::TabFocus);
        QCOMPARE(nameless(root).size(), 1);
        button->setAccessibleName(QStringLiteral("Named"));
        QVERIFY(nameless(root).isEmpty());
    }

    void icon_only_buttons_have_a_tip() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        for (const QToolButton* button : fixture.window->findChildren<QToolButton*>()) {
            const bool worded =
                !button->text().isEmpty() &&
                (button->icon().isNull() || button->toolButtonStyle() != Qt::ToolButtonIconOnly);
            if (worded) continue;
            if (qobject_cast<QLineEdit*>(button->parentWidget()) != nullptr) continue; // Qt's own
            if (button->inherits("QMenuBarExtension") ||
                button->objectName().startsWith(QStringLiteral("qt_")))
                continue;
            if (button->parentWidget()->inherits("QTabBar")) continue; // its scroll arrows
            QVERIFY2(!button->toolTip().isEmpty(), qPrintable(place_of(button)));
        }
    }

    void dialogs_are_named_too() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        for (QAction* action :
             {fixture.window->commands()->policy, fixture.window->commands()->shortcuts,
              fixture.window->commands()->settings, fixture.window->commands()->guide,
              fixture.window->commands()->about}) {
            action->trigger();
            QWidget* dialog = shown_dialog(fixture);
            QVERIFY2(dialog != nullptr, qPrintable(action->text()));
            QVERIFY(!dialog->windowTitle().isEmpty());
            QCOMPARE(nameless(*dialog).join(QLatin1Char('\n')), QString());
            QTest::keyClick(dialog, Qt::Key_Escape);
            WAIT_UNTIL(shown_dialog(fixture) == nullptr);
        }
    }

    void canvases_say_what_they_show() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        QVERIFY(!fixture.window->graph()->canvas()->accessibleDescription().isEmpty());
        auto* bars = fixture.window->findChild<QWidget*>(QStringLiteral("levelBars"));
        QVERIFY(bars != nullptr);
        QVERIFY(bars->accessibleDescription().contains(QStringLiteral("level")));
    }

    void every_panel_has_help_and_closes_by_key() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        for (Dock* dock : fixture.window->docks().all()) {
            QVERIFY2(!dock->help().isEmpty(), qPrintable(dock->objectName()));
            QVERIFY(!dock->accessibleName().isEmpty());
        }
    }

    void tab_reaches_every_panel() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        QSet<QString> reached;
        QWidget* first = QApplication::focusWidget();
        for (int i = 0; i < 400; ++i) {
            QWidget* focus = QApplication::focusWidget();
            QVERIFY(focus != nullptr);
            for (QWidget* at = focus; at != nullptr; at = at->parentWidget())
                if (auto* dock = qobject_cast<Dock*>(at)) reached.insert(dock->objectName());
            QTest::keyClick(focus, Qt::Key_Tab);
            if (QApplication::focusWidget() == first && i > 10) break;
        }
        for (const char* dock : {"blocks", "graph", "schedule", "inspector"})
            QVERIFY2(reached.contains(QString::fromLatin1(dock)), dock);
    }
};

QTEST_MAIN(TestAccessibility)
#include "test_accessibility.moc"
