// alkanes call as a user meets it: one document, the same from both engines, and every wrong option
// distinguished from a contract that fails.
#include "program.h"

#include <QJsonArray>
#include <QStandardPaths>

using namespace blockloom::test;

namespace {

/// Reads "key", asks 4:7 and the block's coinbase total, pays 9 of its own token, writes "new" and
/// gives what 4:7 answered.
const char* const contract = R"((module
 (import "env" "__load_storage" (func $load (param i32 i32) (result i32)))
 (import "env" "__load_context" (func $context (param i32) (result i32)))
 (import "env" "__call" (func $call (param i32 i32 i32 i64) (result i32)))
 (import "env" "__staticcall" (func $static (param i32 i32 i32 i64) (result i32)))
 (import "env" "__returndatacopy" (func $copy (param i32)))
 (memory (export "memory") 1)
 (data (i32.const 1020) "\03\00\00\00key")
 (data (i32.const 1100) "\20\00\00\00\04")
 (data (i32.const 1120) "\07")
 (data (i32.const 1200) "\10\00\00\00")
 (data (i32.const 1300) "\04\00\00\00")
 (data (i32.const 1400) "\20\00\00\00\00\08\af\2f")
 (data (i32.const 1420) "\03")
 (data (i32.const 1996) "\57\00\00\00\01")
 (data (i32.const 2016) "\02")
 (data (i32.const 2032) "\05")
 (data (i32.const 2048) "\09")
 (data (i32.const 2064) "\01\00\00\00\03\00\00\00new\01\00\00\00!")
 (func (export "__execute") (result i32)
  (drop (call $context (i32.const 5000)))
  (drop (call $load (i32.const 1024) (i32.const 6000)))
  (drop (call $static (i32.const 1404) (i32.const 1204) (i32.const 1304) (i64.const 0)))
  (drop (call $call (i32.const 1104) (i32.const 1204) (i32.const 1304) (i64.const 0)))
  (call $copy (i32.const 7000))
  (memory.copy (i32.const 2080) (i32.const 7016) (i32.const 7))
  (i32.const 2000))))";

QStringList words(const char* text) {
    return QString::fromUtf8(text).split(u' ', Qt::SkipEmptyParts);
}

} // namespace

class TestAlkanesCall : public QObject {
    Q_OBJECT

    const QTemporaryDir folder;

    Answer call(const char* options) const {
        return run(words("alkanes call --code c.wasm --json") + words(options), folder.path());
    }

private Q_SLOTS:
    void initTestCase() {
        if (QStandardPaths::findExecutable(QStringLiteral("wat2wasm")).isEmpty())
            QSKIP("wat2wasm is not installed (package wabt)");
        write(folder.filePath(QStringLiteral("c.wat")), contract);
        QCOMPARE(run(words("c.wat -o c.wasm"), folder.path(), QStringLiteral("wat2wasm")).status,
                 0);
    }

    void both_engines_tell_the_same() {
        const char* const options =
            "--id 2:5 --inputs 77,0 --storage 6b6579=76616c7565 --incoming 2:1:4 "
            "--returns 4:7=0000000000000000000000000000000068656c6c6f2121";
        const Answer interpreted = call(options);
        QVERIFY2(interpreted.status == 0 && interpreted.err.isEmpty(), interpreted.err.constData());
        const QJsonObject found = json(interpreted);
        const auto text = [&](const char* key) { return found[QLatin1String(key)].toString(); };
        QCOMPARE(text("status"), QStringLiteral("success"));
        QCOMPARE(text("engine"), QStringLiteral("interpreter"));
        QCOMPARE(text("data"), QStringLiteral("68656c6c6f2121"));
        QVERIFY(text("response").endsWith(QStringLiteral("68656c6c6f2121")));
        QCOMPARE(found[QLatin1String("storage")][QLatin1String("6e6577")].toString(),
                 QStringLiteral("21"));
        const QJsonArray transfers = found[QLatin1String("transfers")].toArray();
        QCOMPARE(transfers.size(), 1);
        QCOMPARE(transfers[0][QLatin1String("id")].toString(), QStringLiteral("2:5"));
        QCOMPARE(transfers[0][QLatin1String("value")].toInt(), 9);
        QStringList names;
        for (const QJsonValue& each : found[QLatin1String("host_calls")].toArray())
            names.append(each[QLatin1String("name")].toString());
        QCOMPARE(names,
                 words("__load_context __load_storage __staticcall __call __returndatacopy"));
        QCOMPARE(found[QLatin1String("pages")][QLatin1String("final")].toInt(), 512);
        QVERIFY(found[QLatin1String("fuel_used")].toInt() > found[QLatin1String("steps")].toInt());

        const Answer compiled =
            call(qPrintable(QString::fromLatin1(options) + QStringLiteral(" --engine native")));
        QVERIFY2(compiled.status == 0, compiled.err.constData());
        QByteArray same = compiled.out;
        same.replace("\"native\"", "\"interpreter\"");
        QCOMPARE(same, interpreted.out);

        // Compiled lanes: every answer of the host is on the tape, and none is another engine's.
        const Answer lanes =
            call(qPrintable(QString::fromLatin1(options) + QStringLiteral(" --backend simt")));
        QVERIFY2(lanes.status == 0, lanes.err.constData());
        QCOMPARE(json(lanes)[QLatin1String("engine")].toString(), QStringLiteral("simt"));
        const QJsonObject there = json(lanes);
        QCOMPARE(there[QLatin1String("host_answers")].toInt(), 5);
        const QJsonArray code = there[QLatin1String("device_code")].toArray();
        QCOMPARE(code.size(), 1);
        QCOMPARE(code[0][QLatin1String("contracts")].toArray(), QJsonArray{QStringLiteral("2:5")});
        QCOMPARE(code[0][QLatin1String("state")].toString(), QStringLiteral("ready"));
        QCOMPARE(code[0][QLatin1String("lanes")][QLatin1String("compiled")].toInt(), 1);
        QVERIFY(code[0][QLatin1String("compile_ns")].toDouble() > 0);
        for (const QString& key : found.keys())
            if (key != QStringLiteral("engine") && key != QStringLiteral("pages"))
                QCOMPARE(there[key], found[key]);
    }

    /// Without an answer 4:7 has no code: the call is doomed, and that is an answer, not an error.
    void a_failing_contract_is_an_answer() {
        const Answer answer = call("--id 2:5");
        QCOMPARE(answer.status, 0);
        const QJsonObject found = json(answer);
        QCOMPARE(found[QLatin1String("status")].toString(), QStringLiteral("revert"));
        // The contract returns the first bytes of its callee's error, which are its own then.
        QCOMPARE(found[QLatin1String("error")].toString(), QStringLiteral("cod"));
        const QJsonArray calls = found[QLatin1String("host_calls")].toArray();
        QVERIFY(calls[3][QLatin1String("result")].toInt() < 0);
        QVERIFY(found[QLatin1String("writes")].toArray().isEmpty());
        const Answer poor = call("--id 2:5 --fuel 10");
        QCOMPARE(json(poor)[QLatin1String("status")].toString(), QStringLiteral("out_of_fuel"));
    }

    void what_the_engine_cannot_run_data() {
        QTest::addColumn<QByteArray>("fields");
        QTest::addColumn<QString>("feature");
        QTest::newRow("wide frame") << QByteArray("(func (export \"__execute\") (result i32)") +
                                           QByteArray(" i32.const 1").repeated(66'000) +
                                           QByteArray(" drop").repeated(66'000) + " i32.const 8)"
                                    << QString();
        QTest::newRow("locals") << QByteArray("(func (export \"__execute\") (result i32) (local") +
                                       QByteArray(" i64").repeated(4'097) + ") i32.const 8)"
                                << QString();
        QTest::newRow("table") << QByteArray("(table 8193 funcref) (func (export \"__execute\") "
                                             "(result i32) i32.const 8)")
                               << QString();
        QTest::newRow("tail call")
            << QByteArray("(func $f (export \"__execute\") (result i32) (return_call $f))")
            << QStringLiteral("--enable-tail-call");
        QTest::newRow("two memories")
            << QByteArray("(memory 1) (func (export \"__execute\") (result i32) i32.const 8)")
            << QStringLiteral("--enable-multi-memory");
    }

    /// What another engine may run: reported in the document, status 4.
    void what_the_engine_cannot_run() {
        QFETCH(QByteArray, fields);
        QFETCH(QString, feature);
        write(folder.filePath(QStringLiteral("wide.wat")),
              "(module (memory (export \"memory\") 1) " + fields + ")");
        const Answer made = run(words("wide.wat -o wide.wasm") +
                                    (feature.isEmpty() ? QStringList() : QStringList{feature}),
                                folder.path(), QStringLiteral("wat2wasm"));
        if (made.status != 0 && !feature.isEmpty())
            QSKIP("this wat2wasm does not know the feature");
        QCOMPARE(made.status, 0);
        for (const char* engine : {"interpreter", "native"}) {
            const Answer answer =
                run(words("alkanes call --code wide.wasm --id 2:5 --json --engine") +
                        QStringList{QLatin1String(engine)},
                    folder.path());
            QCOMPARE(answer.status, 4);
            const QJsonObject found = json(answer);
            QCOMPARE(found[QLatin1String("status")].toString(), QStringLiteral("ejected"));
            QCOMPARE(found[QLatin1String("ejection")].toString(), QStringLiteral("unsupported"));
            QVERIFY(!found[QLatin1String("error")].toString().isEmpty());
        }
    }

    void blocks_and_transactions_are_seen() {
        NEEDS_SHARED_DATA("bitcoin/892614.bin");
        const QString block = shared_data("bitcoin/892614.bin");
        const Answer answer =
            run(words("alkanes call --code c.wasm --id 2:5 --json --returns "
                      "4:7=0000000000000000000000000000000068656c6c6f2121 --block") +
                    QStringList{block},
                folder.path());
        QVERIFY2(answer.status == 0, answer.err.constData());
        QCOMPARE(json(answer)[QLatin1String("status")].toString(), QStringLiteral("success"));
    }

    void wrong_options_data() {
        QTest::addColumn<QString>("options");
        QTest::addColumn<int>("status");
        QTest::newRow("id") << "--id 2" << 2;
        QTest::newRow("inputs") << "--inputs 1,x" << 2;
        QTest::newRow("inputs end in a comma") << "--inputs 1," << 2;
        QTest::newRow("negative fuel") << "--fuel=-1" << 2;
        QTest::newRow("negative height") << "--height=-1" << 2;
        QTest::newRow("storage") << "--storage 6b" << 2;
        QTest::newRow("balance") << "--balance 2:0=5" << 2;
        QTest::newRow("incoming") << "--incoming 2:0" << 2;
        QTest::newRow("returns") << "--returns 2:0=xy" << 2;
        QTest::newRow("tx") << "--tx nowhere" << 3;
        QTest::newRow("short tx") << "--tx 0200" << 3;
        QTest::newRow("block") << "--block 00" << 3;
        QTest::newRow("code") << "--code-at 2:9=nowhere.wasm" << 3;
        QTest::newRow("no code") << "--code-at 2:9=c.wat" << 3;
        QTest::newRow("backend") << "--backend metal" << 2;
    }

    void wrong_options() {
        QFETCH(QString, options);
        QFETCH(int, status);
        const Answer answer = call(qPrintable(options));
        QCOMPARE(answer.status, status);
        QVERIFY(answer.out.isEmpty());
        // What cannot be read as a number at all is reported by the parser of options.
        QVERIFY(answer.err.startsWith("blockloom-cli: error: ") || answer.err.startsWith("--"));
    }
};

QTEST_GUILESS_MAIN(TestAlkanesCall)
#include "test_alkanes_call.moc"
