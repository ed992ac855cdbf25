// analyze as scripts use it: exact figures, one document, statuses, messages that name the place.
#include "program.h"

#include <QDir>
#include <QJsonArray>

#include <array>

using namespace blockloom::test;

namespace {

/// Reference figures of the sample blocks, computed independently from the definitions (data
/// README).
struct Reference {
    qint64 height, tasks, accesses, keys, pairs, conflicting, groups, largest, levels;
};
constexpr std::array references{Reference{300025, 461, 4080, 2465, 134, 169, 355, 16, 14},
                                Reference{367891, 420, 42487, 21651, 19, 33, 401, 5, 5},
                                Reference{413567, 1557, 13353, 8180, 287, 428, 1270, 25, 25},
                                Reference{482683, 12, 127, 76, 0, 0, 12, 1, 1},
                                Reference{849236, 2410, 22544, 12244, 1827, 1955, 585, 25, 25},
                                Reference{892614, 2489, 20908, 13382, 1113, 1249, 1386, 25, 25},
                                Reference{928848, 676, 29809, 18594, 0, 0, 676, 1, 1},
                                Reference{928849, 993, 27452, 18847, 11, 15, 982, 9, 9},
                                Reference{1087400, 97, 641, 426, 7, 11, 90, 4, 3}};

QJsonArray blocks(const Answer& answer) {
    return json(answer)[QLatin1String("blocks")].toArray();
}

} // namespace

class TestAnalyze : public QObject {
    Q_OBJECT

    const QTemporaryDir folder;
    QString path(const char* name) const { return folder.filePath(QLatin1String(name)); }

private Q_SLOTS:
    void initTestCase() {
        const Answer made =
            run({QStringLiteral("synth"), QStringLiteral("lanes"), QStringLiteral("-o"), path("s"),
                 QStringLiteral("--blocks"), QStringLiteral("4"), QStringLiteral("--tasks"),
                 QStringLiteral("60")});
        QVERIFY2(made.status == 0, made.err.constData());
    }

    void reference_figures() {
        NEEDS_SHARED_DATA("bitcoin");
        const QString source = shared_data("bitcoin");
        const Answer answer = run({QStringLiteral("analyze"), source, QStringLiteral("--json")});
        QVERIFY2(answer.status == 0, answer.err.constData());
        QVERIFY2(answer.err.isEmpty(), answer.err.constData());
        QCOMPARE(blocks(answer).size(), static_cast<qsizetype>(references.size()));
        for (const QJsonValue& value : blocks(answer)) {
            const QJsonObject block = value.toObject();
            const auto number = [&](const char* name) {
                return block[QLatin1String(name)].toInteger(-1);
            };
            const auto* found =
                std::find_if(references.begin(), references.end(),
                             [&](const Reference& r) { return r.height == number("height"); });
            QVERIFY(found != references.end());
            QCOMPARE(number("tasks"), found->tasks);
            QCOMPARE(number("accesses"), found->accesses);
            QCOMPARE(number("keys"), found->keys);
            QCOMPARE(number("conflict_pairs"), found->pairs);
            QCOMPARE(number("conflicting_tasks"), found->conflicting);
            QCOMPARE(number("groups"), found->groups);
            QCOMPARE(number("largest_group"), found->largest);
            QCOMPARE(number("levels"), found->levels);
            const QJsonObject checks = block[QLatin1String("checks")].toObject();
            QVERIFY(checks[QLatin1String("merkle")].toBool());
            const QJsonValue witness = checks[QLatin1String("witness_commitment")];
            QVERIFY(witness.isNull() || witness.toBool());
        }
    }

    /// The British spelling leads to the same command, and the help names it.
    void analyse_leads_to_analyze() {
        const QStringList rest{path("s"), QStringLiteral("--csv")};
        const Answer known = run(QStringList{QStringLiteral("analyze")} + rest),
                     other = run(QStringList{QStringLiteral("analyse")} + rest);
        QVERIFY2(other.status == 0, other.err.constData());
        QVERIFY(known.out.count('\n') > 1);
        QCOMPARE(other.out.count('\n'), known.out.count('\n'));
        QCOMPARE(other.out.left(other.out.indexOf('\n')), known.out.left(known.out.indexOf('\n')));
        const Answer help = run({QStringLiteral("analyse"), QStringLiteral("--help")});
        QCOMPARE(help.status, 0);
        QVERIFY2(help.out.contains("analyze"), help.out.constData());
    }

    void one_document_and_nothing_else() {
        const Answer answer = run({QStringLiteral("analyze"), path("s"), QStringLiteral("--json")});
        QCOMPARE(answer.status, 0);
        QVERIFY(answer.err.isEmpty());
        QCOMPARE(blocks(answer).size(), qsizetype{4});
        QCOMPARE(json(answer)[QLatin1String("source")].toArray().at(0).toString(), path("s"));
    }

    void options_reach_the_analysis() {
        const auto with = [&](const QStringList& options) {
            return json(
                run(QStringList{QStringLiteral("analyze"), path("s"), QStringLiteral("--json")} +
                    options));
        };
        const QJsonObject all = with({QStringLiteral("--ignore"), QStringLiteral("kind:utxo")});
        QCOMPARE(
            all[QLatin1String("range")].toObject()[QLatin1String("conflict_pairs")].toInteger(-1),
            qint64{0});
        const QJsonObject cut =
            with({QStringLiteral("--from"), QStringLiteral("840001"), QStringLiteral("--to"),
                  QStringLiteral("840002"), QStringLiteral("--workers"), QStringLiteral("3,5"),
                  QStringLiteral("--colouring"), QStringLiteral("welsh-powell"),
                  QStringLiteral("--model"), QStringLiteral("multi-version")});
        QCOMPARE(cut[QLatin1String("model")].toString(), QStringLiteral("multi-version"));
        const QJsonArray two = cut[QLatin1String("blocks")].toArray();
        QCOMPARE(two.size(), qsizetype{2});
        const QJsonObject block = two[0].toObject();
        QCOMPARE(block[QLatin1String("height")].toInteger(), qint64{840001});
        QCOMPARE(block[QLatin1String("makespan")].toArray().size(), qsizetype{2});
        QCOMPARE(
            block[QLatin1String("colouring")].toObject()[QLatin1String("algorithm")].toString(),
            QStringLiteral("welsh-powell"));
    }

    void text_is_a_table() {
        const Answer answer = run({QStringLiteral("analyze"), path("s")});
        QCOMPARE(answer.status, 0);
        for (const char* word : {"Block", "840000", "840003", "4 blocks", "nothing left out"})
            QVERIFY2(answer.out.contains(word), answer.out.constData());
        const Answer one = run({QStringLiteral("analyze"), path("s/840002.bin")});
        QVERIFY2(one.out.contains("predicted by simulation"), one.out.constData());
    }

    void csv_has_a_row_a_block() {
        const Answer answer = run({QStringLiteral("analyze"), path("s"), QStringLiteral("--csv")});
        QCOMPARE(answer.status, 0);
        QCOMPARE(answer.out.count("\r\n"), qsizetype{5});
    }

    void a_truncated_block_is_named() {
        QDir().mkpath(path("bad"));
        const QByteArray whole = content(path("s/840001.bin"));
        write(path("bad/840000.bin"), content(path("s/840000.bin")));
        write(path("bad/840001.bin"), whole.left(whole.size() - 100));
        const Answer stopped =
            run({QStringLiteral("analyze"), path("bad"), QStringLiteral("--json")});
        QCOMPARE(stopped.status, 3);
        QVERIFY(stopped.out.isEmpty());
        for (const char* word : {"840001.bin", "offset", "expected", "found"})
            QVERIFY2(stopped.err.contains(word), stopped.err.constData());

        const Answer going = run({QStringLiteral("analyze"), path("bad"), QStringLiteral("--json"),
                                  QStringLiteral("--keep-going")});
        QCOMPARE(going.status, 0);
        QCOMPARE(blocks(going).size(), qsizetype{1});
        QVERIFY2(going.err.contains("840001.bin"), going.err.constData());
        QCOMPARE(json(going)[QLatin1String("left_out")].toArray().size(), qsizetype{1});
    }

    void every_cut_is_an_error_with_a_place() {
        const QByteArray whole = content(path("s/840002.bin"));
        for (qsizetype size = 0; size < whole.size(); size += 1 + whole.size() / 24) {
            write(path("cut.bin"), whole.left(size));
            const Answer answer = run({QStringLiteral("analyze"), path("cut.bin")});
            QCOMPARE(answer.status, 3);
            QVERIFY2(answer.err.contains("cut.bin"), answer.err.constData());
        }
        write(path("cut.bin"), whole + "x");
        QCOMPARE(run({QStringLiteral("analyze"), path("cut.bin")}).status, 3);
    }

    void statuses_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        const auto row = [](const char* name, const QStringList& arguments, int status) {
            QTest::newRow(name) << arguments << status;
        };
        const QString analyze = QStringLiteral("analyze"), demo = QStringLiteral("demo");
        row("help", {QStringLiteral("--help")}, 0);
        row("help of a command", {analyze, QStringLiteral("--help")}, 0);
        row("version", {QStringLiteral("--version")}, 0);
        row("no command", {}, 2);
        row("unknown command", {QStringLiteral("replay")}, 2);
        row("unknown option", {analyze, demo, QStringLiteral("--nope")}, 2);
        row("no source", {analyze}, 2);
        row("unknown model", {analyze, demo, QStringLiteral("--model"), QStringLiteral("x")}, 2);
        row("no number", {analyze, demo, QStringLiteral("--workers"), QStringLiteral("0")}, 2);
        row("upside down",
            {analyze, demo, QStringLiteral("--from"), QStringLiteral("5"), QStringLiteral("--to"),
             QStringLiteral("4")},
            2);
        row("json and csv", {analyze, demo, QStringLiteral("--json"), QStringLiteral("--csv")}, 2);
        row("absent file", {analyze, QStringLiteral("/nowhere/at/all.bin")}, 3);
        row("alkanes without the state before",
            {analyze, path("s"), QStringLiteral("--chain"), QStringLiteral("alkanes")}, 3);
        row("ethereum", {analyze, demo, QStringLiteral("--chain"), QStringLiteral("ethereum")}, 3);
        row("no such height",
            {analyze, demo, QStringLiteral("--from"), QStringLiteral("1"), QStringLiteral("--to"),
             QStringLiteral("2")},
            3);
        row("costs that are not there",
            {analyze, demo, QStringLiteral("--cost"), QStringLiteral("gas")}, 3);
        row("not writable",
            {QStringLiteral("report"), demo, QStringLiteral("-o"),
             QStringLiteral("/nowhere/r.html")},
            3);
        row("unknown ending",
            {QStringLiteral("report"), demo, QStringLiteral("-o"), QStringLiteral("r.doc")}, 2);
        row("wrong size",
            {QStringLiteral("render"), demo, QStringLiteral("-o"), QStringLiteral("r.png"),
             QStringLiteral("--size"), QStringLiteral("big")},
            2);
        row("no such block",
            {QStringLiteral("render"), demo, QStringLiteral("-o"), QStringLiteral("r.png"),
             QStringLiteral("--block"), QStringLiteral("1")},
            2);
        row("no such task",
            {QStringLiteral("render"), demo, QStringLiteral("-o"), QStringLiteral("r.png"),
             QStringLiteral("--select"), QStringLiteral("999999")},
            2);
        row("no such recipe",
            {QStringLiteral("synth"), QStringLiteral("nothing"), QStringLiteral("-o"),
             QStringLiteral("x")},
            3);
    }

    void statuses() {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        const Answer answer = run(arguments, folder.path());
        QVERIFY2(answer.status == status, answer.err.constData());
        if (status == 0) {
            QVERIFY(answer.err.isEmpty());
            QVERIFY(!answer.out.isEmpty());
        } else {
            QVERIFY(!answer.err.isEmpty());
            QVERIFY2(answer.out.isEmpty(), answer.out.constData());
        }
    }

    void quiet_is_quiet() {
        QDir().mkpath(path("mixed"));
        write(path("mixed/840000.bin"), content(path("s/840000.bin")));
        write(path("mixed/notes.txt"), "no block");
        QVERIFY(!run({QStringLiteral("analyze"), path("mixed"), QStringLiteral("--json")})
                     .err.isEmpty());
        const Answer quiet = run({QStringLiteral("--quiet"), QStringLiteral("analyze"),
                                  path("mixed"), QStringLiteral("--json")});
        QCOMPARE(quiet.status, 0);
        QVERIFY2(quiet.err.isEmpty(), quiet.err.constData());
    }

    void a_name_cannot_steer_the_terminal() {
        const QString name = path("ev\x1b[31mil.bin");
        write(name, "no block");
        const Answer answer = run({QStringLiteral("analyze"), name});
        QCOMPARE(answer.status, 3);
        QVERIFY(!answer.err.contains('\x1b'));
    }
};

QTEST_GUILESS_MAIN(TestAnalyze)
#include "test_analyze.moc"
