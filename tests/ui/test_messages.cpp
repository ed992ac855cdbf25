// The window on a small range of Alkanes: table, figures, log, Inspector, colours, another chain.
#include "headers/waiting.h"
#include "window_fixture.h"

#include "alkanes/transaction.h"
#include "base/number_text.h"
#include "docks/blocks/blocks_dock.h"
#include "docks/graph/graph_dock.h"
#include "docks/inspector/inspector_dock.h"
#include "docks/inspector/inspector_page.h"
#include "docks/log_dock.h"
#include "docks/parts/view_pane.h"
#include "look/table.h"
#include "models/block_figures.h"
#include "models/block_words.h"
#include "models/blocks_model.h"
#include "models/log_model.h"
#include "range/message_rows.h"
#include "window/window_actions.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QFile>
#include <QTextBrowser>

namespace blockloom::ui::test_messages {

class TestMessages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(test::write_messages(fixture_.blocks(), 60));
        fixture_.make();
        fixture_.window->open({fixture_.blocks()});
        QVERIFY(fixture_.settle());
        range_ = session().range();
        QCOMPARE(range_->totals.executed, std::uint64_t{2});
    }

    void cleanupTestCase() { fixture_.window.reset(); }

    void the_table_has_what_the_messages_did() {
        BlocksModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRange(range_);
        for (int row = 0; row < 2; ++row) {
            const auto& execution =
                *range_->blocks[static_cast<std::size_t>(row)]->replayed->execution;
            const auto shown = [&](int column, int role = Qt::DisplayRole) {
                return model.index(row, column).data(role);
            };
            QCOMPARE(shown(BlocksModel::Messages, CopyRole).toULongLong(), execution.messages);
            QCOMPARE(shown(BlocksModel::Reverted, SortRole).toULongLong(),
                     execution.messages - execution.succeeded);
            QCOMPARE(shown(BlocksModel::Fuel, CopyRole).toULongLong(), execution.fuel);
            QCOMPARE(shown(BlocksModel::Fuel).toString(), fuel_text(execution.fuel));
        }
        QCOMPARE(fuel_text(61'234'567), QStringLiteral("61.2"));
        QCOMPARE(fuel_text(0), QStringLiteral("0"));
        BlockTotalsModel totals;
        totals.setRange(range_);
        QCOMPARE(totals.index(0, BlocksModel::Messages).data().toString(),
                 QString::fromStdString(blockloom::count_text(range_->totals.messages)));
        model.setRange(nullptr);
    }

    void columns_come_with_messages() {
        const auto* dock = static_cast<BlocksDock*>(fixture_.window->docks().blocks);
        for (const int column : {BlocksModel::Messages, BlocksModel::Reverted, BlocksModel::Fuel})
            QVERIFY(!dock->table()->isColumnHidden(column));
    }

    void figures_name_the_digest() {
        const auto& record = *range_->blocks.back();
        const BlockFigures figures = figures_of(record);
        QStringList words;
        for (const auto& column : {figures.left, figures.right})
            for (const Figure& figure : column)
                words.append(figure.label + QLatin1Char('=') + figure.tip);
        const QString all = words.join(QLatin1Char('\n'));
        QVERIFY(all.contains(QString::fromStdString(to_hex(record.replayed->execution->digest))));
        QVERIFY(all.contains(QStringLiteral("Host tasks")));
        QVERIFY(figures.left.first().label == QStringLiteral("Tasks"));
    }

    /// Fuel that rests on a constant in doubt is marked, and only that.
    void figures_mark_fuel_that_is_not_certain() {
        const auto fuel_of = [](const range::BlockRecord& record) {
            Figure found;
            for (const Figure& figure : figures_of(record).left)
                if (figure.label == QStringLiteral("Fuel")) found = figure;
            return found;
        };
        range::BlockRecord record = *range_->blocks.back();
        const QString certain = fuel_of(record).value;
        QVERIFY(!certain.isEmpty() && !certain.contains(QStringLiteral("uncertain")));
        auto replayed = std::make_shared<execute::ReplayedBlock>(*record.replayed);
        auto execution = std::make_shared<alkanes::BlockExecution>(*replayed->execution);
        const auto with_message =
            std::find_if(execution->transactions.begin(), execution->transactions.end(),
                         [](const auto& of) { return !of.records.empty(); });
        QVERIFY(with_message != execution->transactions.end());
        auto& message = with_message->records.front();
        message.fuel_doubt = execution->fuel_doubt = "2:5: function 3 computes one";
        execution->fuel_uncertain = 1; // as counted when the block was executed
        replayed->execution = execution;
        record.replayed = replayed;
        const Figure doubtful = fuel_of(record);
        QCOMPARE(doubtful.value, certain + QString::fromUtf8(" · uncertain"));
        QVERIFY(doubtful.tip.contains(QStringLiteral("1 message")));
        QVERIFY(doubtful.tip.contains(QStringLiteral("2:5: function 3 computes one")));
    }

    void a_line_a_block_goes_to_the_log() {
        const auto* model = fixture_.window->docks().log->findChild<LogModel*>();
        QVERIFY(model);
        int lines = 0;
        for (int row = 0; row < model->rowCount(); ++row)
            for (int column = 0; column < model->columnCount(); ++column)
                lines += model->index(row, column)
                                 .data()
                                 .toString()
                                 .contains(QStringLiteral("dependency analysis (CPU)"))
                             ? 1
                             : 0;
        QCOMPARE(lines, 2);
    }

    void the_inspector_tells_a_message_and_profiles_it() {
        session().setCurrentRow(1);
        auto* inspector = static_cast<InspectorDock*>(fixture_.window->docks().inspector);
        inspector->show();
        inspector->raise();
        const auto& record = *session().currentBlock();
        quint32 task = 0;
        while (!range::executed_task(*record.replayed->execution, task)->record().fuel_used) ++task;
        session().selectTask(task);
        const auto text = [&] { return inspector->page()->toPlainText(); };
        WAIT_UNTIL(text().contains(QStringLiteral("Host calls")));
        for (const char* words : {"Message #", "Target", "Tokens in", "State before and after",
                                  "Reads", "Waits for", "Profile this message"})
            QVERIFY2(text().contains(QLatin1StringView(words)), words);
        inspector->profile();
        WAIT_UNTIL(text().contains(QStringLiteral("Fuel of each function itself")));
        QVERIFY(!text().contains(QStringLiteral("Profile this message")));
        session().selectTask(task == 0 ? 1 : 0); // another task has no profile yet
        WAIT_UNTIL(!text().contains(QStringLiteral("Fuel of each function itself")));
    }

    void the_link_of_a_command_names_its_section() {
        range::TaskDetails details{"Message #1", "", {}};
        details.sections.push_back({"One", "", {}, {}});
        details.sections.push_back({"Two", "", {}, {}});
        details.sections.back().command = "Do it";
        QVERIFY(inspector_html(details, scene::dark_theme())
                    .contains(QStringLiteral("<a href=\"do:1\">Do it</a>")));
        QCOMPARE(parsed_link(QUrl(QStringLiteral("do:1"))).section, std::optional<quint32>(1));
        QVERIFY(!parsed_link(QUrl(QStringLiteral("do:1"))).task);
    }

    /// A row may be labelled by a key of any length: its value stays in sight.
    void long_labels_keep_both_ends() {
        const std::string key = "sheet:" + std::string(64, 'd') + ":13";
        range::TaskDetails details{"Message #1", "", {}};
        details.sections.push_back(
            {"Predicted values",
             "",
             {{key, "predicted " + std::string(80, 'a') + ": hit (" + key + ", #4)"}},
             {}});
        const QString html = inspector_html(details, scene::dark_theme());
        QVERIFY(!html.contains(QString(24, u'd')));
        QVERIFY(html.contains(QStringLiteral(":13")));
        QVERIFY(!html.contains(QString(41, u'a')));
        QVERIFY(html.contains(QStringLiteral("(dddd")));
        QVERIFY(inspector_text(details).contains(QString::fromStdString(key)));
    }

    void status_is_a_colour() {
        GraphDock* graph = fixture_.window->graph();
        graph->setColourBy(scene::ColourBy::status);
        QVERIFY(fixture_.settle());
        const auto& options = graph->pane()->shown().options;
        QCOMPARE(options.colour_by, scene::ColourBy::status);
        QVERIFY(options.failed);
        QCOMPARE(options.failed->size(),
                 std::size_t{session().currentBlock()->trace->sets.tasks()});
        graph->setColourBy(scene::ColourBy::batch);
        QVERIFY(fixture_.settle());
    }

    /// The same files by their outpoints, and back.
    void another_chain_reads_again() {
        WindowActions* actions = fixture_.window->commands();
        QVERIFY(actions->chain_auto->isChecked());
        actions->chain_bitcoin->trigger();
        WAIT_UNTIL(!session().busy());
        QVERIFY(fixture_.settle());
        QCOMPARE(session().choices().chain, QStringLiteral("bitcoin"));
        QCOMPARE(session().range()->totals.executed, std::uint64_t{0});
        const auto* dock = static_cast<BlocksDock*>(fixture_.window->docks().blocks);
        QVERIFY(dock->table()->isColumnHidden(BlocksModel::Fuel));
        actions->chain_alkanes->trigger();
        WAIT_UNTIL(!session().busy());
        QVERIFY(fixture_.settle());
        QCOMPARE(session().range()->totals.executed, std::uint64_t{2});
        QVERIFY(!dock->table()->isColumnHidden(BlocksModel::Fuel));
    }

    /// Blocks without a state below them: the reason stands in the bar, the old range stays.
    void a_missing_state_is_told() {
        const QString bare = fixture_.folder.filePath(QStringLiteral("bare"));
        QVERIFY(QDir().mkpath(bare));
        QFile block(
            QDir(fixture_.blocks()).entryInfoList({QStringLiteral("*.bin")}).last().filePath());
        QVERIFY(block.copy(bare + QStringLiteral("/one.bin")));
        QString reported;
        const auto heard = connect(&session(), &Session::failed, this,
                                   [&](const QString& message) { reported = message; });
        fixture_.window->open({bare}, {QStringLiteral("alkanes"), {}});
        WAIT_UNTIL(!reported.isEmpty());
        disconnect(heard);
        WAIT_UNTIL(!session().busy());
        QVERIFY(reported.contains(QStringLiteral("--workspace")));
        QCOMPARE(session().sources(), QStringList{fixture_.blocks()});
        QVERIFY(fixture_.window->commands()->chain_alkanes->isChecked());
    }

private:
    [[nodiscard]] Session& session() { return *fixture_.window->session(); }
    test::WindowFixture fixture_;
    std::shared_ptr<const range::Range> range_;
};

} // namespace blockloom::ui::test_messages

QTEST_MAIN(blockloom::ui::test_messages::TestMessages)
#include "test_messages.moc"
