// The look as a user meets it: no theme chosen, the platform's own fonts, small screens, panels
// that are moved. Runs offscreen and on the xcb platform with a window manager.
#include "canvas/legend_strip.h"
#include "docks/blocks/blocks_dock.h"
#include "docks/body_area.h"
#include "docks/compare/compare_dock.h"
#include "docks/dock.h"
#include "docks/graph/graph_dock.h"
#include "docks/inspector/inspector_dock.h"
#include "docks/log_dock.h"
#include "docks/timeline/timeline_dock.h"
#include "look/apply_theme.h"
#include "look/elided_label.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "models/span_kinds_model.h"
#include "scene/views.h"
#include "session/runs.h"
#include "window/card_button.h"
#include "window/first_start.h"
#include "window/machine_line.h"
#include "window/window_actions.h"
#include "window/window_place.h"
#include "window/work_bar.h"
#include "window_fixture.h"
#include "work_that_waits.h"

#include <QAbstractButton>
#include <QFontInfo>
#include <QHeaderView>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>

using namespace blockloom;
using namespace blockloom::ui;
using namespace blockloom::test;

namespace {

bool is_seen(const QWidget* widget) {
    return widget->isVisible() && !widget->visibleRegion().isEmpty();
}

QString named(const QWidget* widget, const QString& text) {
    return QStringLiteral("%1 \"%2\" (%3 px)")
        .arg(QLatin1String(widget->metaObject()->className()), text)
        .arg(widget->width());
}

/// Texts of labels, buttons and headers that have less room than they need. A label that gives way
/// by design ends in an ellipsis and has a tooltip.
QStringList cut_texts(const QWidget& window) {
    QStringList cut;
    for (const auto* label : window.findChildren<QLabel*>()) {
        if (!is_seen(label) || label->text().isEmpty() || label->wordWrap()) continue;
        if (qobject_cast<const ElidedLabel*>(label) != nullptr) continue;
        if (label->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored) continue;
        if (label->width() < label->sizeHint().width() - 1) cut.append(named(label, label->text()));
    }
    for (const auto* button : window.findChildren<QAbstractButton*>()) {
        if (!is_seen(button) || button->text().isEmpty()) continue;
        const auto* tool = qobject_cast<const QToolButton*>(button);
        if (tool != nullptr && tool->toolButtonStyle() == Qt::ToolButtonIconOnly &&
            !tool->icon().isNull())
            continue;
        if (button->width() <
            button->fontMetrics().horizontalAdvance(button->text().remove(QLatin1Char('&'))) + 4)
            cut.append(named(button, button->text()));
    }
    for (const auto* tabs : window.findChildren<QTabBar*>(QStringLiteral("dockTabs")))
        for (int i = 0; is_seen(tabs) && i < tabs->count(); ++i)
            if (!tabs->rect().contains(tabs->tabRect(i)) ||
                tabs->tabRect(i).width() < tabs->fontMetrics().horizontalAdvance(tabs->tabText(i)))
                cut.append(named(tabs, tabs->tabText(i)));
    for (const auto* table : window.findChildren<Table*>()) {
        const QHeaderView* header = table->horizontalHeader();
        if (!is_seen(table) || !is_seen(header)) continue;
        for (int section = 0; section < header->count(); ++section)
            if (!header->isSectionHidden(section) &&
                header->sectionSize(section) < table->headerWidth(section) &&
                header->sectionResizeMode(section) == QHeaderView::Interactive)
                cut.append(
                    named(table, table->model()->headerData(section, Qt::Horizontal).toString()));
    }
    return cut;
}

QMap<QString, QSize> sizes_of(const MainWindow& window) {
    QMap<QString, QSize> sizes;
    for (const QDockWidget* dock : window.layoutOfDocks().visible())
        sizes.insert(dock->objectName(), dock->size());
    return sizes;
}

QStringList changed(const QMap<QString, QSize>& before, const QMap<QString, QSize>& after) {
    QStringList found;
    for (auto at = before.begin(); at != before.end(); ++at)
        if (after.contains(at.key()) && after.value(at.key()) != at.value())
            found.append(QStringLiteral("%1: %2x%3, then %4x%5")
                             .arg(at.key())
                             .arg(at->width())
                             .arg(at->height())
                             .arg(after.value(at.key()).width())
                             .arg(after.value(at.key()).height()));
    return found;
}

void settle_events() {
    for (int i = 0; i < 5; ++i) {
        QCoreApplication::processEvents();
        QCoreApplication::sendPostedEvents();
    }
}

} // namespace

class TestTrueLook : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// First: the application has worn no theme yet.
    void every_widget_begins_with_the_fonts_of_the_look() {
        WindowFixture fixture;
        fixture.make({1280, 770});
        const auto strangers = [&] {
            QStringList found;
            for (const QWidget* widget : fixture.window->findChildren<QWidget*>()) {
                const QString family = widget->font().family();
                if (widget->isVisible() && family != text_font().family() &&
                    family != mono_font().family())
                    found.append(named(widget, family));
            }
            return found;
        };
        QCOMPARE(strangers(), QStringList());
        QCOMPARE(fixture.window->menuBar()->font().pixelSize(), text_font().pixelSize());
        QVERIFY(fixture.open());
        QCOMPARE(strangers(), QStringList());
    }

    /// The first theme may come when there are windows already.
    void windows_that_exist_take_the_font_over() {
        delete qApp->findChild<QObject*>(QStringLiteral("focusRing")); // as if never put on
        QFont other = text_font(31);
        other.setFamily(QStringLiteral("DejaVu Serif"));
        qApp->setFont(other);
        QWidget window;
        QLabel label(QStringLiteral("text"), &window);
        window.show();
        apply_theme(*qApp, scene::dark_theme());
        QCOMPARE(label.font().family(), text_font().family());
        QCOMPARE(label.font().pixelSize(), text_font().pixelSize());
    }

    void nothing_is_cut_and_the_window_fits_small_screens() {
        WindowFixture fixture;
        fixture.make({1016, 664});
        const QStringList at_start = cut_texts(*fixture.window);
        QVERIFY2(at_start.isEmpty(), qPrintable(at_start.join(QStringLiteral(", "))));
        fixture.window->open({QStringLiteral("demo")});
        QVERIFY(fixture.settle());
        MainWindow& window = *fixture.window;
        // The demo begins with a block whose graph can be read.
        const schedule::BlockAnalysis& analysis = window.session()->currentBlock()->analysis;
        QCOMPARE(scene::suggested_view(analysis), scene::View::layered);
        QVERIFY(analysis.index->tasks() <= 300);
        QVERIFY(analysis.index->level_sizes.size() >= 10);

        const WindowActions& actions = *window.commands();
        for (const QSize size :
             {QSize(1016, 664), QSize(1272, 684), QSize(1272, 764), QSize(1592, 964)})
            for (QAction* layout : {actions.layout_analyse, actions.layout_run,
                                    actions.layout_compare, actions.layout_tune}) {
                window.resize(size);
                layout->trigger();
                QVERIFY(fixture.settle());
                settle_events();
                const QString where = QStringLiteral("%1 at %2x%3")
                                          .arg(layout->text())
                                          .arg(size.width())
                                          .arg(size.height());
                QVERIFY2(window.size() == size,
                         qPrintable(QStringLiteral("%1: the window is %2x%3, its minimum %4x%5")
                                        .arg(where)
                                        .arg(window.width())
                                        .arg(window.height())
                                        .arg(window.minimumSizeHint().width())
                                        .arg(window.minimumSizeHint().height())));
                const QStringList cut = cut_texts(window);
                QVERIFY2(cut.isEmpty(),
                         qPrintable(where + QStringLiteral(": ") + cut.join(QStringLiteral(", "))));
                const auto* run = window.findChild<QPushButton*>(QStringLiteral("run"));
                QVERIFY2(is_seen(run), qPrintable(where));
            }
        // At 1280x800 the Blocks show rows, not only figures of one block.
        window.resize(1272, 764);
        actions.layout_analyse->trigger();
        QVERIFY(fixture.settle());
        const Table* blocks = static_cast<BlocksDock*>(window.docks().blocks)->table();
        QVERIFY2(blocks->viewport()->height() >= 8 * 26,
                 qPrintable(QString::number(blocks->viewport()->height())));
    }

    void opens_inside_the_screen() {
        const QRect screens[] = {{0, 0, 1024, 700}, {0, 0, 1280, 720}, {1920, 40, 1280, 760}};
        for (const QRect& screen : screens)
            for (const QRect& wanted : {QRect(0, 0, 1440, 900), QRect(-500, -300, 900, 600),
                                        QRect(3000, 2000, 800, 600), QRect(0, 0, 5000, 300)}) {
                const QRect placed = placed_inside(wanted, screen);
                QVERIFY(screen.contains(placed));
                QVERIFY(placed.top() > screen.top()); // room for the title
                QVERIFY(placed.width() <= wanted.width() && placed.height() <= wanted.height());
            }
        WindowFixture fixture;
        MainWindow window(fixture.settings());
        const QRect screen = window.screen()->availableGeometry();
        QVERIFY(screen.contains(window.geometry()));
        // A size that was asked for is kept, with the title on the screen.
        QWidget asked;
        for (const QSize size :
             {QSize(400, 300), screen.size() - QSize(20, 40), QSize(5000, 4000)}) {
            place_window(asked, size);
            QCOMPARE(asked.size(), size);
            QVERIFY(screen.contains(asked.pos()) && asked.y() > screen.top());
            QCOMPARE(screen.contains(asked.geometry()), size.width() < screen.width());
        }
    }

    void panels_keep_their_sizes() {
        WindowFixture fixture;
        fixture.make({1560, 940});
        QVERIFY(fixture.open());
        MainWindow& window = *fixture.window;
        settle_events();
        const auto before = sizes_of(window);
        QVERIFY(before.size() >= 4);
        // Every tab of every group, as a run brings some of them to the front.
        for (Dock* dock : window.docks().all()) {
            dock->raise();
            settle_events();
            QVERIFY2(changed(before, sizes_of(window)).isEmpty(),
                     qPrintable(dock->windowTitle() + QStringLiteral(": ") +
                                changed(before, sizes_of(window)).join(QStringLiteral(", "))));
        }
        window.docks().graph->raise();
        window.docks().schedule->raise();
        settle_events();
        const auto shown = sizes_of(window);
        const int inspector = window.docks().inspector->width();
        for (const int width : {1900, 1480, 1560}) { // the canvases take what is gained or lost
            window.resize(width, 940);
            settle_events();
            QVERIFY2(qAbs(window.docks().inspector->width() - inspector) < 20,
                     qPrintable(QStringLiteral("%1 px of %2; before %3")
                                    .arg(window.docks().inspector->width())
                                    .arg(width)
                                    .arg(inspector)));
        }
        window.resize(1100, 700);
        settle_events();
        window.resize(1560, 940);
        WAIT_UNTIL(window.docks().inspector->isVisible() &&
                   qAbs(window.docks().inspector->width() - inspector) < 40);
        for (auto at = shown.begin(); at != shown.end(); ++at)
            if (const QSize now = sizes_of(window).value(at.key()); now.isValid())
                QVERIFY2(qAbs(now.width() - at->width()) < 60 &&
                             qAbs(now.height() - at->height()) < 60,
                         qPrintable(changed(shown, sizes_of(window)).join(QStringLiteral(", "))));
    }

    void a_floated_panel_has_a_frame_and_stays() {
        WindowFixture fixture;
        fixture.make({1400, 900});
        QVERIFY(fixture.open());
        Dock* dock = fixture.window->docks().schedule;
        for (QToolButton* button : dock->titleBarWidget()->findChildren<QToolButton*>())
            if (button->accessibleName().startsWith(QStringLiteral("Float"))) {
                QTest::mouseClick(button, Qt::LeftButton);
                break;
            }
        WAIT_UNTIL(dock->isFloating() && dock->isVisible() &&
                   !dock->windowFlags().testFlag(Qt::FramelessWindowHint));
        wait_until_exposed(dock);
        if (QGuiApplication::platformName() == QLatin1String("xcb"))
            // The platform's margins: a widget keeps those that it had when it was first asked.
            WAIT_UNTIL(dock->windowHandle()->frameMargins().top() > 0);
        fixture.window->resize(1200, 800);
        fixture.window->move(30, 30);
        settle_events();
        QVERIFY(dock->isFloating() && dock->isVisible());
        dock->setFloating(false);
        settle_events();
        QVERIFY(!dock->isFloating() && dock->titleBarWidget()->isVisible());
    }

    /// The start page names the key: it must have the focus from the first moment.
    void enter_opens_the_demo_at_the_first_start() {
        WindowFixture fixture;
        fixture.make({1200, 760});
        MainWindow& window = *fixture.window;
        auto* start = window.findChild<FirstStart*>();
        QVERIFY(start != nullptr && start->isVisible());
        WAIT_UNTIL(!start->machine()->text().isEmpty()); // a link was added to the page
        QCOMPARE(window.focusWidget(), start->demoButton());
        test::wait_until_active(&window);
        QTest::keyClick(window.windowHandle(), Qt::Key_Return);
        QVERIFY(fixture.settle());
        QVERIFY(window.session()->range() != nullptr);
    }

    void the_lower_panel_of_a_low_window_shows_rows() {
        WindowFixture fixture;
        fixture.make({1016, 664});
        QVERIFY(fixture.open());
        MainWindow& window = *fixture.window;
        for (QAction* layout : {window.commands()->layout_run, window.commands()->layout_compare,
                                window.commands()->layout_tune}) {
            layout->trigger();
            QVERIFY(fixture.settle());
            settle_events();
            QVERIFY2(window.docks().runs->height() >= 150,
                     qPrintable(QStringLiteral("%1: %2 px")
                                    .arg(layout->text())
                                    .arg(window.docks().runs->height())));
        }
    }

    /// In a layout that hides them: neither a sliver nor half of the window.
    void blocks_shown_again_have_their_width() {
        WindowFixture fixture;
        for (const int width : {1016, 1592}) {
            fixture.make({width, 900});
            QVERIFY(fixture.open());
            MainWindow& window = *fixture.window;
            window.commands()->layout_run->trigger();
            QVERIFY(fixture.settle());
            window.docks().blocks->toggleViewAction()->trigger();
            WAIT_UNTIL(window.docks().blocks->width() >= 480 &&
                       window.docks().blocks->width() <= 540);
        }
    }

    /// In the least window, with a run to show, every panel in every layout.
    void no_panel_scrolls_sideways() {
        WindowFixture fixture;
        fixture.make({1016, 664});
        MainWindow& window = *fixture.window;
        window.runs()->setFolder(fixture.folder.filePath(QStringLiteral("kept")));
        QVERIFY(write_messages(fixture.blocks(), 60) && fixture.open());
        for (const unsigned workers : {1U, 2U}) {
            QSignalSpy finished(window.runs(), &Runs::finished);
            window.runs()->setWorkers(workers);
            window.runs()->start();
            WAIT_UNTIL(!finished.isEmpty() && !window.session()->busy());
        }
        const WindowActions& actions = *window.commands();
        for (QAction* layout : {actions.layout_analyse, actions.layout_run, actions.layout_compare,
                                actions.layout_tune}) {
            layout->trigger();
            QVERIFY(fixture.settle());
            for (Dock* dock : window.docks().all()) {
                if (!dock->toggleViewAction()->isChecked()) continue;
                dock->raise();
                settle_events();
                for (const auto* area : dock->findChildren<BodyArea*>())
                    QVERIFY2(area->horizontalScrollBar()->maximum() == 0,
                             qPrintable(QStringLiteral("%1, %2: %3 px wider than the panel")
                                            .arg(layout->text(), dock->windowTitle())
                                            .arg(area->horizontalScrollBar()->maximum())));
            }
        }
    }

    /// In low windows the lanes have the room, not the legend, whose tooltip is the whole of it.
    void a_low_schedule_does_not_scroll() {
        WindowFixture fixture;
        fixture.make({1272, 684});
        MainWindow& window = *fixture.window;
        window.runs()->setFolder(fixture.folder.filePath(QStringLiteral("kept")));
        QVERIFY(write_messages(fixture.blocks(), 60) && fixture.open());
        QSignalSpy finished(window.runs(), &Runs::finished);
        window.runs()->start();
        WAIT_UNTIL(!finished.isEmpty() && !window.session()->busy());
        Dock* schedule = window.docks().schedule;
        auto* legend = schedule->findChild<LegendStrip*>();
        for (const QSize size :
             {QSize(1592, 964), QSize(1272, 764), QSize(1272, 684), QSize(1016, 664)}) {
            window.resize(size);
            window.commands()->layout_analyse->trigger();
            QVERIFY(fixture.settle());
            schedule->raise();
            WAIT_UNTIL(legend->text().contains(QStringLiteral("measured")));
            settle_events();
            const QString where = QStringLiteral("%1x%2").arg(size.width()).arg(size.height());
            for (const auto* area : schedule->findChildren<BodyArea*>())
                QVERIFY2(area->verticalScrollBar()->maximum() == 0,
                         qPrintable(QStringLiteral("%1: %2 px hidden")
                                        .arg(where)
                                        .arg(area->verticalScrollBar()->maximum())));
            // What tells measured from predicted is cut last: the captions above the lanes say it,
            // too.
            QVERIFY2(legend->shownItems() >= (size.width() > 1016 ? 2 : 1), qPrintable(where));
            QVERIFY(QString::fromStdString(legend->items()[0].label) ==
                        QStringLiteral("predicted") &&
                    QString::fromStdString(legend->items()[1].label) == QStringLiteral("measured"));
            if (legend->shownItems() < legend->items().size())
                QCOMPARE(legend->toolTip(), legend->text());
        }
    }

    /// However many kinds of spans there are, the lanes have the room: the legend is two rows at
    /// most, with a button that opens all of it, by key too; a narrow panel shows its statistics on
    /// request.
    void the_lanes_have_the_room_of_the_timeline() {
        WindowFixture fixture;
        fixture.make({1272, 764});
        MainWindow& window = *fixture.window;
        window.runs()->setFolder(fixture.folder.filePath(QStringLiteral("kept")));
        window.open({QStringLiteral("demo")});
        QVERIFY(fixture.settle());
        QSignalSpy finished(window.runs(), &Runs::finished);
        window.runs()->start();
        WAIT_UNTIL(!finished.isEmpty() && !window.session()->busy());
        auto* dock = static_cast<TimelineDock*>(window.docks().timeline);
        auto* legend = dock->findChild<LegendStrip*>(QStringLiteral("legend"));
        auto* button = dock->findChild<QToolButton*>(QStringLiteral("timelineStatistics"));
        for (const QSize size :
             {QSize(1592, 964), QSize(1272, 764), QSize(1272, 684), QSize(1016, 664)})
            for (QAction* layout :
                 {window.commands()->layout_run, window.commands()->layout_analyse}) {
                window.resize(size);
                layout->trigger();
                QVERIFY(fixture.settle());
                dock->raise();
                WAIT_UNTIL(dock->settled() && legend->isVisible() && legend->items().size() > 4);
                settle_events();
                const QString where = QStringLiteral("%1, %2x%3, panel %4x%5")
                                          .arg(layout->text())
                                          .arg(size.width())
                                          .arg(size.height())
                                          .arg(dock->width())
                                          .arg(dock->height());
                QVERIFY2(legend->height() <= 2 * 20 + 6, qPrintable(where));
                QVERIFY2(dock->canvas()->height() >= 3 * legend->height(), qPrintable(where));
                QVERIFY2(dock->canvas()->width() >= dock->width() / 2, qPrintable(where));
                QVERIFY2(cut_texts(*dock).isEmpty(),
                         qPrintable(where + cut_texts(*dock).join(QLatin1Char('\n'))));
                if (dock->side()->isVisible() || !button->isVisible()) continue;
                button->click();
                settle_events();
                QVERIFY2(dock->side()->isVisible(), qPrintable(where));
                button->click();
                QVERIFY2(!dock->side()->isVisible(), qPrintable(where));
            }
        // The narrowest is the last.
        const std::size_t missing = legend->items().size() - legend->shownItems();
        QToolButton* rest = legend->rest();
        QVERIFY(missing > 0 && rest != nullptr && rest->isVisible());
        QVERIFY(legend->rect().contains(rest->geometry()));
        QCOMPARE(rest->text(), QStringLiteral("+%1").arg(missing));
        QVERIFY(rest->accessibleName().contains(QString::number(missing)));
        QCOMPARE(rest->toolTip(), legend->text());
        QVERIFY((rest->focusPolicy() & Qt::TabFocus) == Qt::TabFocus);
        rest->setFocus(Qt::TabFocusReason);
        bool opened = false;
        QTimer look; // while the menu is open, the click below waits
        connect(&look, &QTimer::timeout, rest, [&] {
            QWidget* menu = QApplication::activePopupWidget();
            if (menu == nullptr) return;
            look.stop();
            const auto* whole = menu->findChild<LegendStrip*>();
            opened = menu == rest->menu() && whole != nullptr && whole->isVisible() &&
                     whole->shownItems() == legend->items().size() &&
                     whole->text() == legend->text() && menu->height() >= whole->height();
            QTest::keyClick(menu, Qt::Key_Escape);
        });
        look.start(0);
        QTest::keyClick(rest, Qt::Key_Space);
        WAIT_UNTIL(opened && QApplication::activePopupWidget() == nullptr);
    }

    /// Beside the timeline, whatever the font.
    void the_names_of_spans_are_whole() {
        WindowFixture fixture;
        fixture.make({1272, 764});
        MainWindow& window = *fixture.window;
        window.runs()->setFolder(fixture.folder.filePath(QStringLiteral("kept")));
        window.open({QStringLiteral("demo")}); // some of its transactions only move tokens
        QVERIFY(fixture.settle());
        QSignalSpy finished(window.runs(), &Runs::finished);
        window.runs()->start();
        WAIT_UNTIL(!finished.isEmpty() && !window.session()->busy());
        window.commands()->layout_run->trigger();
        auto* dock = static_cast<TimelineDock*>(window.docks().timeline);
        dock->raise();
        auto* kinds = dock->findChild<Table*>(QStringLiteral("spanKinds"));
        WAIT_UNTIL(dock->settled() && kinds->isVisible() && kinds->model()->rowCount() > 3);
        settle_events();
        QStringList names;
        for (int row = 0; row < kinds->model()->rowCount(); ++row)
            names.append(kinds->model()->index(row, SpanKindsModel::Name).data().toString());
        QVERIFY2(names.contains(QStringLiteral("tokens moved")),
                 qPrintable(names.join(QStringLiteral(", "))));
        QVERIFY2(kinds->columnWidth(SpanKindsModel::Name) >=
                     kinds->contentWidth(SpanKindsModel::Name),
                 qPrintable(QStringLiteral("%1 px of %2")
                                .arg(kinds->columnWidth(SpanKindsModel::Name))
                                .arg(kinds->contentWidth(SpanKindsModel::Name))));
    }

    /// In a narrow panel the columns of A and B keep room for numbers and bars.
    void a_narrow_comparison_shows_both_times() {
        WindowFixture fixture;
        fixture.make({1016, 664});
        QVERIFY(fixture.open());
        auto* compare = static_cast<CompareDock*>(fixture.window->docks().compare);
        compare->raise();
        settle_events();
        QVERIFY(compare->width() < 560);
        const int room = compare->width() - 20;
        const QHeaderView* header = compare->table()->horizontalHeader();
        int others = 0;
        for (int i = 0; i < header->count(); ++i)
            if (!header->isSectionHidden(i) && header->sectionResizeMode(i) != QHeaderView::Stretch)
                others += header->sectionSize(i);
        QVERIFY2(room - others >= 2 * 90, qPrintable(QString::number(room - others)));
    }

    /// During work the row has two buttons more: their words are whole at any width.
    void the_buttons_of_the_work_bar_are_never_cut() {
        WindowFixture fixture;
        fixture.make({1440, 864});
        QVERIFY(fixture.open());
        fixture.window->session()->perform(
            work_that_waits({"Replaying blocks · repetition 5 of 10", 135, 270}),
            QStringLiteral("Run"));
        auto* bar = fixture.window->findChild<WorkBar*>();
        auto* cancel = bar->findChild<QPushButton*>();
        WAIT_UNTIL(cancel->isVisible());
        for (const bool can_pause : {false, true}) {
            bar->pauseButton()->setVisible(can_pause); // as during a run
            for (const int width : {1600, 1592, 1540, 1500, 1440, 1400, 1272, 1016}) {
                fixture.window->resize(width, 864);
                settle_events();
                QVERIFY2(cancel->width() >= cancel->sizeHint().width(),
                         qPrintable(QStringLiteral("%1 px at %2").arg(cancel->width()).arg(width)));
                QVERIFY(is_seen(cancel));
            }
        }
        fixture.window->session()->cancel();
    }

    /// The table scrolls; the panel around it does not.
    void a_narrow_panel_of_runs_has_one_scroll_bar() {
        WindowFixture fixture;
        fixture.make({1200, 760});
        QVERIFY(fixture.open());
        Dock* runs = fixture.window->docks().runs;
        for (const auto* area : runs->findChildren<BodyArea*>())
            QVERIFY2(area->widget()->minimumSizeHint().width() <= 300,
                     qPrintable(QString::number(area->widget()->minimumSizeHint().width())));
    }

    /// Without measurements the side of the panel begins with a caption: a rule above it would look
    /// like the end of something that was scrolled away.
    void an_unused_tuning_does_not_look_scrolled() {
        WindowFixture fixture;
        fixture.make({1272, 684});
        QVERIFY(write_messages(fixture.blocks(), 60) && fixture.open());
        fixture.window->commands()->layout_tune->trigger();
        QVERIFY(fixture.settle());
        settle_events();
        const Dock* tuning = fixture.window->docks().tuning;
        const auto* side = tuning->findChild<QScrollArea*>(QStringLiteral("details"));
        QVERIFY(is_seen(side) && side->verticalScrollBar()->value() == 0);
        int rules = 0;
        for (const auto* rule : side->findChildren<QFrame*>(QStringLiteral("rule"))) {
            if (!rule->isVisible()) continue;
            ++rules;
            QVERIFY(rule->mapTo(side->widget(), QPoint()).y() > 20);
        }
        QVERIFY(rules > 0);
    }

    void the_log_shows_its_newest_line() {
        WindowFixture fixture;
        fixture.make({1016, 664});
        QVERIFY(fixture.open());
        auto* log = static_cast<LogDock*>(fixture.window->docks().log);
        for (int i = 0; i < 100; ++i)
            log->note(QStringLiteral("info"), QStringLiteral("line %1").arg(i));
        log->show();
        log->raise();
        settle_events();
        QScrollBar* bar = log->findChild<Table*>()->verticalScrollBar();
        WAIT_UNTIL(bar->maximum() > 0);
        QCOMPARE(bar->value(), bar->maximum());
        bar->setValue(3); // the user reads an older line
        log->note(QStringLiteral("info"), QStringLiteral("one more"));
        settle_events();
        QCOMPARE(bar->value(), 3);
    }

    void status_texts_never_overlap() {
        WindowFixture fixture;
        fixture.make({1600, 900});
        QVERIFY(fixture.open());
        fixture.window->session()->selectTask(3);
        auto* status = fixture.window->statusBar();
        for (const int width : {1592, 1272, 1016, 900}) {
            fixture.window->resize(width, 800);
            for (const QString& message :
                 {QString(), QStringLiteral("Run kept: 12.3 ms, state digest 0123456789abcdef, and "
                                            "more than can stand here in any case, however wide "
                                            "the window of its user may be")}) {
                status->showMessage(message);
                settle_events();
                QList<const QLabel*> labels;
                for (const auto* label : status->findChildren<QLabel*>())
                    if (label->isVisible()) labels.append(label);
                QVERIFY(!labels.isEmpty());
                for (const QLabel* a : labels) {
                    const QRect at(a->mapTo(status, QPoint()), a->size());
                    QVERIFY(status->rect().contains(at.center()));
                    for (const QLabel* b : labels)
                        if (a != b)
                            QVERIFY2(!at.intersects(QRect(b->mapTo(status, QPoint()), b->size())),
                                     qPrintable(a->text() + QStringLiteral(" / ") + b->text()));
                }
            }
        }
    }

    /// Another style sheet must not take margins or widths away.
    void a_theme_change_moves_nothing() {
        const auto apart = [](const QRect& a, const QRect& b) { // px; a tool bar settles by 2
            return std::max({qAbs(a.x() - b.x()), qAbs(a.y() - b.y()), qAbs(a.width() - b.width()),
                             qAbs(a.height() - b.height())});
        };
        WindowFixture fixture;
        fixture.make({1272, 764});
        MainWindow& window = *fixture.window;
        QVERIFY(fixture.open());
        // Of each panel, when it is in front.
        const auto places = [&] {
            QMap<QString, QRect> found;
            for (Dock* dock : window.docks().all()) {
                if (!dock->toggleViewAction()->isChecked()) continue;
                dock->raise();
                if (!fixture.settle()) return found;
                settle_events();
                for (const auto* label : window.findChildren<QLabel*>())
                    if (is_seen(label) && !label->text().isEmpty())
                        found.insert(QStringLiteral("%1: %2 %3")
                                         .arg(dock->windowTitle(), label->text())
                                         .arg(reinterpret_cast<quintptr>(label)),
                                     QRect(label->mapTo(&window, QPoint()), label->size()));
            }
            return found;
        };
        const QMap<QString, QRect> before = places(); // before any other style sheet
        QVERIFY(before.size() > 20);
        for (const ThemeChoice theme : {ThemeChoice::dark, ThemeChoice::light}) {
            window.setTheme(theme);
            const QMap<QString, QRect> after = places();
            for (auto at = before.begin(); at != before.end(); ++at)
                if (const auto now = after.find(at.key());
                    now != after.end() && apart(now.value(), at.value()) > 4)
                    QFAIL(qPrintable(QStringLiteral("%1 was at %2,%3 %4x%5, is at %6,%7 %8x%9")
                                         .arg(at.key())
                                         .arg(at->x())
                                         .arg(at->y())
                                         .arg(at->width())
                                         .arg(at->height())
                                         .arg(now->x())
                                         .arg(now->y())
                                         .arg(now->width())
                                         .arg(now->height())));
        }
    }

    /// Nor does it before the window is shown, as with --theme.
    void a_theme_chosen_at_the_start_keeps_margins() {
        WindowFixture fixture;
        MainWindow window(fixture.settings());
        QMap<const QLabel*, QMargins> margins;
        for (const auto* label : window.findChildren<QLabel*>())
            if (!label->contentsMargins().isNull()) margins.insert(label, label->contentsMargins());
        QVERIFY(margins.size() > 5);
        window.setTheme(ThemeChoice::dark);
        window.show();
        wait_until_active(&window);
        settle_events();
        for (auto at = margins.begin(); at != margins.end(); ++at)
            QVERIFY2(at.key()->contentsMargins() == at.value(), qPrintable(at.key()->text()));
        window.setTheme(ThemeChoice::light);
    }

    void icons_of_dialogs_follow_the_theme() {
        WindowFixture fixture;
        fixture.make();
        for (const auto which : {QStyle::SP_DialogOkButton, QStyle::SP_DialogCancelButton,
                                 QStyle::SP_DialogCloseButton, QStyle::SP_DialogSaveButton,
                                 QStyle::SP_DialogApplyButton, QStyle::SP_DirIcon}) {
            const auto drawn = [which](ThemeChoice) {
                return qApp->style()->standardIcon(which).pixmap(16, 16).toImage();
            };
            fixture.window->setTheme(ThemeChoice::dark);
            const QImage dark = drawn(ThemeChoice::dark);
            fixture.window->setTheme(ThemeChoice::light);
            QVERIFY(!dark.isNull() && dark != drawn(ThemeChoice::light));
        }
    }
};

QTEST_MAIN(TestTrueLook)
#include "test_true_look.moc"
