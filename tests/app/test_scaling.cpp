// blockloom-cli scaling: the points of the kept runs, what is missing, and runs with other results.
#include "program.h"

#include <QJsonArray>

using namespace blockloom::test;

namespace {

QString text(const char* words) {
    return QString::fromUtf8(words);
}

} // namespace

class TestScaling : public QObject {
    Q_OBJECT

    const QTemporaryDir folder_;

    QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }
    /// Keeps a run and gives its id.
    QString replay(const char* more) const {
        const Answer made = run(QStringList{text("replay"), path("blocks"), text("--json")} +
                                text(more).split(u' ', Qt::SkipEmptyParts));
        return json(made)[text("run")].toString();
    }

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", path("own").toUtf8());
        QCOMPARE(run({text("synth"), text("mixed"), text("-o"), path("blocks"), text("--blocks"),
                      text("2"), text("--tasks"), text("20"), text("--seed"), text("7")})
                     .status,
                 0);
    }

    void nothing_is_kept() { QCOMPARE(run({text("scaling")}).status, 3); }

    void points_and_what_is_missing() {
        const QString pair = replay("--backend cpu --strategy speculative --workers 2 --repeat 12");
        QVERIFY(!pair.isEmpty());
        const Answer alone = run({text("scaling"), pair});
        QCOMPARE(alone.status, 0);
        QVERIFY(alone.out.contains("needs a serial run"));

        const QString serial = replay("--backend cpu --strategy serial --repeat 12");
        const Answer answer = run({text("scaling"), pair, text("--json")});
        QVERIFY2(answer.status == 0, answer.err.constData());
        const QJsonObject found = json(answer);
        QCOMPARE(found[text("schema")].toString(), text("blockloom.scaling/1"));
        QCOMPARE(found[text("about")].toString(), pair);
        QCOMPARE(found[text("baseline")].toObject()[text("run")].toString(), serial);
        const double fraction = found[text("serial_fraction")].toDouble();
        QVERIFY(fraction > 0 && fraction < 1);
        QCOMPARE(found[text("series")].toArray().size(), 2);
        const Answer said = run({text("scaling")});
        QVERIFY2(said.out.contains("found 1, 2: run with 1, 2, 4"), said.out.constData());
        QCOMPARE(run({text("scaling"), text("--csv")}).out.count('\n'), 3); // header, two points
        QCOMPARE(run({text("scaling"), text("--csv"), text("--json")}).status, 2);

        // A report of one run finds the others in the workspace.
        QCOMPARE(run({text("report"), pair, text("-o"), path("r.html")}).status, 0);
        const QByteArray html = content(path("r.html"));
        QVERIFY(html.contains("infinitely fast device: 1/f"));
        QVERIFY(html.contains(serial.toUtf8()));
        QCOMPARE(run({text("report"), pair, text("-o"), path("r.scaling.csv")}).status, 0);
        QVERIFY(content(path("r.scaling.csv")).contains(serial.toUtf8()));
    }

    void other_results_are_struck_out() {
        const QString third = replay("--backend cpu --strategy speculative --workers 3 --repeat 2");
        QCOMPARE(run({text("runs"), text("export"), third, text("-o"), path("w.json")}).status, 0);
        QJsonObject wrong = QJsonDocument::fromJson(content(path("w.json"))).object();
        QJsonArray blocks = wrong[text("blocks")].toArray();
        QJsonObject block = blocks[1].toObject();
        block[text("digest")] = QString(64, u'0');
        blocks[1] = block;
        wrong[text("blocks")] = blocks;
        wrong[text("run")] = text("20990101-wrong");
        write(path("w.json"), QJsonDocument(wrong).toJson());
        QCOMPARE(run({text("runs"), text("import"), path("w.json")}).status, 0);
        const Answer said = run({text("scaling"), third});
        QCOMPARE(said.status, 1);
        QVERIFY2(said.out.contains("Excluded: 20990101-wrong, MISMATCH"), said.out.constData());
    }
};

QTEST_GUILESS_MAIN(TestScaling)
#include "test_scaling.moc"
