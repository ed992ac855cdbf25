// SIGKILL while a range is replayed into a workspace and commits overlap with the execution of
// later blocks: the workspace opens at a committed block, and the next replay ends like the serial
// one.
#include "execute/replayed_recipes.h"
#include "headers/waiting.h"
#include "store/dies_at.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>
#include <cstring>
#include <map>
#include <unistd.h>

using namespace blockloom;
using namespace blockloom::test;

namespace {

constexpr unsigned workers = 3;
constexpr std::uint32_t tasks_of_block = 40, block_count = 12;

/// What a child tells: once when its workspace is open, after each block that was reported to it,
/// and once when it is done.
struct Told {
    std::uint64_t height = 0; ///< of the reported block
    std::uint64_t calls = 0;  ///< so far: those that changed a file
};

void tell(const Told& told) {
    if (::write(STDOUT_FILENO, &told, sizeof told) != sizeof told) std::_Exit(1);
}

std::vector<execute::ReplaySource> sources(const char* recipe) {
    return tests::sources_of(recipe, tasks_of_block, block_count);
}

Result<std::unique_ptr<store::Workspace>> open(const char* folder, bool bulk) {
    store::OpenOptions how;
    how.bulk = bulk;
    how.checkpoint_every = 3;
    how.bulk_bytes = 4096; // saved in the background again and again
    return store::Workspace::open(folder, how);
}

/// The same strategy as the child's.
Result<execute::ReplaySummary> replay_into(store::Workspace& workspace, const char* recipe,
                                           const execute::BlockDone& done) {
    execute::ReplayOptions how;
    how.engine = alkanes::Engine::interpreter;
    how.strategy.strategy = execute::Strategy::speculative;
    how.strategy.workers = workers;
    SilentProgress silent;
    return execute::replay_into(workspace, sources(recipe), how, false, done, silent, {},
                                execute::JoinOptions{.beginning = {.of_chain = true}});
}

/// A child: replays until it is killed.
int work(const char* folder, const char* recipe, bool bulk, std::uint64_t last_call) {
    die_at(last_call);
    const auto fail = [](const Error& error) {
        std::fputs(error.message.c_str(), stderr);
        return 1;
    };
    {
        const auto workspace = open(folder, bulk);
        if (!workspace) return fail(workspace.error());
        tell({0, file_calls()});
        const auto done = replay_into(
            **workspace, recipe, [](const std::shared_ptr<const execute::ReplayedBlock>& block) {
                tell({block->height(), file_calls()});
                return Status();
            });
        if (!done) return fail(done.error());
    }
    tell({0, file_calls()});
    return 0;
}

struct Child {
    std::vector<Told> told;
    bool killed = false;
    /// The height of the last block that was reported to it.
    [[nodiscard]] std::uint64_t reported() const {
        std::uint64_t last = 0;
        for (const Told& each : told) last = std::max(last, each.height);
        return last;
    }
};

/// Runs a child to its end, however it comes.
Child run(const QTemporaryDir& folder, const QByteArray& recipe, bool bulk,
          std::uint64_t last_call) {
    QProcess process;
    process.start(QCoreApplication::applicationFilePath(),
                  {QStringLiteral("--work"), folder.path(), QString::fromLatin1(recipe),
                   QString::number(bulk), QString::number(last_call)});
    Child child;
    if (!process.waitForFinished(without_limit)) return child;
    child.killed = process.exitStatus() == QProcess::CrashExit;
    const QByteArray bytes = process.readAllStandardOutput();
    child.told.resize(static_cast<std::size_t>(bytes.size()) / sizeof(Told));
    if (!child.told.empty())
        std::memcpy(child.told.data(), bytes.constData(), child.told.size() * sizeof(Told));
    if (!child.killed && process.exitCode() != 0) qWarning() << process.readAllStandardError();
    return child;
}

/// What the serial run commits.
struct Truth {
    std::map<std::uint64_t, Hash256> states; ///< after each block
    std::map<std::uint64_t, Hash256> blocks;
};

} // namespace

class TestKilled : public QObject {
    Q_OBJECT

    /// Into a workspace, one block after the other.
    static Truth serial(const QByteArray& recipe) {
        QTemporaryDir folder;
        Truth truth;
        auto workspace = open(qPrintable(folder.path()), false);
        if (!workspace) qFatal("%s", workspace.error().message.c_str());
        SilentProgress silent;
        execute::ReplayOptions how;
        how.engine = alkanes::Engine::interpreter;
        const auto done = execute::replay_into(
            **workspace, sources(recipe.constData()), how, false,
            [&](const std::shared_ptr<const execute::ReplayedBlock>& block) -> Status {
                auto digest = (*workspace)->state_digest();
                if (!digest) return digest.error();
                truth.states[block->height()] = *digest;
                truth.blocks[block->height()] = block->execution->digest;
                return {};
            },
            silent, {}, execute::JoinOptions{.beginning = {.of_chain = true}});
        if (!done) qFatal("%s", done.error().message.c_str());
        return truth;
    }

private Q_SLOTS:
    void killed_while_commits_overlap_data() {
        QTest::addColumn<QByteArray>("recipe");
        QTest::addColumn<bool>("bulk");
        QTest::addColumn<int>("moments");
        // A logged commit makes two calls: at each of them.
        QTest::newRow("independent, logged") << QByteArray("independent") << false << 40;
        QTest::newRow("mixed, bulk") << QByteArray("mixed") << true << 12;
    }

    void killed_while_commits_overlap() {
        QFETCH(QByteArray, recipe);
        QFETCH(bool, bulk);
        QFETCH(int, moments);
        const Truth truth = serial(recipe);
        QCOMPARE(truth.states.size(), std::size_t{block_count});
        const std::uint64_t first = truth.states.begin()->first,
                            last = truth.states.rbegin()->first;

        std::uint64_t opened = 0, calls = 0;
        {
            QTemporaryDir folder;
            const Child whole = run(folder, recipe, bulk, 0);
            QVERIFY(!whole.killed && whole.told.size() == block_count + 2);
            opened = whole.told.front().calls;
            calls = whole.told.back().calls;
        }
        QVERIFY(calls > opened + (bulk ? block_count / 3 : block_count));
        // Moments from the opened workspace to the end, on odd and even calls.
        const std::uint64_t stride = (calls - opened) / static_cast<std::uint64_t>(moments) | 1;
        int kills = 0, within = 0;
        for (std::uint64_t call = opened + 1; call <= calls; call += stride) {
            QTemporaryDir folder;
            const Child child = run(folder, recipe, bulk, call);
            const auto workspace = open(qPrintable(folder.path()), bulk);
            QVERIFY2(workspace.ok(), workspace ? "" : workspace.error().message.c_str());
            const auto tip = (*workspace)->tip();
            kills += child.killed;
            if (!child.killed) QVERIFY(tip && tip->height == last);
            if (tip) {
                const auto digest = (*workspace)->state_digest();
                QVERIFY(digest);
                QVERIFY(truth.states.contains(tip->height));
                QCOMPARE(*digest, truth.states.at(tip->height));
                within += tip->height < last;
            }
            // A block is reported after its commit, and only a few are executed ahead.
            const std::uint64_t kept = tip ? tip->height : first - 1,
                                reported = std::max(child.reported(), first - 1);
            if (!bulk) QVERIFY(kept >= reported);
            QVERIFY(kept <= reported + workers + 1);

            const auto rest =
                replay_into(**workspace, recipe.constData(), [](const auto&) { return Status(); });
            QVERIFY2(rest.ok(), rest ? "" : rest.error().message.c_str());
            QCOMPARE(rest->state_digest, std::optional(truth.states.at(last)));
            if (kept < last) QCOMPARE(rest->committed, last - kept);
            for (const auto& [height, digest] : truth.blocks) {
                const auto record = (*workspace)->block(height);
                QVERIFY(record && *record);
                QCOMPARE((*record)->digest, digest);
            }
        }
        qInfo("%llu calls, %llu before the first block; killed at %d of them, %d in the range",
              static_cast<unsigned long long>(calls), static_cast<unsigned long long>(opened),
              kills, within);
        QVERIFY(kills > 5 && within > 3);
    }
};

int main(int argc, char** argv) {
    if (argc == 6 && argv[1] == std::string("--work"))
        return work(argv[2], argv[3], argv[4] == std::string("1"), std::stoull(argv[5]));
    const QCoreApplication app(argc, argv);
    TestKilled test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_killed.moc"
