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
int work(const char* folder, bool bulk, bool with_undo) {
    const auto workspace =
        Workspace::open(folder, {.bulk = bulk, .checkpoint_every = checkpoint_every});
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
        QTest::newRow("logged") << false << true;
        QTest::newRow("bulk") << true << false;
        QTest::newRow("bulk with undo") << true << true;
    }

    void killed_at_any_moment() {
        QFETCH(bool, bulk);
        QFETCH(bool, with_undo);
        QTemporaryDir folder;
        ReferenceChain reference;
        std::mt19937_64 random(bulk ? 11 : 12);
        std::uint64_t highest = 0;
        for (int round = 0; round < 25; ++round) {
            QProcess child;
            child.start(QCoreApplication::applicationFilePath(),
                        {QStringLiteral("--work"), folder.path(), QString::number(bulk ? 1 : 0),
                         QString::number(with_undo ? 1 : 0)});
            QVERIFY(child.waitForStarted());
            // Every fifth is killed while it opens.
            if (round % 5 != 4)
                QVERIFY2(child.waitForReadyRead(60'000), child.readAllStandardError().constData());
            QTest::qSleep(static_cast<int>(random() % 40));
            child.kill();
            QVERIFY(child.waitForFinished());
            QCOMPARE(child.exitStatus(), QProcess::CrashExit);
            const QByteArray told = child.readAllStandardOutput();

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
            else if (!with_undo)
                QVERIFY(height + checkpoint_every >= last.height && height <= last.height + 1);
        }
        QVERIFY(highest > 2 * checkpoint_every); // the children did work
    }
};

int main(int argc, char** argv) {
    if (argc == 5 && argv[1] == std::string("--work"))
        return work(argv[2], argv[3] == std::string("1"), argv[4] == std::string("1"));
    const QCoreApplication app(argc, argv);
    TestCrash test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_crash.moc"
