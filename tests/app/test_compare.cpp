// blockloom-cli compare: the answer, what is refused, and the gate's exit statuses.
#include "program.h"

#include <QJsonArray>

using namespace blockloom::test;

namespace {

QString text(const char* words) {
    return QString::fromUtf8(words);
}

} // namespace

class TestCompare : public QObject {
    Q_OBJECT

    const QTemporaryDir folder_;

    QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }
    /// Keeps a run and gives its id.
    QString replay(const char* blocks, const char* more) const {
        const Answer made = run(QStringList{text("replay"), path(blocks), text("--json")} +
                                text(more).split(u' ', Qt::SkipEmptyParts));
        return json(made)[text("run")].toString();
    }
    QString exported(const QString& id, const char* file) const {
        const Answer written = run({text("runs"), text("export"), id, text("-o"), path(file)});
        return written.status == 0 ? path(file) : QString();
    }

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", path("own").toUtf8());
        for (const char* name : {"blocks", "others"})
            QCOMPARE(run({text("synth"), text("mixed"), text("-o"), path(name), text("--blocks"),
                          text("2"), text("--tasks"), text("20"), text("--seed"),
                          QString::number(name[0])})
                         .status,
                     0);
    }

    void two_runs_and_the_gate() {
        // The warm-up may be half of them, and an interval needs six.
        const QString a = replay("blocks", "--repeat 16"),
                      b = replay("blocks", "--repeat 16 --engine interpreter");
        QVERIFY(!a.isEmpty() && !b.isEmpty());
        const Answer said = run({text("compare"), a, b});
        QVERIFY2(said.status == 0, said.err.constData());
        QVERIFY(said.out.contains("Results  equal"));
        QVERIFY(said.out.contains("Verdict  "));
        const Answer answer = run({text("compare"), a, b, text("--json")});
        QCOMPARE(answer.status, 0);
        const QJsonObject found = json(answer);
        QCOMPARE(found[text("schema")].toString(), text("blockloom.comparison/1"));
        QCOMPARE(found[text("digests")].toString(), text("equal"));
        QCOMPARE(found[text("blocks")].toArray().size(), 2);
        QCOMPARE(found[text("wall")].toObject()[text("ci95")].toArray().size(), 2);

        // A run against itself is never slower; a limit that is no share is no option.
        const Answer gate =
            run({text("compare"), text("--baseline"), a, a, text("--fail-if-slower"), text("0%")});
        QVERIFY2(gate.status == 0, gate.err.constData());
        QVERIFY(gate.out.contains("Gate     passed"));
        QCOMPARE(run({text("compare"), a, a, text("--fail-if-slower"), text("fast")}).status, 2);

        // Ten times as slow in every sample, in a file: the gate closes.
        QJsonObject slow = QJsonDocument::fromJson(content(exported(a, "a.json"))).object();
        QJsonObject totals = slow[text("totals")].toObject();
        QJsonObject samples = totals[text("samples_ns")].toObject();
        QJsonArray walls;
        const QJsonArray before = samples[text("wall")].toArray();
        QCOMPARE(before.size(), 16);
        for (const auto& wall : before) walls.append(wall.toInteger() * 10);
        samples[text("wall")] = walls;
        totals[text("samples_ns")] = samples;
        slow[text("totals")] = totals;
        slow[text("run")] = text("slow");
        write(path("slow.json"), QJsonDocument(slow).toJson());
        const Answer closed = run({text("compare"), text("--baseline"), a, path("slow.json"),
                                   text("--fail-if-slower"), text("5%")});
        QCOMPARE(closed.status, 1);
        QVERIFY(closed.out.contains("Gate     slower"));

        // Other results: 1 as well, whatever the speed.
        QJsonArray blocks = slow[text("blocks")].toArray();
        QJsonObject block = blocks[1].toObject();
        block[text("digest")] = text("00");
        blocks[1] = block;
        slow[text("blocks")] = blocks;
        write(path("wrong.json"), QJsonDocument(slow).toJson());
        const Answer wrong = run({text("compare"), a, path("wrong.json")});
        QCOMPARE(wrong.status, 1);
        QVERIFY(wrong.out.contains("MISMATCH"));
    }

    /// The comparison as a report: both runs, the verdict, the paper that was asked for.
    void a_report_of_the_comparison() {
        const QString a = replay("blocks", ""), b = replay("blocks", "--engine interpreter");
        const Answer page = run({text("compare"), a, b, text("-o"), path("ab.html")});
        QVERIFY2(page.status == 0, page.err.constData());
        QVERIFY(page.out.contains("Results  equal") && page.out.contains("Report   "));
        const QByteArray html = content(path("ab.html"));
        for (const QString& part : {a, b, text("Comparison"), text("</html>")})
            QVERIFY2(html.contains(part.toUtf8()), qPrintable(part));
        const auto pages = [&](const char* paper) {
            const Answer made = run({text("compare"), a, b, text("--json"), text("-o"),
                                     path("ab.pdf"), text("--paper"), text(paper)});
            // Standard output stays one document.
            if (made.status != 0 || json(made)[text("digests")].toString() != text("equal"))
                return QByteArray();
            return content(path("ab.pdf"));
        };
        const QByteArray a4 = pages("a4"), letter = pages("letter");
        QVERIFY(a4.startsWith("%PDF-") && a4.contains("/MediaBox [ 0 0 595"));
        QVERIFY(letter.contains("/MediaBox [ 0 0 612 792"));

        QCOMPARE(run({text("compare"), a, b, text("-o"), path("ab.csv")}).status, 2);
        QCOMPARE(run({text("compare"), a, b, text("-o"), path("no/ab.pdf")}).status, 3);
        // Runs that cannot be compared leave no file.
        const QString other = replay("others", "");
        QCOMPARE(run({text("compare"), a, other, text("-o"), path("other.html")}).status, 3);
        QVERIFY(!QFile::exists(path("other.html")));
    }

    void what_is_refused() {
        const QString a = replay("blocks", ""), other = replay("others", "");
        const Answer inputs = run({text("compare"), a, other});
        QCOMPARE(inputs.status, 3);
        QVERIFY(inputs.err.contains("not compared"));
        const Answer documented = run({text("compare"), a, other, text("--json")});
        QCOMPARE(documented.status, 3);
        QVERIFY(!json(documented)[text("same_inputs")].toBool());
        const Answer few = run({text("compare"), a, a, text("--fail-if-slower"), text("5%")});
        QCOMPARE(few.status, 3);
        QVERIFY(few.err.contains("12 are enough"));
        QCOMPARE(run({text("compare"), a}).status, 2);
        const Answer none = run({text("compare"), a, text("nobody")});
        QCOMPARE(none.status, 3);
        QVERIFY(none.err.contains("no run \"nobody\""));
    }

    /// Unequal digests lead to their place; a digest that was written into a file does not come
    /// again, and that is said.
    void divergence() {
        const QString a = replay("blocks", "");
        const Answer alike = run({text("compare"), a, a, text("--divergence")});
        QCOMPARE(alike.status, 2);
        QVERIFY(alike.err.contains("the runs do not diverge"));

        QJsonObject wrong = QJsonDocument::fromJson(content(exported(a, "right.json"))).object();
        wrong.remove(text("spans"));
        wrong[text("run")] = text("wrong");
        QJsonArray blocks = wrong[text("blocks")].toArray();
        QJsonObject block = blocks[1].toObject();
        block[text("digest")] = text("00");
        blocks[1] = block;
        wrong[text("blocks")] = blocks;
        write(path("wrong.json"), QJsonDocument(wrong).toJson());
        const Answer again = run({text("compare"), a, path("wrong.json"), text("--divergence")});
        QVERIFY2(again.status == 1, again.err.constData());
        QVERIFY2(again.out.contains("which run A recorded"), again.out.constData());
        const Answer other = run({text("compare"), a, path("wrong.json"), text("--divergence"),
                                  text("--source"), path("others")});
        QCOMPARE(other.status, 3);
        QVERIFY(other.err.contains("the runs executed different blocks"));
    }
};

QTEST_GUILESS_MAIN(TestCompare)
#include "test_compare.moc"
