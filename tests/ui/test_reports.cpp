// Reports from the window: of the range, of kept runs, of a comparison; the paper, and what happens
// to a report while other work is in progress.
#include "docks/compare/compare_dock.h"
#include "docks/runs_dock.h"
#include "look/table.h"
#include "models/runs_model.h"
#include "session/runs.h"
#include "window/report_writer.h"
#include "window/window_actions.h"
#include "window_fixture.h"
#include "work_that_waits.h"

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QToolButton>

using namespace blockloom;
using namespace blockloom::ui;
using namespace blockloom::test;

namespace {

QByteArray content(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A window with kept runs of its own, in the order in which they were made.
struct RunsFixture : WindowFixture {
    QStringList ids;

    Runs& runs() { return *window->runs(); }
    RunsDock& dock() { return *static_cast<RunsDock*>(window->docks().runs); }

    bool make_runs(int count) {
        make();
        runs().setFolder(folder.filePath(QStringLiteral("kept")));
        if (!write_messages(blocks(), 40) || !open()) return false;
        while (ids.size() < count) {
            const QString last = ids.value(ids.size() - 1);
            runs().setStrategy(ids.isEmpty() ? QStringLiteral("serial")
                                             : QStringLiteral("speculative"));
            runs().start();
            WAIT_UNTIL(!window->session()->busy() && runs().lastMade() != nullptr &&
                       QString::fromStdString(runs().lastMade()->id) != last);
            ids.append(QString::fromStdString(runs().lastMade()->id));
        }
        WAIT_UNTIL(!runs().reading() && runs().comparison() != nullptr);
        return true;
    }
    QFileDialog* dialog() const {
        return window->findChild<QFileDialog*>(QStringLiteral("reportDialog"));
    }
    QString file_name() const {
        return dialog()->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->text();
    }
    /// Types a path into the open file dialog, accepts and waits for the report.
    QByteArray answer(const QString& name) {
        const QString path = folder.filePath(name);
        QSignalSpy written(window.get(), &MainWindow::reportWritten);
        auto* field = dialog()->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        field->setText(path);
        QTest::keyClick(field, Qt::Key_Return);
        WAIT_UNTIL(!written.isEmpty());
        WAIT_UNTIL(!window->session()->busy() && dialog() == nullptr);
        return content(path);
    }
};

} // namespace

class TestReports : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        // The platform's own file dialog cannot be driven.
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    }

    void reports_of_kept_runs() {
        RunsFixture fixture;
        QVERIFY(fixture.make_runs(2));
        MainWindow& window = *fixture.window;
        const QByteArray serial = fixture.ids[0].toUtf8(), parallel = fixture.ids[1].toUtf8();
        QVERIFY(window.commands()->export_runs->isEnabled());
        fixture.dock().show();
        fixture.dock().raise();
        Table* table = fixture.dock().table();
        WAIT_UNTIL(table->isVisible() && fixture.dock().model()->rowCount() == 2);

        // Ctrl+E while Runs has the focus: the run that is selected, and no other.
        table->setFocus();
        table->setCurrentIndex(table->model()->index(0, RunsModel::Run));
        QCOMPARE(fixture.dock().selectedIds(), QStringList{fixture.ids[1]});
        test::press(table, Qt::Key_E, Qt::ControlModifier);
        WAIT_UNTIL(fixture.dialog() != nullptr);
        QCOMPARE(fixture.file_name(), fixture.ids[1] + QStringLiteral(".html"));
        const QByteArray one = fixture.answer(QStringLiteral("one.html"));
        QVERIFY(one.contains("Run " + parallel) && one.contains("</html>"));
        QVERIFY(!one.contains("Comparison of two runs"));

        // The File menu: both runs are selected, so they are compared.
        table->selectAll();
        window.commands()->export_runs->trigger();
        WAIT_UNTIL(fixture.dialog() != nullptr);
        QCOMPARE(fixture.file_name(), QStringLiteral("comparison.html"));
        const QByteArray both = fixture.answer(QStringLiteral("both.html"));
        QVERIFY(both.contains("Comparison of two runs"));
        QVERIFY(both.contains(serial) && both.contains(parallel));

        // The context menu of the rows.
        auto* action = table->findChild<QAction*>(QStringLiteral("reportRunAction"));
        QVERIFY(action != nullptr && table->actions().contains(action));
        action->trigger();
        WAIT_UNTIL(fixture.dialog() != nullptr);
        const QByteArray json = fixture.answer(QStringLiteral("both.json"));
        QVERIFY(json.contains("blockloom.report/1"));
    }

    void a_report_of_the_comparison_on_the_paper_of_choice() {
        RunsFixture fixture;
        QVERIFY(fixture.make_runs(2));
        auto* compare = static_cast<CompareDock*>(fixture.window->docks().compare);
        compare->show();
        compare->raise();
        for (const auto& [paper, box] :
             {std::pair{"A4", "/MediaBox [ 0 0 595"}, {"Letter", "/MediaBox [ 0 0 612 792"}}) {
            QToolButton* button = nullptr;
            for (QToolButton* at : compare->findChildren<QToolButton*>())
                if (at->accessibleName().startsWith(QStringLiteral("Export a report of")))
                    button = at;
            QVERIFY(button != nullptr);
            WAIT_UNTIL(button->isVisible());
            QTest::mouseClick(button, Qt::LeftButton);
            WAIT_UNTIL(fixture.dialog() != nullptr);
            auto* types = fixture.dialog()->findChild<QComboBox*>(QStringLiteral("fileTypeCombo"));
            QVERIFY(types != nullptr);
            const int row = types->findText(QLatin1StringView(paper), Qt::MatchContains);
            QVERIFY2(row >= 0, paper);
            types->setFocus();
            while (types->currentIndex() < row) QTest::keyClick(types, Qt::Key_Down);
            // The name that is offered follows the format.
            QCOMPARE(fixture.file_name(), QStringLiteral("comparison.pdf"));
            // A name of its own: the dialog would ask before it replaces a file.
            const QByteArray pdf =
                fixture.answer(QLatin1StringView(paper) + QStringLiteral(".pdf"));
            QVERIFY(pdf.startsWith("%PDF-"));
            QVERIFY2(pdf.contains(box), paper);
        }
    }

    /// One run too few, or runs of different inputs: a sentence, and no dialog.
    void what_cannot_be_reported_is_named() {
        WindowFixture fixture;
        fixture.make();
        fixture.window->runs()->setFolder(fixture.folder.filePath(QStringLiteral("kept")));
        QVERIFY(fixture.open());
        WAIT_UNTIL(!fixture.window->runs()->reading());
        QVERIFY(!fixture.window->commands()->export_runs->isEnabled());
        auto* compare = static_cast<CompareDock*>(fixture.window->docks().compare);
        compare->exportView();
        const auto labels = compare->findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->text().contains(QStringLiteral("needs two runs"));
        }));
        QVERIFY(fixture.window->findChild<QFileDialog*>() == nullptr);
    }

    /// A report waits for the work in progress, and a new analysis does not cost it.
    void a_report_is_not_lost_to_other_work() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        Session& session = *fixture.window->session();
        QSignalSpy written(fixture.window.get(), &MainWindow::reportWritten);
        session.perform(work_that_waits({"executing", 0, 0}), QStringLiteral("Run"), QString());
        const QString late = fixture.folder.filePath(QStringLiteral("late.html"));
        fixture.window->writeReport(late);
        QVERIFY(session.busy() && written.isEmpty());
        session.cancel(); // the run, not the report
        WAIT_UNTIL(written.count() == 1);
        QVERIFY(content(late).contains("</html>"));
        WAIT_UNTIL(!session.busy());

        const QString again = fixture.folder.filePath(QStringLiteral("again.html"));
        fixture.window->writeReport(again);
        QCOMPARE(session.workName(), QStringLiteral("Report"));
        session.setModel(conflict::ConflictModel::multi_version);
        QCOMPARE(session.workName(), QStringLiteral("Analysis"));
        WAIT_UNTIL(written.count() == 2);
        QVERIFY(content(again).contains("</html>"));
    }

    void a_cancelled_report_says_so() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        Session& session = *fixture.window->session();
        QSignalSpy written(fixture.window.get(), &MainWindow::reportWritten);
        QSignalSpy cancelled(&session, &Session::cancelled);
        fixture.window->writeReport(fixture.folder.filePath(QStringLiteral("none.html")));
        QVERIFY(session.performs()); // so closing asks
        test::press(fixture.window.get(), Qt::Key_Period, Qt::ControlModifier);
        QCOMPARE(cancelled.count(), 1);
        QVERIFY(cancelled[0][0].toString().endsWith(QStringLiteral("; no file was written")));
        // It is not begun again; the next one is written.
        fixture.window->writeReport(fixture.folder.filePath(QStringLiteral("next.html")));
        WAIT_UNTIL(!written.isEmpty());
        QCOMPARE(written.count(), 1);
        QVERIFY(written[0][0].toString().endsWith(QStringLiteral("next.html")));
    }
};

QTEST_MAIN(TestReports)
#include "test_reports.moc"
