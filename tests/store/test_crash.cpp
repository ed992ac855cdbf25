// SIGKILL at one call after the other that changes a file: a workspace opens again at a committed
// block with that block's digest.
#include "blocks.h"
#include "dies_at.h"
#include "headers/waiting.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>
#include <unistd.h>

using namespace blockloom;
using namespace blockloom::store;
using namespace blockloom::test;

namespace {

constexpr unsigned checkpoint_every = 15;
constexpr int steps = 2 * checkpoint_every + 5; ///< of a child that is not killed

/// What a child tells before each step, for its caller to rely on, and once when it is done.
struct Told {
    std::uint64_t height = 0, next = 0; ///< before and after the step
    std::uint64_t calls = 0;            ///< done: calls that changed a file, else 0
};

void tell(const Told& reported) {
    if (::write(STDOUT_FILENO, &reported, sizeof reported) != sizeof reported) std::_Exit(1);
}

std::uint64_t height_of(const Workspace& workspace) {
    return workspace.tip() ? workspace.tip()->height : 0;
}

struct Work {
    bool bulk = false, with_undo = false;
    std::size_t bulk_bytes = 0;
    std::uint64_t last_call = 0; ///< 0: it is not killed
};

Status step(Workspace& workspace, bool with_undo, int number) {
    const std::uint64_t height = height_of(workspace);
    if (!with_undo || height < 6 || number % 8 != 5) {
        tell({height, height + 1});
        const auto record = commit_block(workspace, height + 1);
        return record ? Status() : record.error();
    }
    for (std::uint64_t back = 0; back < 3; ++back) {
        tell({height - back, height - back - 1});
        if (const auto undone = workspace.undo(height - back); !undone) return undone.error();
    }
    return {};
}

/// Commits blocks, sometimes takes some back.
int work(const char* folder, const Work& how) {
    die_at(how.last_call);
    {
        const auto workspace = Workspace::open(
            folder,
            {.bulk = how.bulk, .checkpoint_every = checkpoint_every, .bulk_bytes = how.bulk_bytes});
        Status done = workspace ? Status() : workspace.error();
        for (int i = 0; done && i < steps; ++i) done = step(**workspace, how.with_undo, i);
        if (!done) {
            std::fputs(done.error().message.c_str(), stderr);
            return 1;
        }
    }
    tell({0, 0, file_calls()});
    return 0;
}

} // namespace

class TestCrash : public QObject {
    Q_OBJECT

    /// Runs a child to its end, however it comes.
    static std::vector<Told> run(const QString& folder, const Work& how, bool& killed) {
        QProcess child;
        child.start(QCoreApplication::applicationFilePath(),
                    {QStringLiteral("test_crash"), QStringLiteral("--work"), folder,
                     QString::number(how.bulk), QString::number(how.with_undo),
                     QString::number(how.bulk_bytes), QString::number(how.last_call)});
        std::vector<Told> reported;
        if (!child.waitForFinished(without_limit)) return reported;
        killed = child.exitStatus() == QProcess::CrashExit;
        const QByteArray bytes = child.readAllStandardOutput();
        reported.resize(static_cast<std::size_t>(bytes.size()) / sizeof(Told));
        if (!reported.empty())
            std::memcpy(reported.data(), bytes.constData(), reported.size() * sizeof(Told));
        if (!killed && child.exitCode() != 0) qWarning() << child.readAllStandardError();
        return reported;
    }

private Q_SLOTS:
    void killed_at_any_moment_data() {
        QTest::addColumn<bool>("bulk");
        QTest::addColumn<bool>("with_undo");
        QTest::addColumn<qulonglong>("bulk_bytes");
        const auto much = qulonglong{OpenOptions().bulk_bytes};
        QTest::newRow("logged") << false << true << much;
        QTest::newRow("bulk") << true << false << much;
        QTest::newRow("bulk with undo") << true << true << much;
        QTest::newRow("bulk, saved after every block") << true << false << qulonglong{1};
        QTest::newRow("bulk with undo, saved after every block") << true << true << qulonglong{1};
    }

    void killed_at_any_moment() {
        QFETCH(bool, bulk);
        QFETCH(bool, with_undo);
        QFETCH(qulonglong, bulk_bytes);
        Work how{bulk, with_undo, bulk_bytes, 0};
        QTemporaryDir folder;
        ReferenceChain reference;
        bool killed = false;
        const std::vector<Told> whole = run(folder.path(), how, killed);
        QVERIFY(!killed && !whole.empty());
        const std::uint64_t calls = whole.back().calls;
        QVERIFY(calls > steps / 2); // it is the database whose calls are counted
        std::uint64_t height = 0;
        const auto look = [&] {
            const auto workspace = Workspace::open(folder.path().toStdString());
            VERIFY_OK(workspace);
            height = height_of(**workspace);
            const auto digest = (*workspace)->state_digest();
            VERIFY_OK(digest);
            QCOMPARE(*digest, reference.digest(height));
        };
        look();
        QVERIFY(height > 10);
        // Moments over the whole of a child's life, its opening and its end included, on odd and
        // even calls. One starts on what the one before left.
        constexpr std::uint64_t moments = 28;
        const std::uint64_t stride = calls / moments | 1;
        int kills = 0, opening = 0;
        for (std::uint64_t call = 1; call <= calls; call += stride) {
            how.last_call = call;
            const std::uint64_t before = height;
            const std::vector<Told> reported = run(folder.path(), how, killed);
            look();
            if (QTest::currentTestFailed()) return;
            kills += killed;
            if (reported.empty()) { // killed while it opened
                ++opening;
                QVERIFY(killed);
                QCOMPARE(height, before);
                continue;
            }
            // A later child may make fewer calls than the first one.
            const Told& last = killed ? reported.back() : reported.at(reported.size() - 2);
            const auto within = [&](std::uint64_t blocks) {
                return height + blocks >= last.height && height <= last.height + blocks;
            };
            if (!killed) QCOMPARE(height, last.next);
            if (!bulk)
                QVERIFY(height == last.height || height == last.next);
            else if (bulk_bytes == 1) // one block is being saved, one waits for it
                QVERIFY(within(3));
            else if (!with_undo)
                QVERIFY(height + checkpoint_every >= last.height && height <= last.next);
        }
        qInfo("%llu calls in a whole life, killed at %d of them, %d while it opened",
              static_cast<unsigned long long>(calls), kills, opening);
        QVERIFY(opening > 0 && kills > opening + 10);
    }
};

int main(int argc, char** argv) {
    if (argc == 7 && argv[1] == std::string("--work"))
        return work(argv[2], {.bulk = argv[3] == std::string("1"),
                              .with_undo = argv[4] == std::string("1"),
                              .bulk_bytes = std::stoull(argv[5]),
                              .last_call = std::stoull(argv[6])});
    const QCoreApplication app(argc, argv);
    TestCrash test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_crash.moc"
