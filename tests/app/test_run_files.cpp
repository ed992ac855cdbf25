// Kept runs as files, with their spans; blockloom-cli report RUN; tune and what it keeps.
#include "program.h"

#include <QJsonArray>

using namespace blockloom::test;

namespace {

QString text(const char* words) {
    return QString::fromUtf8(words);
}

} // namespace

class TestRunFiles : public QObject {
    Q_OBJECT

    const QTemporaryDir folder_;

    QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }
    /// Words in the workspace `where`; PATH stands for the generated blocks, OUT… for a file.
    Answer in(const char* where, const QString& words) const {
        QStringList arguments{text("--workspace"), path(where)};
        for (const QString& word : words.split(u' ', Qt::SkipEmptyParts))
            arguments.append(word == text("PATH")           ? path("blocks")
                             : word.startsWith(text("OUT")) ? folder_.filePath(word)
                                                            : word);
        return run(arguments);
    }

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", path("own").toUtf8());
        QCOMPARE(run({text("synth"), text("mixed"), text("-o"), path("blocks"), text("--blocks"),
                      text("2"), text("--tasks"), text("20")})
                     .status,
                 0);
    }

    void spans_travel_and_become_events() {
        const Answer made = in("w", text("replay PATH --strategy speculative --workers 2 --json"));
        QVERIFY2(made.status == 0, made.err.constData());
        const QJsonObject kept = json(made);
        const QString id = kept[text("run")].toString();
        QCOMPARE(in("w", text("runs export %1 -o OUT.json").arg(id)).status, 0);
        const QByteArray file = content(path("OUT.json"));
        QVERIFY(QJsonDocument::fromJson(file).object()[text("spans")].isString());
        // Elsewhere: the same document, and the spans are there.
        const Answer taken = in("elsewhere", text("runs import OUT.json"));
        QVERIFY2(taken.status == 0, taken.err.constData());
        QCOMPARE(in("elsewhere", text("runs show %1").arg(id)).out,
                 in("w", text("runs show %1").arg(id)).out);
        QCOMPARE(in("elsewhere", text("runs import OUT.json")).status, 0); // again: no quarrel
        const Answer events = in("elsewhere", text("report %1 -o OUT.trace.json").arg(id));
        QVERIFY2(events.status == 0, events.err.constData());
        const QJsonObject trace = QJsonDocument::fromJson(content(path("OUT.trace.json"))).object();
        int messages = 0, phases = 0;
        for (const auto& value : trace[text("traceEvents")].toArray()) {
            const QJsonObject event = value.toObject();
            const bool numbered = event[text("args")].toObject().contains(text("task"));
            messages += event[text("cat")].toString() == text("message") && numbered;
            phases += event[text("cat")].toString() == text("phase");
        }
        int tasks = 0;
        for (const auto& block : kept[text("blocks")].toArray())
            tasks += block.toObject()[text("tasks")].toInt();
        QVERIFY2(messages >= tasks / 2, qPrintable(QString::number(messages)));
        QVERIFY(phases >= 6);
        // A damaged file is refused and keeps nothing.
        QByteArray damaged = file;
        damaged.replace("\"spans\": \"", "\"spans\": \"AAAA");
        write(path("OUT-damaged.json"), damaged);
        const Answer refused = in("third", text("runs import OUT-damaged.json"));
        QCOMPARE(refused.status, 3);
    }

    void runs_without_spans_have_none() {
        const Answer made = in("w", text("replay PATH --no-spans --json"));
        QCOMPARE(made.status, 0);
        const QString id = json(made)[text("run")].toString();
        QCOMPARE(in("w", text("report %1 -o OUT2.trace.json").arg(id)).status, 3);
        for (const char* ending : {"html", "pdf", "csv", "json"}) {
            const Answer said = in("w", text("report %1 -o OUT2.%2").arg(id, text(ending)));
            QVERIFY2(said.status == 0, said.err.constData());
            QVERIFY(QFile::exists(folder_.filePath(text("OUT2.%1").arg(text(ending)))));
        }
        QCOMPARE(in("w", text("report %1 -o OUT2.png").arg(id)).status, 2);
    }

    void tuned_replays() {
        QCOMPARE(in("tuned", text("replay PATH --tuned")).status, 3);
        const Answer answer =
            in("tuned", text("tune PATH --workers 1,2 --batch-min 1,64 --batch-max 0,8 --first 1 "
                             "--most 6 --seconds 20 --apply --json"));
        QVERIFY2(answer.status == 0, answer.err.constData());
        const QJsonObject found = json(answer);
        QCOMPARE(found[text("schema")].toString(), text("blockloom.tuning/1"));
        const QJsonArray points = found[text("points")].toArray();
        // Serial once; speculative: 2 workers × (1,0) (1,8) (64,0), but not (64,8).
        QCOMPARE(points.size(), 7);
        for (const auto& point : points)
            QVERIFY(!point.toObject()[text("samples_ns")].toArray().isEmpty());
        const QJsonObject best = found[text("best")].toObject();
        QVERIFY(best[text("in_band")].toBool());
        QCOMPARE(found[text("heat_maps")].toArray().size(), 2);
        QCOMPARE(found[text("code")].toString().size(), 16);
        const Answer replayed = in("tuned", text("replay PATH --tuned --json"));
        QVERIFY2(replayed.status == 0, replayed.err.constData());
        QCOMPARE(json(replayed)[text("strategy")].toString(), best[text("strategy")].toString());
        QCOMPARE(json(replayed)[text("state_digest")].toString(),
                 found[text("state_digest")].toString());
        QCOMPARE(in("tuned", text("tune PATH --batch-min 64 --batch-max 8 --strategies "
                                  "speculative"))
                     .status,
                 2);
    }
};

QTEST_GUILESS_MAIN(TestRunFiles)
#include "test_run_files.moc"
