// The window driven as a user drives it: open, select, relax a key, undo, export; by clicks and
// keys on the real widgets.
#include "canvas/scene_canvas.h"
#include "docks/blocks/blocks_dock.h"
#include "docks/contention_dock.h"
#include "docks/graph/graph_dock.h"
#include "docks/inspector/inspector_dock.h"
#include "headers/waiting.h"
#include "look/table.h"
#include "models/blocks_model.h"
#include "models/contention_model.h"
#include "window/window_actions.h"
#include "window_fixture.h"
#include "window_waits.h"

#include <QClipboard>
#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTextBrowser>

using namespace blockloom;
using namespace blockloom::ui;
using namespace blockloom::test;

namespace {

void click_cell(QTableView* table, int row, int column) {
    const QModelIndex index = table->model()->index(row, column);
    table->scrollTo(index);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(index).center());
}

/// Types a path into the open file dialog and accepts.
bool answer(QFileDialog* dialog, const QString& path) {
    if (dialog == nullptr) return false;
    auto* field = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    if (field == nullptr) return false;
    field->setText(path);
    QTest::keyClick(field, Qt::Key_Return);
    return true;
}

} // namespace

class TestDrive : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        // The platform's own file dialog cannot be driven.
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    }

    void the_whole_way() {
        WindowFixture fixture;
        QVERIFY(write_blocks(fixture.blocks(), 3, 150));
        fixture.make({1600, 1000});
        MainWindow& window = *fixture.window;
        Session& session = *window.session();

        // Open: Ctrl+Shift+O, a folder.
        test::press(&window, Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(
            answer(window.findChild<QFileDialog*>(QStringLiteral("openDialog")), fixture.blocks()));
        QVERIFY(fixture.settle());

        // A block, by click.
        Table* blocks = static_cast<BlocksDock*>(window.docks().blocks)->table();
        QCOMPARE(blocks->model()->rowCount(), 3);
        click_cell(blocks, 1, BlocksModel::Block);
        QCOMPARE(session.currentRow(), 1);
        QTest::keyClick(blocks, Qt::Key_Down);
        QCOMPARE(session.currentRow(), 2);
        QVERIFY(fixture.settle());

        // A task, on the canvas: every place is tried until one is hit.
        SceneCanvas* canvas = window.graph()->canvas();
        for (int y = 4; y < canvas->height() && !session.selectedTask(); y += 6)
            for (int x = 4; x < canvas->width() && !session.selectedTask(); x += 6)
                QTest::mouseClick(canvas, Qt::LeftButton, {}, {x, y});
        QVERIFY(session.selectedTask());
        const quint32 task = *session.selectedTask();
        auto* inspector = static_cast<InspectorDock*>(window.docks().inspector);
        const QString number = QString::number(task);
        WAIT_UNTIL(inspector->page()
                       ->toPlainText()
                       .remove(QLatin1Char(','))
                       .contains(QStringLiteral("#") + number));

        // Relax the key with the most pairs, by its tick.
        window.docks().contention->raise();
        WAIT_UNTIL(!window.docks().contention->visibleRegion().isEmpty());
        Table* keys = static_cast<ContentionDock*>(window.docks().contention)->table();
        QVERIFY(keys->model()->rowCount() > 0);
        const auto pairs = session.currentBlock()->analysis.index->pairs.any;
        click_cell(keys, 0, ContentionModel::Relax);
        QVERIFY(!session.options().policy.leaves_all());
        WAIT_UNTIL(!session.busy());
        QVERIFY(session.currentBlock()->analysis.index->pairs.any < pairs);
        QCOMPARE(session.selectedTask(), std::optional<quint32>(task)); // the selection stays
        QCOMPARE(keys->model()->index(0, ContentionModel::Relax).data(Qt::CheckStateRole).toInt(),
                 int(Qt::Checked));

        // Undo by the button that names the step. (No window manager here gives the focus back
        // after a dialog.)
        window.activateWindow();
        wait_until_active(&window);
        auto* undo = window.findChild<QPushButton*>(QStringLiteral("undoRule"));
        QVERIFY(undo->text().contains(QStringLiteral("relax")));
        QTest::mouseClick(undo, Qt::LeftButton);
        WAIT_UNTIL(!session.busy());
        QVERIFY(session.options().policy.leaves_all());
        QCOMPARE(session.currentBlock()->analysis.index->pairs.any, pairs);
        test::press(&window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier); // redo
        QVERIFY(!session.options().policy.leaves_all());
        test::press(&window, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(session.options().policy.leaves_all());

        // Selecting a key selects it everywhere.
        WAIT_UNTIL(!session.busy());
        click_cell(keys, 0, ContentionModel::Key);
        QVERIFY(session.selectedKey());

        // Export the report: Ctrl+R.
        const QString report = fixture.folder.filePath(QStringLiteral("report.html"));
        QSignalSpy written(&window, &MainWindow::reportWritten);
        test::press(&window, Qt::Key_R, Qt::ControlModifier);
        QVERIFY(answer(window.findChild<QFileDialog*>(QStringLiteral("reportDialog")), report));
        WAIT_UNTIL(written.count() == 1);
        QFile file(report);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray html = file.readAll();
        QVERIFY(html.contains("<html") && html.contains("840002"));

        // The same range as a document of several pages.
        const QString paged = fixture.folder.filePath(QStringLiteral("report.pdf"));
        WAIT_UNTIL(!session.busy());
        window.activateWindow();
        wait_until_active(&window);
        test::press(&window, Qt::Key_R, Qt::ControlModifier);
        WAIT_UNTIL(window.findChild<QFileDialog*>(QStringLiteral("reportDialog")) != nullptr);
        QVERIFY(answer(window.findChild<QFileDialog*>(QStringLiteral("reportDialog")), paged));
        WAIT_UNTIL(written.count() == 2);
        QFile pages(paged);
        QVERIFY(pages.open(QIODevice::ReadOnly));
        const QByteArray pdf = pages.readAll();
        QVERIFY(pdf.startsWith("%PDF-"));
        QVERIFY2(pdf.count("/MediaBox") >= 2, qPrintable(QString::number(pdf.count("/MediaBox"))));
    }

    void rows_copy_as_text() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        Table* table = static_cast<BlocksDock*>(fixture.window->docks().blocks)->table();
        click_cell(table, 0, BlocksModel::Tasks);
        test::press(table, Qt::Key_A, Qt::ControlModifier);
        table->setFocus();
        test::press(table, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines =
            QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 4);
        // Nothing was executed: columns of messages are hidden, and hidden columns stay out.
        QVERIFY(table->isColumnHidden(BlocksModel::Messages));
        QCOMPARE(lines.at(0).count(QLatin1Char('\t')),
                 int(BlocksModel::ColumnCount) - table->horizontalHeader()->hiddenSectionCount() -
                     1);
        QVERIFY(lines.at(1).contains(QStringLiteral("merkle root")));
    }

    void the_filter_narrows_and_says_what_is_wrong() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        auto* dock = static_cast<BlocksDock*>(fixture.window->docks().blocks);
        dock->table()->setFocus();
        test::press(dock->table(), Qt::Key_L, Qt::ControlModifier);
        WAIT_UNTIL(QApplication::focusWidget() == dock->filterField());
        QTest::keyClicks(dock->filterField(), QStringLiteral("840001"));
        QCOMPARE(dock->table()->model()->rowCount(), 1);
        QCOMPARE(fixture.window->session()->currentRow(), 0); // filtering chooses nothing
        dock->filterField()->setText(QStringLiteral("("));
        QVERIFY(dock->findChild<QWidget*>(QStringLiteral("errorBar"))->isVisible());
        dock->filterField()->clear();
        QCOMPARE(dock->table()->model()->rowCount(), 3);
        QVERIFY(!dock->findChild<QWidget*>(QStringLiteral("errorBar"))->isVisible());
    }

    void inspector_links_lead_to_other_tasks() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        Session& session = *fixture.window->session();
        const conflict::ConflictIndex& index = *session.currentBlock()->analysis.index;
        quint32 waiting = 0;
        while (waiting < index.tasks() && index.predecessors_of(waiting).empty()) ++waiting;
        QVERIFY(waiting < index.tasks());
        session.selectTask(waiting);
        auto* page = static_cast<InspectorDock*>(fixture.window->docks().inspector)->page();
        const quint32 before = index.predecessors_of(waiting).front();
        QVERIFY(page->toHtml().contains(QStringLiteral("task:%1\"").arg(before)));
        Q_EMIT page->anchorClicked(QUrl(QStringLiteral("task:%1").arg(before)));
        QCOMPARE(session.selectedTask(), std::optional<quint32>(before));
        page->setFocus();
        test::press(page, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(session.selectedTask(), std::optional<quint32>(waiting));
        test::press(page, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("Waits for")));
    }

    void a_report_that_cannot_be_written_is_told() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        for (const char* name : {"/no/such/folder/report.html", "/tmp/report.docx"}) {
            auto* bar =
                fixture.window->docks().blocks->findChild<QWidget*>(QStringLiteral("errorBar"));
            fixture.window->docks().blocks->clearError();
            fixture.window->writeReport(QString::fromLatin1(name));
            WAIT_UNTIL(bar->isVisible());
        }
    }
};

QTEST_MAIN(TestDrive)
#include "test_drive.moc"
