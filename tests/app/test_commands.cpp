// The other commands: synth, color, report, render, devices; and how work is cancelled.
#include "headers/waiting.h"
#include "program.h"

#include <QCryptographicHash>
#include <QDir>
#include <QHash>
#include <QImage>
#include <QJsonArray>
#include <QSet>
#include <QXmlStreamReader>

#include <csignal>

using namespace blockloom::test;

namespace {

QStringList words(const char* text) {
    return QString::fromUtf8(text).split(u' ', Qt::SkipEmptyParts);
}

/// A graph whose chromatic number is known: a wheel of five spokes needs four colours.
const QByteArray wheel = "c wheel\np edge 6 10\ne 1 2\ne 2 3\ne 3 4\ne 4 5\ne 5 1\n"
                         "e 6 1\ne 6 2\ne 6 3\ne 6 4\ne 6 5\n";

} // namespace

class TestCommands : public QObject {
    Q_OBJECT

    const QTemporaryDir folder;
    QString path(const char* name) const { return folder.filePath(QLatin1String(name)); }

private Q_SLOTS:
    void synth_twice_gives_the_same_bytes() {
        for (const char* name : {"one", "two"}) {
            const Answer made = run(
                words("synth lanes --blocks 3 --tasks 80 --seed 11 --skew 1.1 -o") << path(name));
            QVERIFY2(made.status == 0, made.err.constData());
        }
        const QStringList files = QDir(path("one")).entryList(QDir::Files, QDir::Name);
        QCOMPARE(files, QDir(path("two")).entryList(QDir::Files, QDir::Name));
        QVERIFY(files.size() >= 3);
        for (const QString& file : files)
            QCOMPARE(content(path("one/") + file), content(path("two/") + file));
        const Answer other =
            run(words("synth lanes --blocks 3 --tasks 80 --seed 12 -o") << path("three"));
        QCOMPARE(other.status, 0);
        QVERIFY(content(path("one/840000.bin")) != content(path("three/840000.bin")));
    }

    void analyze_reads_what_synth_wrote() {
        QCOMPARE(run(words("synth lanes --blocks 2 --tasks 50 -o") << path("read")).status, 0);
        const Answer answer = run(words("analyze --json") << path("read"));
        QVERIFY2(answer.status == 0 && answer.err.isEmpty(), answer.err.constData());
        const QJsonArray blocks = json(answer)[QLatin1String("blocks")].toArray();
        QCOMPARE(blocks.size(), qsizetype{2});
        for (const QJsonValue& block : blocks) {
            QCOMPARE(block[QLatin1String("tasks")].toInteger(), qint64{50});
            QVERIFY(block[QLatin1String("checks")][QLatin1String("merkle")].toBool());
            QVERIFY(block[QLatin1String("checks")][QLatin1String("witness_commitment")].toBool());
        }
    }

    void synth_makes_messages() {
        QCOMPARE(run(words("synth mainnet-2026 --blocks 2 --tasks 40 --contracts 3 --prefixed 1 -o")
                     << path("said"))
                     .status,
                 0);
        const QJsonObject manifest =
            QJsonDocument::fromJson(content(path("said/synth.json"))).object();
        QCOMPARE(manifest[QLatin1String("chain")].toString(), QStringLiteral("alkanes"));
        QCOMPARE(manifest[QLatin1String("network")].toString(), QStringLiteral("blockloom"));
        const Answer answer = run(words("alkanes decode --json") << path("said/960101.bin"));
        QVERIFY2(answer.status == 0, answer.err.constData());
        const QJsonArray messages = json(answer)[QLatin1String("messages")].toArray();
        QVERIFY(messages.size() >= 36 && messages.size() <= 40);
        for (const QJsonValue& message : messages)
            QCOMPARE(message[QLatin1String("target")].toString(), QStringLiteral("8:8"));
        QCOMPARE(run(words("synth amm --prefixed 2 -o") << path("x")).status, 2);
    }

    void synth_names_its_recipes() {
        const Answer answer = run(words("synth --list"));
        QCOMPARE(answer.status, 0);
        QVERIFY(answer.out.contains("chained"));
        QCOMPARE(run(words("synth lanes")).status, 2);
    }

    void color_is_proper_and_says_so() {
        write(path("wheel.col"), wheel);
        for (const char* algorithm :
             {"greedy", "welsh-powell", "smallest-last", "dsatur", "best"}) {
            const Answer answer = run(words("color --json --seconds 0.2 --algorithm")
                                      << QLatin1String(algorithm) << path("wheel.col"));
            QVERIFY2(answer.status == 0 && answer.err.isEmpty(), answer.err.constData());
            const QJsonObject document = json(answer);
            QCOMPARE(document[QLatin1String("vertices")].toInteger(), qint64{6});
            QCOMPARE(document[QLatin1String("edges")].toInteger(), qint64{10});
            QVERIFY(document[QLatin1String("proper")].toBool());
            const QJsonArray colour = document[QLatin1String("assignment")].toArray();
            QCOMPARE(colour.size(), qsizetype{6});
            qint64 most = 0;
            for (const QByteArray& line : wheel.split('\n')) {
                if (!line.startsWith("e ")) continue;
                const auto ends = line.split(' ');
                QVERIFY(colour[ends[1].toInt() - 1].toInt() != colour[ends[2].toInt() - 1].toInt());
            }
            for (const QJsonValue& value : colour) most = std::max(most, value.toInteger() + 1);
            QCOMPARE(document[QLatin1String("colours")].toInteger(), most);
            QVERIFY(most == 4 || (most > 4 && QByteArray(algorithm) != "best" &&
                                  QByteArray(algorithm) != "dsatur"));
        }
    }

    void color_names_the_line_of_what_is_wrong() {
        write(path("wrong.col"), "p edge 3 1\ne 1 7\n");
        const Answer answer = run(words("color") << path("wrong.col"));
        QCOMPARE(answer.status, 3);
        QVERIFY2(answer.err.contains("wrong.col") && answer.err.contains("line 2"),
                 answer.err.constData());
    }

    void color_dimacs_data() {
        QTest::addColumn<QString>("file");
        for (const QString& name :
             QDir(shared_data("dimacs")).entryList({QStringLiteral("*.col")}, QDir::Files))
            QTest::newRow(qPrintable(name)) << shared_data("dimacs") + u'/' + name;
        if (!QDir(shared_data("dimacs")).exists()) QTest::newRow("absent") << QString();
    }

    void color_dimacs() {
        QFETCH(QString, file);
        NEEDS_SHARED_DATA("dimacs");
        const Answer answer = run(words("--quiet color --json") << file);
        QVERIFY2(answer.status == 0, answer.err.constData());
        QVERIFY(json(answer)[QLatin1String("proper")].toBool());
    }

    void the_report_is_self_contained() {
        QCOMPARE(run(words("synth lanes --blocks 2 --tasks 60 -o") << path("r")).status, 0);
        const Answer answer = run(words("report -o") << path("r.html") << path("r"));
        QVERIFY2(answer.status == 0, answer.err.constData());
        const QByteArray html = content(path("r.html"));
        QVERIFY(html.size() > 10'000);
        for (const char* outside : {"http://", "https://", "<script", "<link", "url(", "src="})
            QVERIFY2(!html.contains(outside), outside);
        for (const char* inside : {"SHA-256", "840000", "Blockloom 0.", "predicted"})
            QVERIFY2(html.contains(inside), inside);
        const QByteArray block = content(path("r/840000.bin"));
        QVERIFY(html.contains(QCryptographicHash::hash(block, QCryptographicHash::Sha256).toHex()));
    }

    void graphml_is_well_formed() {
        const Answer answer = run(words("report demo --block 960101 -o") << path("g.graphml"));
        QVERIFY2(answer.status == 0, answer.err.constData());
        QXmlStreamReader xml(content(path("g.graphml")));
        int nodes = 0;
        while (!xml.atEnd()) {
            xml.readNext();
            nodes += xml.isStartElement() && xml.name() == QLatin1String("node") ? 1 : 0;
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(nodes > 100);
    }

    void pictures_have_the_size_that_was_asked_for() {
        for (const char* view : {"graph", "matrix", "arc", "schedule", "bipartite"}) {
            const Answer answer =
                run(words("render demo --block 960101 --renderer cairo --size 640x400 --view")
                    << QLatin1String(view) << QStringLiteral("-o") << path("p.png"));
            QVERIFY2(answer.status == 0, answer.err.constData());
            const QImage image(path("p.png"));
            QCOMPARE(image.size(), QSize(640, 400));
            QSet<QRgb> colours;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) colours.insert(image.pixel(x, y));
            QVERIFY2(colours.size() > 4, view);
        }
        for (const char* name : {"p.svg", "p.pdf"})
            QCOMPARE(run(words("render demo --theme light --select 3 -o") << path(name)).status, 0);
        QVERIFY(content(path("p.svg")).contains("<svg"));
        QVERIFY(content(path("p.pdf")).startsWith("%PDF"));
    }

    /// Coloured by status: what succeeded and what did not, each in its colour and in the legend.
    void pictures_by_status() {
        const auto pixels = [this](const char* more) {
            const Answer answer =
                run(words("render demo --block 960125 --renderer cairo --theme light") + words(more)
                    << QStringLiteral("-o") << path("s.png"));
            QHash<QRgb, int> counts;
            const QImage image(path("s.png"));
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) ++counts[image.pixel(x, y)];
            return answer.status == 0 ? counts : QHash<QRgb, int>();
        };
        constexpr QRgb ok = qRgb(0x15, 0x70, 0x3F), warning = qRgb(0x8A, 0x5A, 0x00);
        const auto status = pixels("--colour status"), batch = pixels("--colour batch");
        for (const QRgb colour : {ok, warning}) {
            QVERIFY(status.value(colour) > 100);
            QCOMPARE(batch.value(colour), 0);
        }
        // Read only, nothing executed: refused.
        const Answer refused =
            run(words("render demo --chain bitcoin --colour status -o") << path("s.png"));
        QCOMPARE(refused.status, 2);
        QVERIFY(refused.err.contains("executed"));
    }

    void devices_tell_why() {
        const Answer answer = run(words("devices --json"));
        QCOMPARE(answer.status, 0);
        const QJsonArray devices = json(answer)[QLatin1String("devices")].toArray();
        QVERIFY(devices.size() >= 2);
        for (const QJsonValue& device : devices) {
            for (const char* name : {"backend", "name", "available", "why", "memory", "limits"})
                QVERIFY2(device.toObject().contains(QLatin1String(name)), name);
            QCOMPARE(device[QLatin1String("available")].toBool(),
                     device[QLatin1String("why")].isNull());
        }
        QVERIFY(json(answer).contains(QLatin1String("auto")));
    }

    void bench_runs_the_programs_beside_it() {
        // A copy of the program beside a stand-in for a benchmark.
        for (const char* part : {"b/bin", "b/libexec/blockloom", "b/bench"})
            QDir().mkpath(path(part));
        const QString copy = path("b/bin/blockloom-cli"), bench = path("b/bench/bench_toy");
        QVERIFY(QFile::copy(program(), copy));
        const Answer alone = run({}, {}, copy);
        QVERIFY2(alone.status == 3 && alone.err.contains("libexec/blockloom/blockloom-cli-program"),
                 alone.err.constData());
        QVERIFY(QFile::copy(launched_program(), path("b/libexec/blockloom/blockloom-cli-program")));
        const auto bench_of = [&](const char* arguments) {
            return run(words(arguments), {}, copy);
        };
        QCOMPARE(bench_of("bench").status, 4);
        write(bench, "#!/bin/sh\n"
                     "case \"$*\" in\n"
                     "*filter=nothing*) exit 0;;\n"
                     "*list_tests*) echo toy/1;;\n"
                     "*format=json*) echo '{\"benchmarks\":[]}';;\n"
                     "*) echo \"toy ran $*\"; exit ${TOY_STATUS:-0};;\n"
                     "esac\n");
        QFile::setPermissions(bench, QFile::permissions(bench) | QFile::ExeOwner);
        QCOMPARE(bench_of("bench").out, QByteArray("toy ran \n"));
        QCOMPARE(bench_of("bench toy").out, QByteArray("toy ran \n"));
        QCOMPARE(bench_of("bench to.*").out, QByteArray("toy ran --benchmark_filter=to.*\n"));
        QCOMPARE(bench_of("bench nothing").status, 2);
        const QJsonObject document = json(bench_of("bench --json"));
        QCOMPARE(document[QLatin1String("programs")][0][QLatin1String("program")].toString(),
                 QStringLiteral("bench_toy"));
        qputenv("TOY_STATUS", "3");
        const Answer failed = bench_of("bench");
        qunsetenv("TOY_STATUS");
        QCOMPARE(failed.status, 1);
        QVERIFY(failed.err.contains("status 3"));
    }

    void an_interrupt_cancels() {
        write(path("hard.col"), wheel);
        // A graph that keeps `best` busy: random, 60 vertices, half of the pairs.
        QByteArray graph = "p edge 60 900\n";
        quint32 state = 7;
        for (int i = 1; i <= 60; ++i)
            for (int j = i + 1; j <= 60; ++j)
                if ((state = state * 1664525 + 1013904223) >> 31)
                    graph += "e " + QByteArray::number(i) + " " + QByteArray::number(j) + "\n";
        write(path("hard.col"), graph);
        for (const int signal : {SIGINT, SIGTERM}) {
            QProcess process;
            process.start(program(), words("color --json --algorithm best --seconds 3600")
                                         << path("hard.col"));
            QVERIFY(process.waitForStarted(without_limit));
            // The signal must meet the program and not its loader: a thread waits for signals,
            // which all threads block.
            const QString proc = QStringLiteral("/proc/%1/").arg(process.processId());
            const auto is_ready = [&] {
                const QByteArray status = content(proc + QStringLiteral("status"));
                const auto at = status.indexOf("SigBlk:");
                const quint64 blocked = status.mid(at + 7, 18).trimmed().toULongLong(nullptr, 16);
                return at >= 0 && (blocked >> (signal - 1)) % 2 != 0 &&
                       QDir(proc + QStringLiteral("task"))
                               .entryList(QDir::Dirs | QDir::NoDotAndDotDot)
                               .size() > 1;
            };
            WAIT_UNTIL(is_ready() || process.state() == QProcess::NotRunning);
            QCOMPARE(::kill(static_cast<pid_t>(process.processId()), signal), 0);
            QVERIFY(process.waitForFinished(without_limit));
            QCOMPARE(process.exitStatus(), QProcess::NormalExit);
            QCOMPARE(process.exitCode(), 130);
            QVERIFY(process.readAllStandardOutput().isEmpty());
            QVERIFY(process.readAllStandardError().contains("cancelled"));
        }
    }
};

QTEST_GUILESS_MAIN(TestCommands)
#include "test_commands.moc"
