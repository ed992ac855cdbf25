// Range ▸ Initial state, and Check: the window on the database of an indexer, which the tests
// write, and on a state bundle.
#include "docks/compare/compare_dock.h"
#include "docks/runs_dock.h"
#include "look/table.h"
#include "models/check_model.h"
#include "models/recent_model.h"
#include "models/runs_model.h"
#include "range/indexed_range.h"
#include "range/make_bundle.h"
#include "runs/run_notes.h"
#include "session/divergence_search.h"
#include "session/node_checks.h"
#include "session/runs.h"
#include "session/saved_session.h"
#include "session/tunings.h"
#include "window/check_dialog.h"
#include "window/node_dialog.h"
#include "window/session_keeper.h"
#include "window/state_dialog.h"
#include "window/window_actions.h"
#include "window_fixture.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>

using namespace blockloom;
using namespace blockloom::ui;
using namespace blockloom::test;

namespace {

/// Blocks, the database of an indexer that indexed them, one with a wrong value, and a bundle;
/// `later`: the blocks without the first two, whose state is there.
struct Indexer {
    QTemporaryDir folder;
    QString later, node, wrong, bundle;
    std::vector<std::string> digests; ///< of the later blocks
    std::uint64_t before = 0;         ///< height of the block before them
    std::uint64_t wrong_fuel = 0;

    [[nodiscard]] QString path(const char* name) const {
        return folder.filePath(QString::fromLatin1(name));
    }

    Status make() {
        const QString blocks = path("blocks");
        later = path("later");
        node = path("node");
        wrong = path("wrong");
        bundle = path("range.state");
        recipes::RecipeChanges changes;
        changes.blocks = 4;
        changes.tasks = 40;
        changes.contracts = 2;
        SilentProgress silent;
        const auto written = recipes::write_blocks(
            blocks.toStdString(), recipes::with_changes(*recipes::find_recipe("mixed"), changes),
            silent);
        if (!written) return written.error();
        const auto range = index_folder(blocks.toStdString(), wasm::FuelRule::exact);
        if (!range) return range.error();
        const std::vector<IndexedBlock>& indexed = range->indexed;
        {
            NodeWriter writer(node.toStdString(), store::NodeLayout::v9);
            write_indexer(writer, indexed, SheetForm::lists);
        }
        std::vector<IndexedBlock> planted = indexed;
        wrong_fuel = ++planted.back().messages.front().events.front().fuel;
        planted[2].messages.front().events.back().data += "x";
        {
            NodeWriter writer(wrong.toStdString(), store::NodeLayout::v10);
            write_indexer(writer, planted, SheetForm::messages);
        }
        before = indexed[1].height;
        QDir().mkpath(later);
        for (std::size_t i = 2; i < indexed.size(); ++i) {
            const QString file = QString::fromStdString(range->blocks[i].block.source());
            QFile::copy(file, later + QLatin1Char('/') + QFileInfo(file).fileName());
            digests.push_back(to_hex(indexed[i].digest));
        }
        QFile::copy(blocks + QStringLiteral("/synth.json"), later + QStringLiteral("/synth.json"));
        range::RangeOptions of_later;
        of_later.sources = {later.toStdString()};
        of_later.state.place = "metashrew:" + node.toStdString();
        const auto made = range::make_bundle(of_later, "test", silent, {});
        if (!made) return made.error();
        const auto bytes = range::bundle_bytes(*made);
        if (!bytes) return bytes.error();
        QFile file(bundle);
        if (!file.open(QIODevice::WriteOnly)) return Error{ErrorCode::system, "no file"};
        file.write(reinterpret_cast<const char*>(bytes->data()),
                   static_cast<qint64>(bytes->size()));
        return {};
    }
};

std::vector<std::string> digests_of(const Session& session) {
    std::vector<std::string> digests;
    for (const auto& block : session.range()->blocks)
        if (block->replayed) digests.push_back(to_hex(block->replayed->execution->digest));
    return digests;
}

OpenChoices read_as(const char* chain) {
    OpenChoices choices;
    choices.chain = QString::fromLatin1(chain);
    return choices;
}

template <typename Widget> Widget* named(QWidget& in, const char* name) {
    return in.findChild<Widget*>(QString::fromLatin1(name));
}

} // namespace

class TestStateBefore : public QObject {
    Q_OBJECT

    Indexer indexer_;

    /// Opens the later blocks as Bitcoin: without a state they cannot be executed.
    bool open(WindowFixture& fixture) {
        fixture.make();
        // Runs of its own: a check that was kept before would be shown again.
        fixture.window->runs()->setFolder(fixture.folder.filePath(QStringLiteral("runs")));
        fixture.window->open({indexer_.later}, read_as("bitcoin"));
        return fixture.settle();
    }
    /// Through the menu's command and the dialog, by keys and clicks.
    void choose(MainWindow& window, QAction* action, const QString& path,
                const QString& access = {}) {
        QVERIFY(action->isEnabled());
        action->trigger();
        auto* dialog = window.findChild<StateDialog*>();
        QVERIFY(dialog != nullptr);
        wait_until_exposed(dialog);
        auto* line = named<QLineEdit>(*dialog, "statePath");
        line->selectAll();
        QTest::keyClicks(line, path);
        if (!access.isEmpty()) {
            auto* box = named<QComboBox>(*dialog, "stateAccess");
            box->setCurrentIndex(box->findData(access));
        }
        QTest::mouseClick(named<QPushButton>(*dialog, "stateUse"), Qt::LeftButton);
        WAIT_UNTIL(!window.session()->busy() && window.isSettled());
    }

private Q_SLOTS:
    void initTestCase() {
        const Status made = indexer_.make();
        QVERIFY2(made.ok(), made.ok() ? "" : made.error().message.c_str());
    }

    void a_range_is_executed_on_an_indexers_database() {
        const std::string print = fingerprint(indexer_.node.toStdString());
        WindowFixture fixture;
        QVERIFY(open(fixture));
        MainWindow& window = *fixture.window;
        WindowActions& commands = *window.commands();
        QVERIFY(digests_of(*window.session()).empty());
        QVERIFY(!commands.state_none->isEnabled());
        QVERIFY(!commands.check->isEnabled());
        choose(window, commands.state_database, indexer_.node, QStringLiteral("stopped"));
        QCOMPARE(digests_of(*window.session()), indexer_.digests);
        auto* origin = named<QLabel>(window, "stateOrigin");
        QVERIFY2(origin->text().startsWith(QStringLiteral("State: metashrew:%1, after block %2")
                                               .arg(indexer_.node)
                                               .arg(indexer_.before)),
                 qPrintable(origin->text()));
        QCOMPARE(window.session()->choices().state.access, QStringLiteral("stopped"));

        // Run, verify and tune use it.
        Runs& runs = *window.runs();
        runs.setVerifies(true);
        runs.start();
        WAIT_UNTIL(runs.lastMade() != nullptr && window.isSettled());
        QVERIFY(runs.lastMade()->verified.value_or(false));
        QVERIFY(!runs.lastMade()->state.empty());
        const QString id = QString::fromStdString(runs.lastMade()->id);
        QVERIFY2(runs.whyNotVerify(id).isEmpty(), qPrintable(runs.whyNotVerify(id)));
        QSignalSpy failures(window.session(), &Session::failed);
        runs.verify(id);
        WAIT_UNTIL(!window.session()->busy() && window.isSettled());
        QVERIFY2(failures.isEmpty(), qPrintable(failures.value(0).value(0).toString()));
        QVERIFY(runs.find(id)->verification.has_value());
        QVERIFY(window.session()->rangeOptions().state.place ==
                "metashrew:" + indexer_.node.toStdString());

        // The next start has it again.
        window.close();
        fixture.make();
        QVERIFY(fixture.window->restoreSession());
        QVERIFY(fixture.settle());
        QCOMPARE(digests_of(*fixture.window->session()), indexer_.digests);
        QCOMPARE(fixture.window->session()->choices().state.folder, indexer_.node);

        // None: only read again.
        fixture.window->commands()->chain_bitcoin->trigger();
        WAIT_UNTIL(!fixture.window->session()->busy() && fixture.window->isSettled());
        QVERIFY(fixture.window->session()->choices().state.given());
        fixture.window->commands()->state_none->trigger();
        WAIT_UNTIL(!fixture.window->session()->busy() && fixture.window->isSettled());
        QVERIFY(digests_of(*fixture.window->session()).empty());
        QVERIFY(!fixture.window->session()->choices().state.given());
        QVERIFY(fingerprint(indexer_.node.toStdString()) == print);
    }

    void a_range_is_executed_on_a_bundle() {
        WindowFixture fixture;
        QVERIFY(open(fixture));
        MainWindow& window = *fixture.window;
        choose(window, window.commands()->state_bundle, indexer_.bundle);
        QCOMPARE(digests_of(*window.session()), indexer_.digests);
        QVERIFY(window.session()->choices().state.folder.isEmpty());
        QVERIFY(!window.commands()->check->isEnabled());
        QVERIFY(window.checks()->whyNot().contains(QStringLiteral("from an indexer")));
    }

    void what_cannot_be_opened_is_said_and_loses_nothing_data() {
        QTest::addColumn<bool>("bundle");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("says");
        QTest::newRow("no folder")
            << false << QStringLiteral("/nowhere/node") << QStringLiteral("/nowhere/node");
        QTest::newRow("no database") << false << QDir::tempPath() << QStringLiteral("CURRENT");
        QTest::newRow("no file") << true << QStringLiteral("/nowhere/x.state")
                                 << QStringLiteral("/nowhere/x.state");
        QTest::newRow("no bundle") << true << QStringLiteral("SYNTH") << QStringLiteral("gzip");
    }
    void what_cannot_be_opened_is_said_and_loses_nothing() {
        QFETCH(bool, bundle);
        QFETCH(QString, path);
        QFETCH(QString, says);
        if (path == QLatin1String("SYNTH")) path = indexer_.later + QStringLiteral("/synth.json");
        WindowFixture fixture;
        QVERIFY(open(fixture));
        MainWindow& window = *fixture.window;
        const auto range = window.session()->range();
        QSignalSpy failures(window.session(), &Session::failed);
        const WindowActions& commands = *window.commands();
        choose(window, bundle ? commands.state_bundle : commands.state_database, path);
        QCOMPARE(failures.size(), 1);
        const QString message = failures.front().front().toString();
        QVERIFY2(message.contains(says), qPrintable(message));
        QVERIFY2(!message.contains(QStringLiteral("--state:")), qPrintable(message));
        QCOMPARE(window.session()->range(), range);
        QVERIFY(!window.session()->choices().state.given());
    }

    void opening_on_a_state_is_cancelled() {
        WindowFixture fixture;
        QVERIFY(open(fixture));
        MainWindow& window = *fixture.window;
        const auto range = window.session()->range();
        OpenChoices choices = read_as("alkanes");
        choices.state.folder = indexer_.node;
        window.open({indexer_.later}, choices);
        QVERIFY(window.session()->busy()); // the call has returned, the work has not ended
        window.commands()->cancel->trigger();
        WAIT_UNTIL(!window.session()->busy() && window.isSettled());
        QCOMPARE(window.session()->range(), range);
        QVERIFY(!window.session()->choices().state.given());
    }

    void the_dialog_refuses_what_is_no_height() {
        StateChoice before;
        before.folder = QStringLiteral("/data");
        before.height = 7;
        before.label = QStringLiteral("x");
        before.fork = QStringLiteral("/fork");
        before.access = QStringLiteral("running");
        StateDialog dialog(StateDialog::Place::database, before);
        dialog.show();
        QVERIFY(dialog.choice() == before);
        auto* use = named<QPushButton>(dialog, "stateUse");
        auto* height = named<QLineEdit>(dialog, "stateHeight");
        auto* problem = named<QLabel>(dialog, "stateProblem");
        QVERIFY(use->isEnabled() && problem->text().isEmpty());
        height->selectAll();
        QTest::keyClicks(height, QStringLiteral("8a"));
        QVERIFY(!use->isEnabled());
        QVERIFY(problem->text().contains(QStringLiteral("8a")));
        height->clear();
        QVERIFY(use->isEnabled());
        QVERIFY(!dialog.choice().height.has_value());
        named<QLineEdit>(dialog, "statePath")->clear();
        QVERIFY(!use->isEnabled());
    }

    /// Blocks and state from one folder, by height.
    void blocks_of_a_database_are_opened() {
        WindowFixture fixture;
        fixture.make();
        MainWindow& window = *fixture.window;
        window.commands()->open_node->trigger();
        auto* dialog = window.findChild<NodeDialog*>();
        QVERIFY(dialog != nullptr);
        wait_until_exposed(dialog);
        auto* kind = named<QComboBox>(*dialog, "nodeKind");
        kind->setCurrentIndex(kind->findData(QStringLiteral("database")));
        auto* use = named<QPushButton>(*dialog, "nodeOpen");
        QTest::keyClicks(named<QLineEdit>(*dialog, "nodeFolder"), indexer_.node);
        QVERIFY(!use->isEnabled());
        const QString first = QString::number(indexer_.before + 1);
        QTest::keyClicks(named<QLineEdit>(*dialog, "nodeFirst"), first);
        QVERIFY(use->isEnabled());
        auto* last = named<QLineEdit>(*dialog, "nodeLast");
        QTest::keyClicks(last, QString::number(indexer_.before));
        QVERIFY(!use->isEnabled());
        last->selectAll();
        QTest::keyClicks(last, QString::number(indexer_.before + 2));
        // The blocks are there and executed; but they were generated, so the modules of mainnet's
        // built-in contracts, which nobody gave, do not belong to them: none is made up.
        QSignalSpy failures(window.session(), &Session::failed);
        QTest::mouseClick(use, Qt::LeftButton);
        WAIT_UNTIL(!window.session()->busy() && window.isSettled());
        QCOMPARE(failures.size(), 1);
        const QString message = failures.front().front().toString();
        QVERIFY2(message.contains(QStringLiteral("expected the module")), qPrintable(message));

        OpenChoices choices = read_as("bitcoin");
        choices.from = indexer_.before + 1;
        choices.to = indexer_.before + 2;
        window.open({QStringLiteral("metashrew:") + indexer_.node}, choices);
        QVERIFY(fixture.settle());
        QCOMPARE(window.session()->range()->blocks.size(), std::size_t{2});
        QCOMPARE(window.session()->range()->blocks.front()->trace->block.height,
                 std::optional(indexer_.before + 1));
        const SavedSession saved = [&] {
            SavedSession made;
            made.sources = window.session()->sources();
            made.choices = window.session()->choices();
            made.choices.follow = true;
            return made;
        }();
        const auto read = saved_session(to_json(saved), QStringLiteral("session"));
        QVERIFY(read && *read == saved);
        QCOMPARE(window.recent()->rowCount(), 0);
    }

    void a_check_that_is_equal() {
        WindowFixture fixture;
        QVERIFY(open(fixture));
        MainWindow& window = *fixture.window;
        choose(window, window.commands()->state_database, indexer_.node);
        window.runs()->setStrategy(QStringLiteral("speculative"));
        window.runs()->setWorkers(2);
        QVERIFY(window.commands()->check->isEnabled());
        window.commands()->check->trigger();
        QVERIFY(window.session()->performs());
        QCOMPARE(window.session()->workName(), QStringLiteral("Check"));
        WAIT_UNTIL(window.checks()->found() != nullptr && !window.session()->busy());
        const auto found = window.checks()->found();
        QVERIFY2(found->equal(), range::check_words(*found).c_str());
        auto* dialog = window.findChild<CheckDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        const QString summary = named<QLabel>(*dialog, "checkSummary")->text();
        QVERIFY2(summary.contains(QStringLiteral("equal: ")), qPrintable(summary));
        QVERIFY(named<QLabel>(*dialog, "checkNotCompared")
                    ->text()
                    .contains(QStringLiteral("keys of the indexer's own")));
        QCOMPARE(dialog->table()->model()->rowCount(), 0);
    }

    void a_check_that_finds_differences() {
        WindowFixture fixture;
        fixture.make();
        OpenChoices choices = read_as("alkanes");
        choices.state.folder = indexer_.wrong;
        choices.fuel = QStringLiteral("exact");
        fixture.window->open({indexer_.later}, choices);
        QVERIFY(fixture.settle());
        MainWindow& window = *fixture.window;
        window.commands()->check->trigger();
        WAIT_UNTIL(window.checks()->found() != nullptr && !window.session()->busy());
        auto* dialog = window.findChild<CheckDialog*>();
        QVERIFY(dialog != nullptr);
        QAbstractItemModel& rows = *dialog->table()->model();
        const QAbstractItemModelTester tester(
            &rows, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(rows.rowCount(), 2);
        const auto text = [&rows](int row, int column) {
            return rows.index(row, column).data(CopyRole).toString();
        };
        QCOMPARE(text(0, CheckModel::Field), QStringLiteral("data"));
        QCOMPARE(text(1, CheckModel::Field), QStringLiteral("fuel"));
        QVERIFY2(text(1, CheckModel::Node).remove(QLatin1Char(',')) ==
                     QString::number(indexer_.wrong_fuel),
                 qPrintable(text(1, CheckModel::Node)));
        QVERIFY(text(1, CheckModel::Node) != text(1, CheckModel::Replay));

        // Both sides of a difference can be read in a small window.
        dialog->resize(820, 460);
        WAIT_UNTIL(dialog->width() == 820);
        QCOMPARE(dialog->table()->horizontalScrollBar()->maximum(), 0);

        // Filters: by field, block and text.
        auto* field = named<QComboBox>(*dialog, "checkField");
        auto* block = named<QComboBox>(*dialog, "checkBlock");
        auto* filter = named<QLineEdit>(*dialog, "checkText");
        field->setCurrentIndex(field->findText(QStringLiteral("fuel")));
        QCOMPARE(rows.rowCount(), 1);
        QCOMPARE(text(0, CheckModel::Field), QStringLiteral("fuel"));
        field->setCurrentIndex(0);
        QCOMPARE(block->count(), 3);
        block->setCurrentIndex(1);
        QCOMPARE(rows.rowCount(), 1);
        QCOMPARE(text(0, CheckModel::Field), QStringLiteral("data"));
        block->setCurrentIndex(0);
        QTest::keyClicks(filter, QStringLiteral("^fu"));
        QCOMPARE(rows.rowCount(), 1);
        QTest::keyClicks(filter, QStringLiteral("("));
        QVERIFY(!filter->toolTip().isEmpty());
        filter->clear();
        QCOMPARE(rows.rowCount(), 2);

        // A row leads to its task.
        const int here = window.session()->currentRow();
        dialog->table()->setCurrentIndex(rows.index(here == 0 ? 1 : 0, CheckModel::Field));
        QVERIFY(window.session()->currentRow() != here);
        QVERIFY(window.session()->selectedTask().has_value());

        // Other rules of the analysis change nothing that was compared.
        window.commands()->multi_version->trigger();
        WAIT_UNTIL(!window.session()->busy() && window.isSettled());
        QCOMPARE(rows.rowCount(), 2);

        // Another range: the result is not about it.
        QSignalSpy changes(window.checks(), &NodeChecks::changed);
        window.commands()->chain_bitcoin->trigger();
        WAIT_UNTIL(!window.session()->busy() && window.isSettled());
        QVERIFY(!changes.isEmpty() && window.checks()->found() == nullptr);
        QCOMPARE(rows.rowCount(), 0);
    }

    /// A check is kept with the run of the same results, whichever came first, and is there again
    /// when the range is opened, and when the run is asked for it.
    void a_check_is_kept_with_its_run_data() {
        QTest::addColumn<bool>("check_first");
        QTest::newRow("run, then check") << false;
        QTest::newRow("check, then run") << true;
    }
    void a_check_is_kept_with_its_run() {
        QFETCH(bool, check_first);
        WindowFixture fixture;
        fixture.make();
        MainWindow* window = fixture.window.get();
        window->runs()->setFolder(fixture.folder.filePath(QStringLiteral("runs")));
        OpenChoices choices = read_as("alkanes");
        choices.state.folder = indexer_.wrong;
        choices.fuel = QStringLiteral("exact");
        window->open({indexer_.later}, choices);
        QVERIFY(fixture.settle());
        QVERIFY(!window->commands()->show_check->isEnabled());
        const auto check = [&] {
            window->commands()->check->trigger();
            WAIT_UNTIL(window->checks()->found() != nullptr && !window->session()->busy() &&
                       window->isSettled());
        };
        const auto kept_words = [&] {
            return named<QLabel>(*window->findChild<CheckDialog*>(), "checkKept")->text();
        };
        if (check_first) {
            check();
            QVERIFY(window->checks()->keptWith().isEmpty());
            QVERIFY2(kept_words().startsWith(QStringLiteral("Not kept")), qPrintable(kept_words()));
        }
        window->runs()->start();
        WAIT_UNTIL(window->runs()->lastMade() != nullptr && window->isSettled());
        if (!check_first) check();
        const QString id = QString::fromStdString(window->runs()->lastMade()->id);
        WAIT_UNTIL(window->runs()->find(id)->check.has_value() && window->isSettled());
        QCOMPARE(window->checks()->keptWith(), id);
        QVERIFY2(kept_words().contains(id), qPrintable(kept_words()));
        const range::NodeCheck found = *window->checks()->found();
        const auto same = [&found](const range::NodeCheck& other) {
            return other.place == found.place && other.total().values == found.total().values &&
                   other.differences.size() == 2 && other.not_compared == found.not_compared &&
                   other.differences[1].node == found.differences[1].node;
        };
        QVERIFY(same(*window->runs()->find(id)->check));
        const auto how = window->runs()->find(id)->strategy;

        // The next start has it again; so has the run itself, with another range open.
        window->close();
        fixture.make();
        window = fixture.window.get();
        window->runs()->setFolder(fixture.folder.filePath(QStringLiteral("runs")));
        QVERIFY(window->restoreSession());
        WAIT_UNTIL(window->checks()->found() != nullptr && window->isSettled());
        QCOMPARE(window->checks()->keptWith(), id);
        QVERIFY(same(*window->checks()->found()));
        QVERIFY(window->findChild<CheckDialog*>() == nullptr); // only when asked for
        window->commands()->show_check->trigger();
        QVERIFY(window->findChild<CheckDialog*>()->isVisible());
        window->commands()->chain_bitcoin->trigger();
        WAIT_UNTIL(!window->session()->busy() && window->isSettled());
        QVERIFY(window->checks()->found() == nullptr);
        auto* dock = static_cast<RunsDock*>(window->docks().runs);
        auto* action = dock->findChild<QAction*>(QStringLiteral("showCheckAction"));
        QVERIFY(action != nullptr && action->isEnabled());
        action->trigger();
        QVERIFY(window->checks()->found() != nullptr && same(*window->checks()->found()));
        const QString tip = dock->model()
                                ->index(dock->model()->rowOf(id), RunsModel::Verified)
                                .data(Qt::ToolTipRole)
                                .toString();
        QVERIFY2(tip.contains(QStringLiteral("2 differences")), qPrintable(tip));
        QCOMPARE(window->runs()->find(id)->strategy, how);
    }

    /// Tuning and the search for a divergence execute on the chosen state, too: without it, these
    /// blocks cannot be executed at all.
    void tuning_and_divergence_use_it() {
        WindowFixture fixture;
        QVERIFY(open(fixture));
        MainWindow& window = *fixture.window;
        choose(window, window.commands()->state_database, indexer_.node);
        Tunings& tunings = *window.tunings();
        runs::TuningSpace space;
        space.strategies = {execute::Strategy::serial};
        tunings.setSpace(space);
        tunings.setSeconds(1);
        QVERIFY2(tunings.whyNot().isEmpty(), qPrintable(tunings.whyNot()));
        QSignalSpy failures(window.session(), &Session::failed);
        QSignalSpy not_tuned(&tunings, &Tunings::failed);
        tunings.sweep();
        WAIT_UNTIL(tunings.doing() == Tunings::Doing::nothing && window.isSettled());
        QVERIFY2(not_tuned.isEmpty() && failures.isEmpty(),
                 qPrintable(not_tuned.value(0).value(0).toString()));
        const auto tuned = tunings.seen().tuning;
        QVERIFY(tuned != nullptr);
        QCOMPARE(tuned->digests.size(), indexer_.digests.size());
        for (std::size_t i = 0; i < tuned->digests.size(); ++i)
            QCOMPARE(to_hex(tuned->digests[i]), indexer_.digests[i]);

        window.runs()->start();
        WAIT_UNTIL(window.runs()->lastMade() != nullptr && window.isSettled());
        const runs::KeptRun made = *window.runs()->lastMade();
        const QString id = QString::fromStdString(made.id),
                      wrong = QStringLiteral("99990101-wrong");
        {
            const auto kept = open_runs(window.runs()->folder());
            QVERIFY(kept.ok());
            const auto document = kept->load(made.id);
            QVERIFY(document && *document);
            QString text = QString::fromStdString(**document);
            text.replace(id, wrong);
            text.replace(QString::fromStdString(made.blocks[1].digest),
                         QString(64, QLatin1Char('0')));
            QVERIFY(kept->keep(wrong.toStdString(), "", text.toStdString()));
        }
        window.runs()->reload();
        WAIT_UNTIL(window.runs()->find(wrong) != nullptr && window.isSettled());
        window.runs()->choose(Runs::Side::a, id);
        window.runs()->choose(Runs::Side::b, wrong);
        WAIT_UNTIL(window.runs()->comparison() != nullptr && window.isSettled());
        DivergenceSearch& search = *static_cast<CompareDock*>(window.docks().compare)->search();
        search.start();
        WAIT_UNTIL(!search.running());
        QVERIFY2(search.error().isEmpty(), qPrintable(search.error()));
        QVERIFY(search.found() != nullptr);
        QCOMPARE(search.found()->again_a, made.blocks[1].digest);
        QCOMPARE(search.found()->again_b, made.blocks[1].digest);
        // Somewhere else than where the runs read it: they have no state.
        WAIT_UNTIL(!window.session()->busy() && window.isSettled());
        choose(window, window.commands()->state_bundle, indexer_.bundle);
        window.runs()->choose(Runs::Side::a, id);
        window.runs()->choose(Runs::Side::b, wrong);
        WAIT_UNTIL(window.runs()->comparison() != nullptr && window.isSettled());
        search.start();
        WAIT_UNTIL(!search.running());
        QVERIFY(search.found() == nullptr && !search.error().isEmpty());
    }

    /// Other results are another run: its check is not theirs.
    void a_check_is_not_kept_with_a_run_of_other_results() {
        range::NodeCheck check;
        check.blocks.resize(1);
        check.blocks[0].hash[0] = 1;
        check.blocks[0].digest[0] = 2;
        runs::KeptRun run;
        QVERIFY(!runs::is_of_run(check, run));
        run.blocks.resize(1);
        run.blocks[0].hash = to_reversed_hex(check.blocks[0].hash);
        run.blocks[0].digest = to_hex(check.blocks[0].digest);
        QVERIFY(runs::is_of_run(check, run));
        run.blocks[0].digest[0] = 'f';
        QVERIFY(!runs::is_of_run(check, run));
        run.blocks[0].digest = to_hex(check.blocks[0].digest);
        run.blocks.push_back(run.blocks[0]);
        QVERIFY(!runs::is_of_run(check, run));
    }

    void a_check_that_is_cancelled() {
        WindowFixture fixture;
        QVERIFY(open(fixture));
        MainWindow& window = *fixture.window;
        choose(window, window.commands()->state_database, indexer_.node);
        window.commands()->check->trigger();
        QVERIFY(window.checks()->running());
        window.commands()->cancel->trigger();
        WAIT_UNTIL(!window.session()->busy());
        QVERIFY(!window.checks()->running());
        QVERIFY(window.checks()->found() == nullptr);
        QVERIFY(window.findChild<CheckDialog*>() == nullptr);
        QCOMPARE(digests_of(*window.session()), indexer_.digests); // the range is still there
    }

    void the_choice_is_saved() {
        SavedSession saved;
        saved.sources = {QStringLiteral("/blocks")};
        saved.choices.state.folder = QStringLiteral("/data/node");
        saved.choices.state.fork = QStringLiteral("/data/fork");
        saved.choices.state.label = QStringLiteral("main");
        saved.choices.state.access = QStringLiteral("running");
        saved.choices.state.height = 892'613;
        auto read = saved_session(to_json(saved), QStringLiteral("session"));
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().message.c_str());
        QVERIFY(*read == saved);
        saved.choices.state = {};
        saved.choices.state.bundle = QStringLiteral("/x.state");
        read = saved_session(to_json(saved), QStringLiteral("session"));
        QVERIFY(read && *read == saved);
        saved.choices.state = {};
        saved.choices.state.url = QStringLiteral("https://node.example");
        saved.choices.state.credentials = QStringLiteral("/home/me/credentials");
        saved.choices.state.certificates = QStringLiteral("/home/me/ca.pem");
        read = saved_session(to_json(saved), QStringLiteral("session"));
        QVERIFY(read && *read == saved);
        for (const char* wrong :
             {"{\"folder\":\"/a\",\"bundle\":\"/b\"}", "{\"folder\":\"/a\",\"url\":\"http://b\"}",
              "{\"access\":\"maybe\"}", "{\"height\":-1}"}) {
            const QByteArray json =
                QByteArray("{\"schema\":\"blockloom.session/1\",\"state\":") + wrong + '}';
            QVERIFY2(!saved_session(json, QStringLiteral("session")), wrong);
        }
    }
};

QTEST_MAIN(TestStateBefore)
#include "test_state_before.moc"
