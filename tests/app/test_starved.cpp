// The command line on machines that lack something: the digest of a machine that has it, or status
// 3 with a sentence (docs/reliability.md). tests/starved does the same inside the engine.
#include "program.h"

using namespace blockloom::test;

namespace {

QString text(const char* words) {
    return QString::fromUtf8(words);
}

} // namespace

class TestStarved : public QObject {
    Q_OBJECT

    const QTemporaryDir folder_;
    QByteArray right_;

    /// The replay of the generated blocks into a workspace that is not there yet, in a shell that
    /// has done `first`.
    Answer replay(const QString& name, const QByteArray& first, const QByteArray& how) const {
        const QString line = text("%1; exec %2 --quiet --workspace %3 replay %4 --json %5")
                                 .arg(QString::fromUtf8(first), program(), folder_.filePath(name),
                                      folder_.filePath(text("blocks")), QString::fromUtf8(how));
        return run({text("-c"), line}, {}, text("/bin/sh"));
    }
    static QByteArray digest(const Answer& answer) {
        return json(answer)[text("state_digest")].toString().toUtf8();
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(QFile::exists(text(BLOCKLOOM_BIN_DIR "/../tests/libblockloom_failing_calls.so")));
        qputenv("XDG_DATA_HOME", folder_.filePath(text("own")).toUtf8());
        const Answer made = run({text("synth"), text("adversarial"), text("-o"),
                                 folder_.filePath(text("blocks")), text("--blocks"), text("2"),
                                 text("--tasks"), text("60"), text("--seed"), text("9")});
        QCOMPARE(made.status, 0);
        right_ = digest(replay(text("right"), ":", "--strategy serial"));
        QCOMPARE(right_.size(), 64);
    }

    void little_address_space_data() {
        QTest::addColumn<QByteArray>("how");
        QTest::addColumn<int>("megabytes");
        const struct {
            const char* how;
            int megabytes;
        } rows[] = {{"--strategy serial", 400},
                    {"--strategy serial", 500},
                    {"--strategy serial --engine interpreter", 800},
                    {"--strategy levels --workers 4", 2000},
                    {"--strategy speculative --workers 4", 500},
                    {"--strategy speculative --workers 4 --engine interpreter", 1000}};
        for (const auto& row : rows)
            QTest::addRow("%s, %d MB", row.how, row.megabytes)
                << QByteArray(row.how) << row.megabytes;
    }

    void little_address_space() {
        QFETCH(QByteArray, how);
        QFETCH(int, megabytes);
        const QString name = text(QTest::currentDataTag());
        const Answer answer = replay(text("limited-%1-%2").arg(megabytes).arg(qHash(name)),
                                     ("ulimit -v " + QByteArray::number(megabytes) + "000"), how);
        if (answer.status == 0) {
            QCOMPARE(digest(answer), right_);
            return;
        }
        QVERIFY2(answer.status == 3, answer.err.constData());
        QVERIFY2(answer.err.contains("error: "), answer.err.constData());
    }

    void a_call_that_fails_data() {
        QTest::addColumn<QByteArray>("call");
        for (const char* call : {"memory@1", "memory@400", "memory@20000", "map@2", "map@9",
                                 "protect@1", "thread@1", "thread@2", "file@3", "file@60"})
            QTest::newRow(call) << QByteArray(call);
    }

    void a_call_that_fails() {
        QFETCH(QByteArray, call);
        const QByteArray first = "export LD_PRELOAD=" BLOCKLOOM_BIN_DIR
                                 "/../tests/libblockloom_failing_calls.so BLOCKLOOM_FAIL=" +
                                 call;
        // Of the CPU: drivers of other devices, which are asked for what they are, may crash.
        const Answer answer = replay(text("call-") + QString::fromUtf8(call), first,
                                     "--backend cpu --strategy speculative --workers 3");
        if (answer.status == 0) {
            QCOMPARE(digest(answer), right_);
            return;
        }
        QVERIFY2(answer.status == 3, answer.err.constData());
        QVERIFY2(answer.err.contains("error: "), answer.err.constData());
    }
};

QTEST_GUILESS_MAIN(TestStarved)
#include "test_starved.moc"
