// The Graph dock over the demo range, drawn by both renderers.
#include "headers/waiting.h"
#include "look/apply_theme.h"
#include "ui/open_session.h"

#include "canvas/scene_canvas.h"
#include "canvas/task_steps.h"
#include "docks/graph/graph_bar.h"
#include "docks/graph/graph_choices.h"
#include "docks/graph/graph_dock.h"
#include "docks/parts/status_badge.h"
#include "docks/parts/table_twin.h"
#include "docks/parts/view_pane.h"
#include "look/theme_style.h"
#include "models/twin_model.h"
#include "window_waits.h"

#include <QAbstractScrollArea>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QLineF>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace blockloom;
using ui::GraphDock;
using ui::Session;

class TestGraphDock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase_data(); // every test runs with each renderer
    void initTestCase();
    void init();
    void cleanup();
    void nothing_open_says_so();
    void the_suggested_view_is_shown();
    void each_view_is_drawn_data();
    void each_view_is_drawn();
    void click_selects_in_the_session();
    void selection_is_marked();
    void alt_keys_walk_the_edges();
    void rapid_switching_ends_right();
    void a_choice_outlives_the_block();
    void model_goes_through_the_session();
    void matrix_has_its_verdict();
    void coverage_is_in_words();
    void hud_leaves_kinds_out();
    void nothing_is_cut_off();
    void hud_key();
    void table_twin_selects();
    void exports_are_written_data();
    void exports_are_written();
    void a_wrong_ending_is_an_error();
    void theme_is_followed();
    void idle_draws_nothing();
    void destroyed_while_a_view_is_made();
    void tab_order_is_reading_order();
    void controls_have_names();

private:
    bool vulkan_ = false; ///< there is a device
    std::unique_ptr<Session> session_;
    std::unique_ptr<GraphDock> dock_;

    [[nodiscard]] bool settled() const {
        return dock_->pane()->settled() && dock_->canvas()->upToDate();
    }
    [[nodiscard]] QToolButton* segment(const QString& text) const {
        for (auto* button : dock_->findChildren<QToolButton*>())
            if (button->text() == text) return button;
        return nullptr;
    }
    /// The middle of a task's mark on the canvas.
    [[nodiscard]] QPoint place_of(quint32 task) const {
        const auto list = dock_->canvas()->list();
        const auto& bounds = list->targets[list->task_target[task]].bounds;
        return dock_->canvas()
            ->toCanvas({static_cast<qreal>(bounds.x + bounds.width / 2),
                        static_cast<qreal>(bounds.y + bounds.height / 2)})
            .toPoint();
    }
    /// A task that is drawn, waits for another, and is what a click on its place finds.
    [[nodiscard]] std::optional<quint32> drawn_task() const {
        const auto& index = *session_->currentBlock()->analysis.index;
        const auto list = dock_->canvas()->list();
        for (quint32 t = 0; t < index.tasks(); ++t)
            if (!index.predecessors_of(t).empty() && t < list->task_target.size() &&
                list->task_target[t] != scene::no_target &&
                dock_->canvas()->rect().contains(place_of(t)) && stands_alone(t))
                return t;
        return std::nullopt;
    }
    /// A click goes by whole pixels: no other task's mark is as near to that one.
    [[nodiscard]] bool stands_alone(quint32 task) const {
        const auto list = dock_->canvas()->list();
        const QPointF pixel = place_of(task);
        const auto distance = [&](quint32 t) {
            const auto& bounds = list->targets[list->task_target[t]].bounds;
            return QLineF(pixel, dock_->canvas()->toCanvas(
                                     {static_cast<qreal>(bounds.x), static_cast<qreal>(bounds.y)}))
                .length();
        };
        const qreal own = distance(task);
        for (quint32 t = 0; t < list->task_target.size(); ++t)
            if (t != task && list->task_target[t] != scene::no_target && distance(t) <= own)
                return false;
        return true;
    }
};

void TestGraphDock::initTestCase_data() {
    QTest::addColumn<QByteArray>("renderer");
    QTest::newRow("cairo") << QByteArray("cairo");
    QTest::newRow("vulkan") << QByteArray("vulkan");
}

void TestGraphDock::initTestCase() {
    vulkan_ = scene::make_vulkan_renderer().ok();
    ui::apply_theme(*qobject_cast<QApplication*>(QCoreApplication::instance()),
                    scene::dark_theme());
    session_ = test::open_demo();
    QVERIFY(session_ != nullptr);
    QVERIFY(session_->currentBlock()->analysis.index->edges() > 0);
}

void TestGraphDock::init() {
    QFETCH_GLOBAL(QByteArray, renderer);
    if (renderer == "vulkan" && !vulkan_) QSKIP("no Vulkan device here");
    qputenv("BLOCKLOOM_RENDERER", renderer);
    dock_ = std::make_unique<GraphDock>(session_.get());
    dock_->resize(900, 560);
    dock_->show();
    WAIT_UNTIL(settled());
}

void TestGraphDock::cleanup() {
    dock_.reset();
    session_->selectTask(std::nullopt);
    session_->selectKey(std::nullopt);
}

void TestGraphDock::nothing_open_says_so() {
    Session empty;
    GraphDock dock(&empty);
    dock.show();
    QVERIFY(dock.isShowingEmpty());
    QVERIFY(!dock_->isShowingEmpty());
}

void TestGraphDock::the_suggested_view_is_shown() {
    QCOMPARE(dock_->viewOptions().view, scene::suggested_view(session_->currentBlock()->analysis));
}

void TestGraphDock::each_view_is_drawn_data() {
    QTest::addColumn<int>("view");
    for (const scene::View view : ui::graph_views)
        QTest::newRow(scene::name_of(view).data()) << static_cast<int>(view);
}

void TestGraphDock::each_view_is_drawn() {
    QFETCH(int, view);
    dock_->setView(static_cast<scene::View>(view));
    WAIT_UNTIL(settled());
    QCOMPARE(dock_->pane()->shown().options.view, static_cast<scene::View>(view));
    const QImage image = dock_->canvas()->grab().toImage();
    const scene::Colour c = scene::dark_theme().canvas;
    const QRgb ground = qRgb(c.r, c.g, c.b);
    qint64 drawn = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) drawn += image.pixel(x, y) != ground ? 1 : 0;
    QVERIFY2(drawn > 500, qPrintable(QString::number(drawn)));
    QVERIFY(drawn < qint64{image.width()} * image.height());
}

void TestGraphDock::click_selects_in_the_session() {
    dock_->setView(scene::View::layered);
    WAIT_UNTIL(settled());
    const auto task = drawn_task();
    QVERIFY(task);
    QTest::mouseClick(dock_->canvas(), Qt::LeftButton, {}, place_of(*task));
    QCOMPARE(session_->selectedTask(), task);
    // Far from everything: cleared.
    QTest::mouseClick(dock_->canvas(), Qt::LeftButton, {}, {2, 2});
    QCOMPARE(session_->selectedTask(), std::nullopt);
}

void TestGraphDock::selection_is_marked() {
    dock_->setView(scene::View::layered);
    WAIT_UNTIL(settled());
    const auto task = drawn_task();
    QVERIFY(task);
    const quint64 before = dock_->canvas()->framesDrawn();
    QVERIFY(dock_->canvas()->currentRequest().marks.empty());
    session_->selectTask(*task);
    QVERIFY(!dock_->canvas()->currentRequest().marks.empty());
    WAIT_UNTIL(settled());
    QCOMPARE(dock_->canvas()->framesDrawn(), before + 1);
}

void TestGraphDock::alt_keys_walk_the_edges() {
    const auto& index = *session_->currentBlock()->analysis.index;
    const quint32 task = test::waiting_task(*session_);
    session_->selectTask(task);
    test::press(dock_->canvas(), Qt::Key_Left, Qt::AltModifier);
    const auto before = index.predecessors_of(task);
    QCOMPARE(session_->selectedTask(), std::optional<quint32>(before.back()));
    test::press(dock_->canvas(), Qt::Key_Right, Qt::AltModifier);
    const auto next = session_->selectedTask();
    QVERIFY(next);
    const auto waits = index.predecessors_of(*next);
    QVERIFY(std::find(waits.begin(), waits.end(), before.back()) != waits.end());
    test::press(dock_->canvas(), Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(session_->selectedTask(), std::optional<quint32>(*next - 1));
    QCOMPARE(ui::step_from(index, std::nullopt, 1, 0), std::optional<conflict::TaskId>(0));
    QCOMPARE(ui::step_from(index, 0, 0, -1), std::nullopt);
}

void TestGraphDock::rapid_switching_ends_right() {
    for (int round = 0; round < 20; ++round)
        for (const scene::View view : ui::graph_views) {
            dock_->setView(view);
            if (round % 5 == 0) QCoreApplication::processEvents();
        }
    dock_->setView(scene::View::arc);
    dock_->setColourBy(scene::ColourBy::group);
    WAIT_UNTIL(settled());
    QCOMPARE(dock_->pane()->shown().options.view, scene::View::arc);
    QCOMPARE(dock_->pane()->shown().options.colour_by, scene::ColourBy::group);
    const auto right = scene::make_view(session_->currentBlock()->analysis, dock_->viewOptions());
    QVERIFY(dock_->canvas()->list()->layers == right.layers);
}

void TestGraphDock::a_choice_outlives_the_block() {
    segment(QStringLiteral("Arc"))->click();
    QCOMPARE(dock_->viewOptions().view, scene::View::arc);
    const int row = session_->currentRow();
    session_->setCurrentRow(row == 0 ? 1 : 0);
    QCOMPARE(dock_->viewOptions().view, scene::View::arc);
    WAIT_UNTIL(settled());
    QCOMPARE(dock_->pane()->shown().block, session_->currentBlock());
    session_->setCurrentRow(row);
    WAIT_UNTIL(settled());
}

void TestGraphDock::model_goes_through_the_session() {
    session_->setModel(conflict::ConflictModel::multi_version);
    WAIT_UNTIL(!session_->busy());
    WAIT_UNTIL(dock_->pane()->shown().block == session_->currentBlock());
    QCOMPARE(dock_->pane()->shown().block->analysis.options.model,
             conflict::ConflictModel::multi_version);
    bool said = false;
    for (const auto* combo : dock_->findChildren<QComboBox*>())
        said = said || combo->currentText() == QStringLiteral("multi-version");
    QVERIFY(said);
    session_->undoStack().undo();
    WAIT_UNTIL(!session_->busy());
    WAIT_UNTIL(dock_->pane()->shown().block == session_->currentBlock());
    QCOMPARE(dock_->pane()->shown().block->analysis.options.model,
             conflict::ConflictModel::single_version);
}

void TestGraphDock::matrix_has_its_verdict() {
    dock_->setView(scene::View::matrix);
    WAIT_UNTIL(settled());
    const auto* badge = dock_->findChild<ui::StatusBadge*>();
    QVERIFY(badge->isVisibleTo(dock_.get()));
    QVERIFY(badge->good());
    QCOMPARE(badge->text(), QStringLiteral("No conflicts inside a level"));
    dock_->setView(scene::View::layered);
    WAIT_UNTIL(settled());
    QVERIFY(!badge->isVisibleTo(dock_.get()));
}

void TestGraphDock::coverage_is_in_words() {
    dock_->setView(scene::View::layered);
    WAIT_UNTIL(settled());
    const auto& coverage = dock_->canvas()->list()->coverage;
    const QString text = dock_->pane()->legend()->coverage();
    QVERIFY2(text.startsWith(QStringLiteral("Drawing ")), qPrintable(text));
    QVERIFY(text.contains(QString::fromStdString(coverage.unit)));
    QVERIFY(dock_->pane()->legend()->isVisibleTo(dock_.get()));
    QVERIFY(dock_->pane()->legend()->text().contains(QStringLiteral("Batch (level) from 1")));
}

// The display is drawn by the renderer that is under test; where it puts a switch is its own
// affair. Its presses leave items out of the picture and bring them back; closing it brings all
// back.
void TestGraphDock::hud_leaves_kinds_out() {
    dock_->setHudShown(true);
    WAIT_UNTIL(settled());
    QSignalSpy changed(dock_->canvas(), &ui::SceneCanvas::overlayChanged);
    QSignalSpy zoomed(dock_->canvas(), &ui::SceneCanvas::zoomChanged);
    const auto value_of = [&](const char* id) {
        for (const QVariantList& change : changed)
            if (change[0].toString() == QLatin1String(id)) return change[1].toInt();
        return -1;
    };
    const QSize size = dock_->canvas()->size();
    for (const int x : {size.width() - 240, size.width() - 24})
        // From below: the title, which folds it, comes last.
        for (int y = size.height() - 12; y > 12 && value_of("lines") < 0; y -= 9) {
            QTest::mouseMove(dock_->canvas(), {x, y});
            QTest::mouseClick(dock_->canvas(), Qt::LeftButton, {}, {x, y});
            WAIT_UNTIL(settled());
        }
    QCOMPARE(value_of("lines"), 0);
    QCOMPARE(zoomed.size(), 0);
    dock_->setHudShown(false);
    WAIT_UNTIL(settled());
}

void TestGraphDock::nothing_is_cut_off() {
    const auto* bar = dock_->findChild<ui::GraphBar*>();
    const auto fits = [&] {
        const auto children = bar->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
        return std::all_of(children.begin(), children.end(), [&](const QWidget* child) {
            return !child->isVisible() || child->isWindow() ||
                   (child->geometry().right() <= bar->width() &&
                    child->width() >= child->minimumSizeHint().width());
        });
    };
    for (const scene::View view : {scene::View::layered, scene::View::matrix}) {
        dock_->setView(view);
        WAIT_UNTIL(settled());
        for (const int width : {1400, 1000, 760, 520, 300}) {
            dock_->resize(width, 400);
            QCoreApplication::processEvents();
            // A window manager resizes later, and the layout follows.
            WAIT_UNTIL(bar->width() <= width && fits());
        }
    }
}

void TestGraphDock::hud_key() {
    dock_->canvas()->setFocus();
    test::wait_until_active(dock_.get());
    WAIT_UNTIL(dock_->canvas()->hasFocus());
    QTest::keyClick(dock_->canvas(), Qt::Key_O);
    QVERIFY(dock_->hudShown());
    QTest::keyClick(dock_->canvas(), Qt::Key_O);
    QVERIFY(!dock_->hudShown());
}

void TestGraphDock::table_twin_selects() {
    dock_->setView(scene::View::layered);
    dock_->pane()->showTable(true);
    auto* table = dock_->pane()->table();
    WAIT_UNTIL(table->model()->rowCount() ==
               (static_cast<int>(session_->currentBlock()->analysis.index->tasks())));
    const quint32 task = test::waiting_task(*session_);
    table->view()->selectRow(table->model()->rowOf(task, std::nullopt));
    QCOMPARE(session_->selectedTask(), std::optional<quint32>(task));
    session_->selectTask(task + 1);
    QCOMPARE(table->model()->task(table->view()->currentIndex().row()),
             std::optional<quint32>(task + 1));
    dock_->setView(scene::View::bipartite);
    WAIT_UNTIL(table->model()->key(0).has_value());
    table->view()->selectRow(0);
    QCOMPARE(session_->selectedKey(), table->model()->key(0));
}

void TestGraphDock::exports_are_written_data() {
    QTest::addColumn<QString>("ending");
    QTest::addColumn<QByteArray>("start");
    QTest::newRow("png") << QStringLiteral("png") << QByteArray("\x89PNG");
    QTest::newRow("svg") << QStringLiteral("svg") << QByteArray("<?xml");
    QTest::newRow("pdf") << QStringLiteral("pdf") << QByteArray("%PDF");
    QTest::newRow("dot") << QStringLiteral("dot") << QByteArray("digraph");
    QTest::newRow("graphml") << QStringLiteral("graphml") << QByteArray("<?xml");
}

void TestGraphDock::exports_are_written() {
    QFETCH(QString, ending);
    QFETCH(QByteArray, start);
    dock_->setView(scene::View::layered);
    WAIT_UNTIL(settled());
    const QTemporaryDir dir;
    const QString path = dir.filePath(QStringLiteral("view.") + ending);
    const Status done = dock_->pane()->exportTo(path);
    QVERIFY2(done.ok(), done.ok() ? "" : done.error().message.c_str());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QVERIFY2(bytes.startsWith(start), bytes.left(40).toHex().constData());
    QVERIFY(bytes.size() > 1000);
    // Text of the legend, where text is text.
    if (ending == QLatin1String("dot")) QVERIFY(bytes.contains("->"));
    if (ending == QLatin1String("png")) {
        const QImage image = QImage::fromData(bytes);
        QCOMPARE(image.width(), dock_->canvas()->width());
        QVERIFY(image.height() > dock_->canvas()->height()); // the legend is below
    }
}

void TestGraphDock::a_wrong_ending_is_an_error() {
    const QTemporaryDir dir;
    const Status done = dock_->pane()->exportTo(dir.filePath(QStringLiteral("view.gif")));
    QVERIFY(!done.ok());
    QVERIFY(done.error().message.find("gif") != std::string::npos);
    const Status nowhere = dock_->pane()->exportTo(QStringLiteral("/nonexistent/view.dot"));
    QVERIFY(!nowhere.ok());
    QVERIFY(nowhere.error().message.find("/nonexistent/view.dot") != std::string::npos);
}

void TestGraphDock::theme_is_followed() {
    auto* app = qobject_cast<QApplication*>(QCoreApplication::instance());
    ui::apply_theme(*app, scene::light_theme());
    WAIT_UNTIL(settled());
    WAIT_UNTIL(dock_->canvas()->list()->background == scene::light_theme().canvas);
    ui::apply_theme(*app, scene::dark_theme());
    WAIT_UNTIL(dock_->canvas()->list()->background == scene::dark_theme().canvas);
}

void TestGraphDock::idle_draws_nothing() {
    const quint64 drawn = dock_->canvas()->framesDrawn();
    for (int turn = 0; turn < 200; ++turn) QCoreApplication::processEvents();
    QCOMPARE(dock_->canvas()->framesDrawn(), drawn);
    dock_->setHudShown(true); // the overlay is no animation either
    WAIT_UNTIL(settled());
    const quint64 with = dock_->canvas()->framesDrawn();
    QVERIFY(with > drawn);
    for (int turn = 0; turn < 200; ++turn) QCoreApplication::processEvents();
    QCOMPARE(dock_->canvas()->framesDrawn(), with);
}

void TestGraphDock::destroyed_while_a_view_is_made() {
    for (int round = 0; round < 10; ++round) {
        auto dock = std::make_unique<GraphDock>(session_.get());
        dock->resize(400, 300);
        dock->show();
        dock->pane()->showTable(round % 2 == 0);
        dock->setView(ui::graph_views[static_cast<std::size_t>(round) % 4]);
        if (round % 3 == 0) QCoreApplication::processEvents();
        dock.reset();
        QCoreApplication::processEvents();
    }
}

void TestGraphDock::tab_order_is_reading_order() {
    dock_->resize(1400, 500);
    dock_->setView(scene::View::matrix);
    WAIT_UNTIL(settled());
    const auto* bar = dock_->findChild<ui::GraphBar*>();
    QWidget* at = segment(QStringLiteral("Layered"));
    int x = -1, seen = 0;
    for (int i = 0; i < 60 && at != dock_->canvas(); ++i, at = at->nextInFocusChain()) {
        if (!bar->isAncestorOf(at) || !at->isVisible() || at->focusPolicy() == Qt::NoFocus)
            continue;
        const int here = at->mapTo(bar, QPoint(0, 0)).x();
        QVERIFY2(here > x, qPrintable(at->accessibleName()));
        x = here;
        ++seen;
    }
    QCOMPARE(at, dock_->canvas()); // the canvas comes after the bar
    QVERIFY(seen >= 9);
}

void TestGraphDock::controls_have_names() {
    for (const auto* widget : dock_->findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisibleTo(dock_.get())) continue;
        if (qobject_cast<const QAbstractScrollArea*>(widget->parentWidget()) != nullptr) continue;
        auto* face = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
        QVERIFY(face != nullptr);
        QVERIFY2(!face->text(QAccessible::Name).isEmpty(),
                 qPrintable(QStringLiteral("%1 %2").arg(
                     QLatin1String(widget->metaObject()->className()), widget->objectName())));
    }
    QVERIFY(!dock_->canvas()->accessibleDescription().isEmpty());
    QVERIFY(!dock_->help().isEmpty());
}

QTEST_MAIN(TestGraphDock)
#include "test_graph_dock.moc"
