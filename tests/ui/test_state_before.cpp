// Range ▸ Initial state, and Check: the window on the database of an indexer, which the tests
// write, and on a state bundle.
#include "look/table.h"
#include "models/check_model.h"
#include "models/recent_model.h"
#include "range/chain_rules.h"
#include "range/indexer_export.h"
#include "range/make_bundle.h"
#include "range/sources.h"
#include "session/node_checks.h"
#include "session/runs.h"
#include "session/saved_session.h"
#include "session/tunings.h"
#include "window/check_dialog.h"
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
        range::RangeOptions options;
        options.sources = {blocks.toStdString()};
        options.chain = "bitcoin";
        const auto sources = range::gather_sources(options, silent, {});
        if (!sources) return sources.error();
        std::vector<execute::ReplaySource> list;
        for (const range::Pending& pending : sources->pending)
            list.push_back(range::replay_source(pending));
        execute::ReplayOptions how;
        how.engine = alkanes::Engine::interpreter;
        if (const Status chosen = range::choose_rules(how, {}, sources->manifest, nullptr, false);
            !chosen)
            return chosen;
        how.fuel = wasm::FuelRule::exact;
        const auto indexed = index_blocks(list, how);
        if (!indexed) return indexed.error();
        {
            NodeWriter writer(node.toStdString(), store::NodeLayout::v9);
            write_indexer(writer, *indexed, SheetForm::lists);
        }
        std::vector<IndexedBlock> planted = *indexed;
        wrong_fuel = ++planted.back().messages.front().events.front().fuel;
        planted[2].messages.front().events.back().data += "x";
        {
            NodeWriter writer(wrong.toStdString(), store::NodeLayout::v10);
            write_indexer(writer, planted, SheetForm::messages);
        }
        before = (*indexed)[1].height;
        QDir().mkpath(later);
        for (std::size_t i = 2; i < list.size(); ++i) {
            const QString file = QString::fromStdString(list[i].block.source());
            QFile::copy(file, later + QLatin1Char('/') + QFileInfo(file).fileName());
            digests.push_back(to_hex((*indexed)[i].digest));
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
        QVERIFY(window.checks()->whyNot().contains(QStringLiteral("indexer's database")));
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
        window.commands()->open_database->trigger();
        auto* dialog = window.findChild<StateDialog*>();
        QVERIFY(dialog != nullptr);
        wait_until_exposed(dialog);
        auto* use = named<QPushButton>(*dialog, "stateUse");
        QTest::keyClicks(named<QLineEdit>(*dialog, "statePath"), indexer_.node);
        QVERIFY(!use->isEnabled());
        const QString first = QString::number(indexer_.before + 1);
        QTest::keyClicks(named<QLineEdit>(*dialog, "stateHeight"), first);
        QVERIFY(use->isEnabled());
        auto* last = named<QLineEdit>(*dialog, "stateLast");
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
        for (const char* wrong : {"{\"folder\":\"/a\",\"bundle\":\"/b\"}", "{\"access\":\"maybe\"}",
                                  "{\"height\":-1}"}) {
            const QByteArray json =
                QByteArray("{\"schema\":\"blockloom.session/1\",\"state\":") + wrong + '}';
            QVERIFY2(!saved_session(json, QStringLiteral("session")), wrong);
        }
    }
};

QTEST_MAIN(TestStateBefore)
#include "test_state_before.moc"
