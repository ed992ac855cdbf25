// File ▸ Open from a node, and following its tip: the window on servers of the tests' own.
#include "docks/blocks/blocks_dock.h"
#include "docks/log_dock.h"
#include "look/table.h"
#include "models/log_model.h"
#include "models/recent_model.h"
#include "node/node_server.h"
#include "range/core_rpc.h"
#include "range/indexed_range.h"
#include "range/indexer_rpc.h"
#include "session/node_checks.h"
#include "session/runs.h"
#include "session/tip_watch.h"
#include "window/check_dialog.h"
#include "window/node_dialog.h"
#include "window/session_keeper.h"
#include "window/state_dialog.h"
#include "window/window_actions.h"
#include "window_fixture.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QDirIterator>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QToolButton>

using namespace blockloom;
using namespace blockloom::ui;
using namespace blockloom::test;

namespace {

const QString secret = QStringLiteral("S3cr3tOf7heNode");
const QByteArray name_and_secret = "alice:S3cr3tOf7heNode";

template <typename Widget> Widget* named(QWidget& in, const char* name) {
    return in.findChild<Widget*>(QString::fromLatin1(name));
}

QString text(const std::string& bytes) {
    return QString::fromStdString(bytes);
}

std::vector<std::string> hashes_of(const Session& session) {
    std::vector<std::string> hashes;
    for (const auto& block : session.range()->blocks)
        hashes.push_back(to_reversed_hex(block->block->hash));
    return hashes;
}

QByteArray content(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The range of a node, opened by a program.
OpenChoices heights(std::uint64_t from, std::optional<quint64> to = {}, bool follow = false) {
    OpenChoices choices;
    choices.chain = QStringLiteral("bitcoin");
    choices.from = from;
    choices.to = to;
    choices.follow = follow;
    return choices;
}

} // namespace

class TestOpenNode : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    IndexedRange range_;
    std::uint64_t first_ = 0; ///< height of the first block
    std::unique_ptr<CoreRpc> core_;
    std::unique_ptr<NodeServer> server_;

    [[nodiscard]] std::vector<Bytes> chain(std::size_t blocks) const {
        return {range_.raw.begin(), range_.raw.begin() + static_cast<std::ptrdiff_t>(blocks)};
    }
    [[nodiscard]] QString core() const { return QStringLiteral("core:") + text(server_->url()); }
    static std::string hash_of(const Bytes& block) {
        return to_reversed_hex(chain::list_block_bytes(block, "block").blocks.front().hash);
    }
    /// Opens the first two blocks and follows.
    bool follow(WindowFixture& fixture) {
        fixture.make();
        fixture.window->tip()->setInterval(1'000'000);
        fixture.window->open({core()}, heights(first_, {}, true));
        if (!fixture.settle()) return false;
        return fixture.window->tip()->following();
    }
    NodeDialog* ask(MainWindow& window) {
        window.commands()->open_node->trigger();
        auto* dialog = window.findChild<NodeDialog*>();
        if (dialog != nullptr) wait_until_exposed(dialog);
        return dialog;
    }
    static void write(QLineEdit* line, const QString& words) {
        line->setFocus();
        line->selectAll();
        QTest::keyClick(line, Qt::Key_Delete);
        QTest::keyClicks(line, words);
    }
    static void choose(NodeDialog& dialog, const char* kind) {
        auto* box = named<QComboBox>(dialog, "nodeKind");
        box->setCurrentIndex(box->findData(QString::fromLatin1(kind)));
    }

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", folder_.path().toUtf8()); // nobody's own workspace
        recipes::RecipeChanges changes;
        changes.blocks = 4;
        changes.tasks = 40;
        changes.contracts = 2;
        SilentProgress silent;
        const std::string blocks = folder_.filePath(QStringLiteral("blocks")).toStdString();
        const auto written = recipes::write_blocks(
            blocks, recipes::with_changes(*recipes::find_recipe("mixed"), changes), silent);
        QVERIFY(written.ok());
        auto indexed = index_folder(blocks, wasm::FuelRule::exact);
        QVERIFY2(indexed.ok(), indexed.ok() ? "" : indexed.error().message.c_str());
        range_ = *std::move(indexed);
        first_ = range_.indexed.front().height;
    }
    void init() {
        core_ = std::make_unique<CoreRpc>(first_, chain(2));
        server_ = std::make_unique<NodeServer>(
            [this](const ServedRequest& request) { return (*core_)(request); });
    }

    /// By keys and clicks; the choice is there the next time, without heights.
    void blocks_are_opened_by_height_data() {
        QTest::addColumn<QString>("kind");
        QTest::newRow("core") << QStringLiteral("core");
        QTest::newRow("rest") << QStringLiteral("rest");
    }
    void blocks_are_opened_by_height() {
        QFETCH(QString, kind);
        core_->replace(chain(4));
        WindowFixture fixture;
        fixture.make();
        MainWindow& window = *fixture.window;
        NodeDialog* dialog = ask(window);
        QVERIFY(dialog != nullptr);
        choose(*dialog, qPrintable(kind));
        auto* open = named<QPushButton>(*dialog, "nodeOpen");
        QVERIFY(!open->isEnabled());
        write(named<QLineEdit>(*dialog, "nodeUrl"), text(server_->url()));
        QVERIFY(open->isEnabled());
        write(named<QLineEdit>(*dialog, "nodeFirst"), QString::number(first_ + 1));
        write(named<QLineEdit>(*dialog, "nodeLast"), QString::number(first_ + 2));
        QVERIFY(!named<QLineEdit>(*dialog, "nodeFolder")->isVisible());
        QTest::mouseClick(open, Qt::LeftButton);
        QVERIFY(window.session()->busy());
        QVERIFY(fixture.settle());
        QCOMPARE(hashes_of(*window.session()),
                 (std::vector<std::string>{hash_of(range_.raw[1]), hash_of(range_.raw[2])}));
        QCOMPARE(window.session()->range()->blocks[0]->trace->block.height,
                 std::optional(first_ + 1));
        QVERIFY(!window.tip()->following());
        QCOMPARE(window.recent()->rowCount(), 0);
        QVERIFY2(window.windowTitle().startsWith(QStringLiteral("bitcoin · 2 blocks")),
                 qPrintable(window.windowTitle()));

        dialog = ask(window);
        QCOMPARE(dialog->choice().url, text(server_->url()));
        QCOMPARE(name_of(dialog->choice().kind), kind);
        QVERIFY(!dialog->choice().from && !dialog->choice().to);
        dialog->reject();
    }

    void without_heights_the_last_block_is_opened() {
        WindowFixture fixture;
        fixture.make();
        NodeDialog* const dialog = ask(*fixture.window);
        write(named<QLineEdit>(*dialog, "nodeUrl"), text(server_->url()));
        QTest::keyClick(dialog, Qt::Key_Return);
        QVERIFY(fixture.settle());
        QCOMPARE(hashes_of(*fixture.window->session()),
                 std::vector<std::string>{hash_of(range_.raw[1])});
        QVERIFY(fixture.window->session()->choices().from == first_ + 1);
        QVERIFY(fixture.window->session()->choices().to == first_ + 1);
    }

    /// What would be visible in records is refused while it is typed, and nothing repeats it.
    void a_secret_is_nowhere() {
        const QString credentials = folder_.filePath(QStringLiteral("credentials"));
        QFile file(credentials);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(name_and_secret + '\n');
        file.close();
        std::atomic<int> without = 0;
        NodeServer locked([&](const ServedRequest& request) {
            if (request.headers.contains("authorization")) return (*core_)(request);
            ++without;
            return Reply::with_status(401, "who?");
        });
        WindowFixture fixture;
        fixture.make();
        MainWindow& window = *fixture.window;
        NodeDialog* dialog = ask(window);
        auto* url = named<QLineEdit>(*dialog, "nodeUrl");
        auto* problem = named<QLabel>(*dialog, "nodeProblem");
        auto* open = named<QPushButton>(*dialog, "nodeOpen");
        for (const char* form : {"http://alice:%1@127.0.0.1:1", "https://node.example/?key=%1",
                                 "https://node.example/#%1"}) {
            write(url, QString::fromLatin1(form).arg(secret));
            QVERIFY2(!open->isEnabled(), form);
            QVERIFY2(problem->text().contains(QStringLiteral("credentials")), form);
            QVERIFY(!problem->text().contains(secret));
        }
        dialog->reject();
        // As an argument of the program it gets further.
        QSignalSpy failures(window.session(), &Session::failed);
        window.open({QStringLiteral("core:http://alice:%1@127.0.0.1:1").arg(secret)});
        QVERIFY(!window.session()->workName().contains(secret));
        WAIT_UNTIL(!failures.isEmpty() && !window.session()->busy());

        dialog = ask(window);
        write(named<QLineEdit>(*dialog, "nodeUrl"), text(locked.url()));
        write(named<QLineEdit>(*dialog, "nodeFirst"), QString::number(first_));
        write(named<QLineEdit>(*dialog, "nodeCredentials"), credentials);
        named<QCheckBox>(*dialog, "nodeFollow")->setChecked(true);
        QTest::mouseClick(named<QPushButton>(*dialog, "nodeOpen"), Qt::LeftButton);
        QVERIFY(fixture.settle());
        QCOMPARE(window.session()->range()->blocks.size(), std::size_t{2});
        QCOMPARE(without.load(), 0);
        QCOMPARE(window.session()->choices().credentials, credentials);
        window.keeper()->save();
        // Titles, labels, tool tips, the log, the settings and the session.
        QStringList shown{window.windowTitle(), window.tip()->words(), window.tip()->details()};
        for (const QLabel* label : window.findChildren<QLabel*>())
            shown << label->text() << label->toolTip();
        const auto* log = static_cast<LogDock*>(window.docks().log)->model();
        for (int row = 0; row < log->rowCount(); ++row)
            for (int column = 0; column < log->columnCount(); ++column)
                shown << log->index(row, column).data().toString()
                      << log->index(row, column).data(Qt::ToolTipRole).toString();
        for (const QList<QVariant>& failure : failures) shown << failure.front().toString();
        QVERIFY(shown.size() > 20);
        for (const QString& each : shown) QVERIFY2(!each.contains(secret), qPrintable(each));
        window.close();
        int files = 0;
        for (QDirIterator it(fixture.folder.path(), QDir::Files | QDir::Hidden,
                             QDirIterator::Subdirectories);
             it.hasNext(); ++files) {
            const QByteArray bytes = content(it.next());
            QVERIFY2(!bytes.contains(secret.toUtf8()) &&
                         !bytes.contains(name_and_secret.toBase64()),
                     qPrintable(it.filePath()));
        }
        QVERIFY(files >= 2);
        QVERIFY(content(fixture.settings()).contains(text(locked.url()).toUtf8()));
        QVERIFY(QFile::remove(credentials));
    }

    void opening_is_cancelled() {
        Gate gate;
        NodeServer slow([&](const ServedRequest& request) {
            gate.wait();
            return (*core_)(request);
        });
        WindowFixture fixture;
        fixture.make();
        MainWindow& window = *fixture.window;
        QSignalSpy cancelled(window.session(), &Session::cancelled);
        window.open({QStringLiteral("core:") + text(slow.url())}, heights(first_));
        QVERIFY(window.session()->busy());
        test::press(&window, Qt::Key_Period, Qt::ControlModifier);
        QVERIFY(!window.session()->busy());
        QCOMPARE(cancelled.size(), 1);
        QVERIFY(window.session()->range() == nullptr);
        gate.open();
    }

    void what_cannot_be_opened_is_said() {
        WindowFixture fixture;
        fixture.make();
        MainWindow& window = *fixture.window;
        QSignalSpy failures(window.session(), &Session::failed);
        window.open({core()}, heights(first_ + 9));
        WAIT_UNTIL(!window.session()->busy() && !failures.isEmpty());
        QVERIFY2(failures.front().front().toString().contains(
                     QStringLiteral("found %1 as the last one").arg(first_ + 1)),
                 qPrintable(failures.front().front().toString()));
        QVERIFY(window.session()->range() == nullptr);
        QVERIFY(!window.commands()->follow->isEnabled());
    }

    /// New blocks come, one is replaced, the selection stays; then it is stopped.
    void the_tip_is_followed() {
        WindowFixture fixture;
        QVERIFY(follow(fixture));
        MainWindow& window = *fixture.window;
        Session& session = *window.session();
        auto* table = static_cast<BlocksDock*>(window.docks().blocks)->table();
        const QAbstractItemModelTester tester(
            table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        auto* button = named<QToolButton>(window, "followTip");
        QVERIFY(button != nullptr && button->isVisible());
        QVERIFY(window.commands()->follow->isChecked());

        // The current block with a selected task stays, and so do rules.
        session.setCurrentRow(0);
        session.selectTask(1);
        const auto selected = session.currentBlock();
        core_->replace(chain(3));
        WAIT_UNTIL(session.range()->blocks.size() == 3 && window.isSettled());
        QCOMPARE(session.currentBlock(), selected);
        QCOMPARE(session.selectedTask(), std::optional<quint32>(1));
        QCOMPARE(table->model()->rowCount(), 3);
        QVERIFY2(window.windowTitle().startsWith(QStringLiteral("bitcoin · 3 blocks")),
                 qPrintable(window.windowTitle()));
        QVERIFY(session.choices().to == first_ + 2);

        // At the end with nothing selected, it goes along.
        session.selectTask(std::nullopt);
        session.setCurrentRow(2);
        core_->replace(chain(4));
        WAIT_UNTIL(session.range()->blocks.size() == 4 && window.isSettled());
        QCOMPARE(session.currentRow(), 3);
        QVERIFY2(button->text().contains(ui::count_text(first_ + 3)), qPrintable(button->text()));

        // Another branch: the last block again, with another time.
        std::vector<Bytes> other = chain(4);
        other[3][68] ^= 1;
        QSignalSpy replaced(window.tip(), &TipWatch::replaced);
        core_->replace(other);
        WAIT_UNTIL(hashes_of(session).back() == hash_of(other[3]) && window.isSettled());
        QCOMPARE(session.range()->blocks.size(), std::size_t{4});
        QCOMPARE(replaced.size(), 1);
        QVERIFY(replaced.front().front().toString().contains(ui::count_text(first_ + 3)));
        QCOMPARE(session.range()->left_out.size(), std::size_t{1});
        QVERIFY(session.range()->left_out.front().stale);
        QCOMPARE(table->model()->rowCount(), 5); // it is listed below
        QCOMPARE(session.currentRow(), 3);

        // A click ends it; what came stays.
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!window.tip()->following());
        QVERIFY(!button->isVisible());
        QVERIFY(!window.commands()->follow->isChecked());
        QVERIFY(window.commands()->follow->isEnabled());
        QVERIFY(!session.choices().follow);
        core_->replace(chain(2));
        const std::size_t asked = server_->count();
        window.commands()->multi_version->trigger();
        WAIT_UNTIL(!session.busy() && window.isSettled());
        QCOMPARE(session.range()->blocks.size(), std::size_t{4});
        QVERIFY(server_->count() <= asked + 4); // what was under way

        // And begins again: what went meanwhile goes.
        window.commands()->follow->trigger();
        QVERIFY(window.tip()->following());
        WAIT_UNTIL(session.range()->blocks.size() == 2 && window.isSettled());
    }

    /// While other work replaces what is shown, blocks wait; nothing is lost.
    void blocks_come_while_rules_change() {
        WindowFixture fixture;
        QVERIFY(follow(fixture));
        MainWindow& window = *fixture.window;
        Session& session = *window.session();
        core_->replace(chain(4));
        for (int i = 0; i < 6; ++i)
            (i % 2 == 0 ? window.commands()->multi_version : window.commands()->single_version)
                ->trigger();
        WAIT_UNTIL(session.range()->blocks.size() == 4 && !session.busy() && window.isSettled());
        QVERIFY(!session.showsBefore());
        for (const auto& block : session.range()->blocks)
            QVERIFY(block->analysis.index->model == conflict::ConflictModel::single_version);
        QVERIFY(window.tip()->following());
    }

    /// All blocks are replaced by fewer: the range is never empty.
    void every_block_is_replaced() {
        WindowFixture fixture;
        QVERIFY(follow(fixture));
        Session& session = *fixture.window->session();
        session.setCurrentRow(0);
        session.selectTask(0);
        std::vector<Bytes> other = chain(2);
        for (Bytes& block : other) block[68] ^= 1;
        core_->replace(other);
        WAIT_UNTIL(hashes_of(session) ==
                       (std::vector<std::string>{hash_of(other[0]), hash_of(other[1])}) &&
                   fixture.window->isSettled());
        QVERIFY(!session.selectedTask());
        QVERIFY(session.currentRow() >= 0 && session.currentRow() < 2);
        session.goBack(); // steps to blocks that are gone lead nowhere
        QVERIFY(session.currentRow() < 2);
    }

    void a_node_that_is_away_is_waited_for() {
        std::atomic<bool> away = false;
        NodeServer server([&](const ServedRequest& request) {
            if (!away) return (*core_)(request);
            return Reply::with_status(403, "later");
        });
        WindowFixture fixture;
        fixture.make();
        MainWindow& window = *fixture.window;
        window.tip()->setInterval(1'000'000);
        window.open({QStringLiteral("core:") + text(server.url())}, heights(first_, {}, true));
        QVERIFY(fixture.settle());
        away = true;
        WAIT_UNTIL(window.tip()->words().contains(QStringLiteral("does not answer")));
        QVERIFY(window.tip()->following());
        core_->replace(chain(3));
        away = false;
        WAIT_UNTIL(window.session()->range()->blocks.size() == 3 && window.isSettled());
        QVERIFY(!window.tip()->words().contains(QStringLiteral("does not answer")));
    }

    /// Closing the range or the window, or opening another one, ends it; the next start continues.
    void it_ends_with_its_range_and_is_restored() {
        WindowFixture fixture;
        QVERIFY(follow(fixture));
        fixture.window->closeRange();
        QVERIFY(!fixture.window->tip()->following());
        QVERIFY(!named<QToolButton>(*fixture.window, "followTip")->isVisible());
        fixture.window->open({core()}, heights(first_, {}, true));
        QVERIFY(fixture.settle());
        QVERIFY(fixture.window->tip()->following());
        fixture.window->open({core()}, heights(first_, first_));
        WAIT_UNTIL(!fixture.window->session()->busy() && fixture.window->isSettled());
        QVERIFY(!fixture.window->tip()->following());
        fixture.window->open({core()}, heights(first_, {}, true));
        WAIT_UNTIL(!fixture.window->session()->busy() && fixture.window->isSettled());
        fixture.window->close();
        core_->replace(chain(3)); // meanwhile
        fixture.make();
        fixture.window->tip()->setInterval(1'000'000);
        QVERIFY(fixture.window->restoreSession());
        WAIT_UNTIL(fixture.window->session()->range() &&
                   fixture.window->session()->range()->blocks.size() == 3 &&
                   fixture.window->isSettled());
        QVERIFY(fixture.window->tip()->following());
    }

    /// The folder of an indexer: from the first block on, all that it has, and what it adds.
    void a_folder_is_followed() {
        const QString folder = folder_.filePath(QStringLiteral("indexer"));
        const auto write_blocks = [&](std::size_t count) {
            NodeWriter writer(folder.toStdString(), store::NodeLayout::v9);
            write_indexer(writer, std::span(range_.indexed).first(count), SheetForm::lists);
        };
        write_blocks(3);
        WindowFixture fixture;
        fixture.make();
        MainWindow& window = *fixture.window;
        window.tip()->setInterval(1'000'000);
        NodeDialog* const dialog = ask(window);
        choose(*dialog, "database");
        auto* const follow = named<QCheckBox>(*dialog, "nodeFollow");
        QVERIFY(follow->isVisible());
        write(named<QLineEdit>(*dialog, "nodeFolder"), folder);
        write(named<QLineEdit>(*dialog, "nodeFirst"), QString::number(first_ + 1));
        if (!follow->isChecked()) QTest::mouseClick(follow, Qt::LeftButton);
        auto* const execute = named<QCheckBox>(*dialog, "nodeExecute");
        if (execute->isChecked()) QTest::mouseClick(execute, Qt::LeftButton); // needs modules
        QVERIFY(follow->isChecked());
        QVERIFY(!named<QLineEdit>(*dialog, "nodeLast")->isEnabled());
        QVERIFY(named<QPushButton>(*dialog, "nodeOpen")->isEnabled());
        QSignalSpy failures(window.session(), &Session::failed);
        QTest::mouseClick(named<QPushButton>(*dialog, "nodeOpen"), Qt::LeftButton);
        WAIT_UNTIL(!window.session()->busy() && window.isSettled());
        QVERIFY2(failures.isEmpty(), qPrintable(failures.value(0).value(0).toString()));
        QVERIFY(fixture.settle());
        QVERIFY(window.tip()->following());
        WAIT_UNTIL(window.session()->range()->blocks.size() == 2 && window.isSettled());
        QCOMPARE(hashes_of(*window.session()).back(), hash_of(range_.raw[2]));
        write_blocks(4);
        WAIT_UNTIL(window.session()->range()->blocks.size() == 3 && window.isSettled());
        QCOMPARE(hashes_of(*window.session()).back(), hash_of(range_.raw[3]));
    }

    void only_a_node_can_be_followed() {
        WindowFixture fixture;
        fixture.make();
        QVERIFY(fixture.open());
        QVERIFY(!fixture.window->commands()->follow->isEnabled());
        fixture.window->tip()->setFollowing(true);
        QVERIFY(!fixture.window->tip()->following());
        QVERIFY(fixture.window->tip()->whyNot().contains(QStringLiteral("Open from a node")));
    }

    /// Blocks by files, the state before them by an indexer's RPC: executed, and checked with it.
    void the_state_is_read_by_rpc() {
        IndexerRpc rpc(range_.indexed);
        NodeServer server([&](const ServedRequest& request) { return rpc(request); });
        WindowFixture fixture;
        fixture.make();
        MainWindow& window = *fixture.window;
        window.open({folder_.filePath(QStringLiteral("blocks"))}, heights(first_ + 2, first_ + 3));
        QVERIFY(fixture.settle());
        window.commands()->state_node->trigger();
        auto* dialog = window.findChild<StateDialog*>();
        QVERIFY(dialog != nullptr);
        wait_until_exposed(dialog);
        write(named<QLineEdit>(*dialog, "statePath"), text(server.url()));
        QTest::mouseClick(named<QPushButton>(*dialog, "stateUse"), Qt::LeftButton);
        WAIT_UNTIL(!window.session()->busy() && window.isSettled());
        const auto& blocks = window.session()->range()->blocks;
        QCOMPARE(blocks.size(), std::size_t{2});
        for (std::size_t i = 0; i < 2; ++i) {
            QVERIFY(blocks[i]->replayed);
            QVERIFY(blocks[i]->replayed->execution->digest == range_.indexed[2 + i].digest);
        }
        window.runs()->start();
        WAIT_UNTIL(window.runs()->lastMade() != nullptr && window.isSettled());
        window.commands()->check->trigger();
        WAIT_UNTIL(window.checks()->found() != nullptr && !window.session()->busy() &&
                   window.isSettled());
        QVERIFY2(window.checks()->found()->equal(),
                 range::check_words(*window.checks()->found()).c_str());
        QVERIFY(window.checks()->found()->not_compared.contains(
            "blocks whose written keys the node does not list: only keys that the replay changed "
            "were compared"));
        QCOMPARE(window.checks()->keptWith(), text(window.runs()->lastMade()->id));
    }
};

QTEST_MAIN(TestOpenNode)
#include "test_open_node.moc"
