// The main window: first start, two layouts, what is kept between runs, themes, drops, folding.
#include "canvas/scene_canvas.h"
#include "charts/chart_view.h"
#include "docks/blocks/blocks_dock.h"
#include "docks/graph/graph_dock.h"
#include "headers/waiting.h"
#include "look/table.h"
#include "models/recent_model.h"
#include "window/card_button.h"
#include "window/find_box.h"
#include "window/first_start.h"
#include "window/screenshot.h"
#include "window/tool_row.h"
#include "window/window_actions.h"
#include "window/work_bar.h"
#include "window_fixture.h"

#include <QDialog>
#include <QDropEvent>
#include <QLabel>
#include <QListWidget>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QStatusBar>
#include <QTabBar>
#include <QTableView>

using namespace blockloom;
using namespace blockloom::ui;
using namespace blockloom::test;

namespace {

/// Widgets with words that are cut off: a label whose text needs more room than it has.
QStringList clipped_labels(const QWidget& window) {
    QStringList clipped;
    for (const QLabel* label : window.findChildren<QLabel*>()) {
        if (!label->isVisible() || label->text().isEmpty() || label->wordWrap()) continue;
        // Those that give way say so by their policy and carry a tip.
        if (label->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored) continue;
        if (label->visibleRegion().isEmpty()) continue;
        if (label->width() < label->sizeHint().width() - 1 ||
            label->visibleRegion().boundingRect().width() < label->width())
            clipped.append(label->text());
    }
    for (const QPushButton* button : window.findChildren<QPushButton*>())
        if (button->isVisible() && !button->visibleRegion().isEmpty() &&
            !button->text().isEmpty() && button->width() < button->sizeHint().width() - 1)
            clipped.append(button->text());
    return clipped;
}

} // namespace

class TestWindow : public QObject {
    Q_OBJECT

    QTemporaryDir data_;

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", data_.path().toUtf8()); // nobody's own workspace
    }

    void starts_empty_with_one_primary_action() {
        WindowFixture fixture;
        fixture.make({1280, 800});
        MainWindow& window = *fixture.window;
        QVERIFY(window.firstStart()->isVisible());
        QVERIFY(!window.tools()->isVisible());
        for (const Dock* dock : window.docks().all()) QVERIFY(!dock->isVisible());
        QCOMPARE(QApplication::focusWidget(), window.firstStart()->demoButton());
        QVERIFY(!window.commands()->export_report->isEnabled());
        WAIT_UNTIL(clipped_labels(window).join(QLatin1Char('\n')) == QString());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QVERIFY(window.session()->busy()); // the demo
        QVERIFY(window.tools()->work()->cancelButton()->isVisible());
        QTest::mouseClick(window.tools()->work()->cancelButton(), Qt::LeftButton);
        QVERIFY(!window.session()->busy());
        QVERIFY(window.firstStart()->isVisible());
    }

    void a_failure_shows_where_nothing_is_open() {
        WindowFixture fixture;
        fixture.make();
        fixture.window->open({fixture.folder.filePath(QStringLiteral("missing"))});
        WAIT_UNTIL(!fixture.window->session()->busy());
        const auto labels = fixture.window->firstStart()->findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->isVisible() && label->text().contains(QStringLiteral("missing"));
        }));
    }

    void a_message_stands_alone_in_the_status_bar() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        QStatusBar* status = fixture.window->findChild<QStatusBar*>();
        const auto shown = [status](const QString& start) {
            const auto labels = status->findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&start](const QLabel* label) {
                return label->isVisible() && label->text().startsWith(start);
            });
        };
        const QString policy = QStringLiteral("Policy:"), task = QStringLiteral("Task #");
        QVERIFY(shown(policy));
        status->showMessage(QStringLiteral("Something happened"));
        fixture.window->session()->selectTask(3);
        QVERIFY(!shown(policy) && !shown(task));
        status->clearMessage();
        QVERIFY(shown(policy) && shown(task));
    }

    void wide_and_narrow_have_their_layouts() {
        WindowFixture fixture;
        fixture.make({1600, 1000});
        QVERIFY(fixture.open());
        MainWindow& window = *fixture.window;
        const Docks& docks = window.docks();
        QVERIFY(!window.firstStart()->isVisible());
        QVERIFY(!window.layoutOfDocks().isCompact());
        QVERIFY(window.tabifiedDockWidgets(docks.inspector).isEmpty());
        QVERIFY(docks.inspector->x() > docks.graph->geometry().right());
        QVERIFY(docks.blocks->geometry().right() < docks.graph->x());
        QVERIFY(docks.schedule->y() > docks.graph->geometry().bottom());
        QVERIFY(window.tabifiedDockWidgets(docks.graph).contains(docks.contention));
        QVERIFY(window.tabifiedDockWidgets(docks.schedule).contains(docks.log));
        QCOMPARE(window.tools()->folded(), 3); // for which 1,680 or 1,760 pixels are needed
        WAIT_UNTIL(clipped_labels(window).join(QLatin1Char('\n')) == QString());

        window.resize(1280, 800);
        WAIT_UNTIL(window.layoutOfDocks().isCompact());
        QVERIFY(window.tabifiedDockWidgets(docks.inspector).contains(docks.graph));
        QVERIFY(window.tools()->folded() > 0);
        QVERIFY(fixture.settle());
        WAIT_UNTIL(window.width() == 1280); // nothing inside asks for more
        QCOMPARE(window.height(), 800);
        WAIT_UNTIL(clipped_labels(window).join(QLatin1Char('\n')) == QString());

        window.resize(1600, 1000);
        WAIT_UNTIL(!window.layoutOfDocks().isCompact());
        QVERIFY(window.tabifiedDockWidgets(docks.inspector).isEmpty());
        QCOMPARE(window.tools()->folded(), 3);
    }

    void titles_carry_the_tabs_of_their_group() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        const Docks& docks = fixture.window->docks();
        auto* tabs = docks.graph->findChild<QTabBar*>(QStringLiteral("dockTabs"));
        WAIT_UNTIL(tabs->count() == 6);
        QCOMPARE(tabs->tabText(1), QStringLiteral("Contention"));
        QCOMPARE(tabs->tabText(2), QStringLiteral("Breakdown"));
        QCOMPARE(docks.graph->titleBarWidget()->height(), 28);
        // Qt's own tab bars take no room.
        for (const QTabBar* bar :
             fixture.window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
            QVERIFY(bar->visibleRegion().isEmpty());
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
        WAIT_UNTIL(!docks.contention->visibleRegion().isEmpty());
        QVERIFY(docks.graph->visibleRegion().isEmpty());
        auto* others = docks.contention->findChild<QTabBar*>(QStringLiteral("dockTabs"));
        WAIT_UNTIL(others->currentIndex() == 1);
        QTest::mouseClick(others, Qt::LeftButton, {}, others->tabRect(0).center());
        WAIT_UNTIL(!docks.graph->visibleRegion().isEmpty());
    }

    void layout_theme_and_recent_are_kept() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        fixture.window->setTheme(ThemeChoice::light);
        fixture.window->docks().log->close();
        fixture.window->docks().inspector->setFloating(true);
        fixture.window->close();
        fixture.make();
        QCOMPARE(fixture.window->theme(), ThemeChoice::light);
        QCOMPARE(&current_theme(), &scene::light_theme());
        QCOMPARE(fixture.window->recent()->rowCount(), 1);
        QVERIFY(fixture.open());
        QVERIFY(fixture.window->docks().log->isHidden());
        QVERIFY(fixture.window->docks().inspector->isFloating());
        fixture.window->commands()->reset_layout->trigger();
        QVERIFY(!fixture.window->docks().log->isHidden());
        QVERIFY(!fixture.window->docks().inspector->isFloating());
    }

    void files_can_be_dropped_anywhere() {
        WindowFixture fixture;
        QVERIFY(write_blocks(fixture.blocks(), 2, 20));
        fixture.make();
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(fixture.blocks())});
        QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &mime, Qt::LeftButton,
                              Qt::NoModifier);
        QApplication::sendEvent(fixture.window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(fixture.window.get(), &drop);
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.window->session()->range()->blocks.size(), std::size_t{2});

        QMimeData words;
        words.setText(QStringLiteral("no file"));
        QDragEnterEvent other(QPoint(50, 50), Qt::CopyAction, &words, Qt::LeftButton,
                              Qt::NoModifier);
        QApplication::sendEvent(fixture.window.get(), &other);
        QVERIFY(!other.isAccepted());
    }

    void recent_opens_from_the_first_page() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        fixture.window->close();
        fixture.make();
        QListView* list = fixture.window->firstStart()->recentList();
        QVERIFY(list->isVisible());
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                          list->visualRect(list->model()->index(0, 0)).center());
        QVERIFY(fixture.settle());
    }

    /// What nobody has seen yet costs no time at the start.
    void charts_of_hidden_panels_are_not_made() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        int made = 0, waiting = 0;
        for (const ChartView* view : fixture.window->findChildren<ChartView*>()) {
            QCOMPARE(view->isBuilt(), view->isVisible());
            ++(view->isBuilt() ? made : waiting);
        }
        QVERIFY(made >= 1);
        QVERIFY(waiting >= 10);
    }

    void keys_walk_the_panels() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        QSet<const QWidget*> visited;
        const auto panels = fixture.window->layoutOfDocks().visible();
        QVERIFY(panels.size() >= 4);
        for (qsizetype i = 0; i < panels.size(); ++i) {
            fixture.window->commands()->next_panel->trigger();
            for (const QDockWidget* panel : panels)
                if (panel->isAncestorOf(QApplication::focusWidget())) visited.insert(panel);
        }
        QCOMPARE(visited.size(), panels.size());
    }

    void find_selects() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        MainWindow& window = *fixture.window;
        QVERIFY(window.findBox()->isVisible());
        QVERIFY(window.findBox()->visibleRegion().boundingRect().width() >= 280);
        for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
            window.setTheme(theme); // lays everything out again
            WAIT_UNTIL(window.findBox()->visibleRegion().boundingRect().width() >= 280);
            WAIT_UNTIL(clipped_labels(window).join(QLatin1Char('\n')) == QString());
        }
        window.commands()->find->trigger();
        QCOMPARE(QApplication::focusWidget(), window.findBox());
        QTest::keyClicks(window.findBox(), QStringLiteral("#17"));
        QVERIFY(window.findBox()->answers()->isVisible());
        QTest::keyClick(window.findBox(), Qt::Key_Return);
        QCOMPARE(window.session()->selectedTask(), std::optional<quint32>(17));
        QVERIFY(!window.findBox()->answers()->isVisible());
        QTest::keyClicks(window.findBox(), QStringLiteral("zzzz"));
        QTest::keyClick(window.findBox(), Qt::Key_Return);
        QCOMPARE(window.session()->selectedTask(), std::optional<quint32>(17));
        QTest::keyClick(window.findBox(), Qt::Key_Escape);
    }

    void shortcuts_are_listed_once_and_never_clash() {
        WindowFixture fixture;
        fixture.make();
        const QList<ShortcutRow> rows = shortcut_rows(*fixture.window);
        QVERIFY(rows.size() > 20);
        QMap<QString, QString> keys; // window-wide ones
        for (const ShortcutRow& row : rows) {
            if (row.group == QStringLiteral("In a panel")) continue;
            for (const QString& key : row.keys.split(QStringLiteral("; "))) {
                QVERIFY2(!keys.contains(key), qPrintable(key + QStringLiteral(": ") + row.text));
                keys.insert(key, row.text);
            }
        }
        fixture.window->commands()->shortcuts->trigger();
        auto* dialog = fixture.window->findChild<QDialog*>(QStringLiteral("shortcutsDialog"));
        QVERIFY(dialog != nullptr && dialog->isVisible());
        QVERIFY(dialog->findChild<QTableView*>()->model()->rowCount() >= rows.size());
        dialog->close();
    }

    void menus_have_only_what_works() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        for (QAction* top : fixture.window->menuBar()->actions()) {
            QVERIFY(top->menu() != nullptr && !top->menu()->isEmpty());
            for (const QAction* action : top->menu()->actions())
                QVERIFY2(action->isSeparator() || !action->text().isEmpty(),
                         qPrintable(top->text()));
        }
        for (QAction* help :
             {fixture.window->commands()->guide, fixture.window->commands()->about}) {
            help->trigger();
            auto* dialog = fixture.window->findChild<QDialog*>(
                help == fixture.window->commands()->guide ? QStringLiteral("guideDialog")
                                                          : QStringLiteral("aboutDialog"));
            QVERIFY(dialog != nullptr);
            dialog->close();
        }
    }

    void a_pose_is_taken_and_drawn() {
        WindowFixture fixture;
        QVERIFY(write_blocks(fixture.blocks(), 3, 60));
        fixture.make({1280, 800});
        fixture.window->open({fixture.blocks()});
        Pose pose;
        pose.time_limit = std::chrono::hours(24);
        pose.block = 840'001;
        pose.task = 5;
        pose.view = QStringLiteral("matrix");
        pose.picture = fixture.folder.filePath(QStringLiteral("shot.png"));
        QString error = QStringLiteral("not called");
        take_pose(*fixture.window, pose, [&](const QString& text) { error = text; });
        WAIT_UNTIL(error != QStringLiteral("not called"));
        QCOMPARE(error, QString());
        QCOMPARE(fixture.window->session()->currentRow(), 1);
        QCOMPARE(fixture.window->session()->selectedTask(), std::optional<quint32>(5));
        QCOMPARE(fixture.window->graph()->viewOptions().view, scene::View::matrix);
        QCOMPARE(QImage(pose.picture).size(), QSize(1280, 800));

        pose.block = 1;
        take_pose(*fixture.window, pose, [&](const QString& text) { error = text; });
        WAIT_UNTIL(error.contains(QStringLiteral("--block")));
    }

    void closes_while_loading() {
        for (int round = 0; round < 4; ++round) {
            WindowFixture fixture;
            fixture.make();
            QVERIFY(write_blocks(fixture.blocks(), 3, 200));
            fixture.window->open({fixture.blocks()});
            for (int turn = 0; turn < round * 3; ++turn) QCoreApplication::processEvents();
            if (round % 2 == 0) fixture.window->close();
            fixture.window.reset();
        }
    }
};

QTEST_MAIN(TestWindow)
#include "test_window.moc"
