// SIGKILL at random moments, over and over: a workspace opens again at a committed block with that
// block's digest.
#include "blocks.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstdio>
#include <unistd.h>

using namespace blockloom;
using namespace blockloom::store;
using namespace blockloom::test;

namespace {

constexpr unsigned checkpoint_every = 15;

/// What a child tells after each step that its caller may rely on.
struct Told {
    std::uint64_t height = 0;
};

void tell(const Workspace& workspace) {
    const Told told{workspace.tip() ? workspace.tip()->height : 0};
    if (::write(STDOUT_FILENO, &told, sizeof told) != sizeof told) std::_Exit(1);
}

/// Commits blocks without end, sometimes takes some back. Killed by its parent.
int work(const char* folder, bool bulk, bool with_undo, std::size_t bulk_bytes) {
    const auto workspace = Workspace::open(
        folder, {.bulk = bulk, .checkpoint_every = checkpoint_every, .bulk_bytes = bulk_bytes});
    if (!workspace) {
        std::fputs(workspace.error().message.c_str(), stderr);
        return 1;
    }
    std::mt19937_64 random(static_cast<std::uint64_t>(::getpid()));
    for (;;) {
        tell(**workspace);
        const std::uint64_t tip = (*workspace)->tip() ? (*workspace)->tip()->height : 0;
        if (with_undo && tip > 5 && random() % 10 == 0) {
            for (std::uint64_t back = 0; back < 3; ++back) {
                if (!(*workspace)->undo(tip - back)) return 2;
                tell(**workspace);
            }
        } else if (const auto record = commit_block(**workspace, tip + 1); !record) {
            std::fputs(record.error().message.c_str(), stderr);
            return 3;
        }
    }
}

} // namespace

class TestCrash : public QObject {
    Q_OBJECT

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
        QTemporaryDir folder;
        ReferenceChain reference;
        std::mt19937_64 random(bulk ? 11 : 12);
        std::uint64_t highest = 0;
        for (int round = 0; round < 20; ++round) {
            QProcess child;
            child.start(QCoreApplication::applicationFilePath(),
                        {QStringLiteral("--work"), folder.path(), QString::number(bulk ? 1 : 0),
                         QString::number(with_undo ? 1 : 0), QString::number(bulk_bytes)});
            QVERIFY(child.waitForStarted());
            // Every fifth is killed while it opens, the others after some steps.
            QByteArray told;
            const qsizetype steps =
                round % 5 == 4 ? 0 : 1 + static_cast<qsizetype>(random() % (3 * checkpoint_every));
            while (told.size() < steps * qsizetype{sizeof(Told)}) {
                QVERIFY2(child.waitForReadyRead(60'000), child.readAllStandardError().constData());
                told += child.readAllStandardOutput();
            }
            QTest::qSleep(static_cast<int>(random() % 10));
            child.kill();
            QVERIFY(child.waitForFinished());
            QCOMPARE(child.exitStatus(), QProcess::CrashExit);
            told += child.readAllStandardOutput();

            const auto workspace = Workspace::open(folder.path().toStdString());
            VERIFY_OK(workspace);
            const std::uint64_t height = (*workspace)->tip() ? (*workspace)->tip()->height : 0;
            const auto digest = (*workspace)->state_digest();
            VERIFY_OK(digest);
            QCOMPARE(*digest, reference.digest(height));
            highest = std::max(highest, height);
            if (told.size() < qsizetype{sizeof(Told)}) continue;
            Told last;
            std::memcpy(&last,
                        told.constData() +
                            (told.size() / qsizetype{sizeof last} - 1) * qsizetype{sizeof last},
                        sizeof last);
            // The step after the last one that was told may have been finished.
            if (!bulk)
                QVERIFY(height + 1 >= last.height && height <= last.height + 1);
            else if (bulk_bytes == 1) // one block is being saved, one waits for it
                QVERIFY(height + 3 >= last.height && height <= last.height + 3);
            else if (!with_undo)
                QVERIFY(height + checkpoint_every >= last.height && height <= last.height + 1);
        }
        QVERIFY(highest > 2 * checkpoint_every); // the children did work
    }
};

int main(int argc, char** argv) {
    if (argc == 6 && argv[1] == std::string("--work"))
        return work(argv[2], argv[3] == std::string("1"), argv[4] == std::string("1"),
                    std::stoull(argv[5]));
    const QCoreApplication app(argc, argv);
    TestCrash test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_crash.moc"
