// Documents that others wrote, given to the built program: whatever they hold, it ends with a
// status and a sentence; what they name stays where it belongs, and nothing of it steers the
// terminal.
#include "headers/waiting.h"
#include "program.h"
#include "store/kept_folders.h"
#include "store/workspace.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>

using namespace blockloom;
using namespace blockloom::test;

namespace {

QString text(const char* words) {
    return QString::fromUtf8(words);
}

/// A run's document with these members behind schema and id.
QByteArray run_of(const QByteArray& id, const QByteArray& rest = {}) {
    return "{\"schema\":\"blockloom.run/1\",\"run\":\"" + id + '"' + rest + '}';
}

} // namespace

class TestDocuments : public QObject {
    Q_OBJECT

    const QTemporaryDir folder_;

    QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }
    Answer in(const char* where, const QStringList& words, const QString& folder = {}) const {
        return run(QStringList{text("--workspace"), path(where)} + words, folder);
    }
    Answer import(const char* where, const QByteArray& document) const {
        write(path("import.json"), document);
        return in(where, {text("runs"), text("import"), path("import.json")});
    }
    /// Keeps a document without looking at it, as an older version or another program did.
    void keep(const char* where, std::string_view id, const QByteArray& document) const {
        const auto runs = store::open_runs(path(where).toStdString());
        QVERIFY(runs);
        QVERIFY(runs->keep(id, "a summary \x1b[31m", document.toStdString()));
    }
    QStringList listed(const char* where) const {
        const Answer answer = in(where, {text("runs"), text("list"), text("--json")});
        QStringList ids;
        for (const auto& run : QJsonDocument::fromJson(answer.out).array())
            ids.append(run.toObject()[text("run")].toString());
        return ids;
    }

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", path("own").toUtf8());
        QCOMPARE(run({text("synth"), text("independent"), text("-o"), path("blocks"),
                      text("--blocks"), text("2"), text("--tasks"), text("5")})
                     .status,
                 0);
    }

    void a_manifest_of_wrong_types_is_refused_data() {
        QTest::addColumn<QByteArray>("manifest");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("schema") << QByteArray("{\"schema\":1}")
                                << QByteArray("schema: expected a text, found 1");
        QTest::newRow("chain") << QByteArray("{\"schema\":\"blockloom.synth/1\",\"chain\":[]}")
                               << QByteArray("chain: expected a text, found []");
        QTest::newRow("network")
            << QByteArray(
                   "{\"schema\":\"blockloom.synth/1\",\"chain\":\"bitcoin\",\"network\":\"x\"}")
            << QByteArray("network: expected mainnet, regtest or blockloom, found \"x\"");
        QTest::newRow("list") << QByteArray("[1]") << QByteArray("expected an object, found [1]");
        QTest::newRow("deep") << QByteArray(200000, '[') << QByteArray("at most 8 nested arrays");
        QTest::newRow("empty") << QByteArray() << QByteArray("expected JSON");
    }
    void a_manifest_of_wrong_types_is_refused() {
        QFETCH(QByteArray, manifest);
        QFETCH(QByteArray, expected);
        write(path("blocks/synth.json"), manifest);
        for (const char* command : {"analyze", "replay"}) {
            const Answer answer = in("w", {text(command), path("blocks")});
            QCOMPARE(answer.status, 3);
            QVERIFY2(answer.err.contains("synth.json: ") && answer.err.contains(expected),
                     answer.err.constData());
        }
    }

    void runs_of_wrong_types_are_refused_data() {
        QTest::addColumn<QByteArray>("document");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const QByteArray& document, const char* expected) {
            QTest::newRow(name) << document << QByteArray(expected);
        };
        row("schema", "{\"schema\":1,\"run\":\"x\"}", "expected a run (schema blockloom.run/1)");
        row("list", "[]", "expected a run (schema blockloom.run/1)");
        row("no id", "{\"schema\":\"blockloom.run/1\"}", "run: expected a value, found none");
        row("date", run_of("x", ",\"date\":1"), "date: expected a text, found 1");
        row("blocks", run_of("x", ",\"blocks\":{}"), "blocks: expected an array, found {}");
        row("twice", run_of("x", ",\"run\":\"y\""), "expected unique names, found run twice");
        row("number", run_of("x", ",\"settings\":{\"workers\":1e300}"),
            "settings.workers: expected a whole number from 1 to 1048576, found 1e300");
        row("spans", run_of("x", ",\"spans\":[]"), "spans: expected a text, found []");
        row("deep", run_of("x", ",\"x\":" + QByteArray(20000, '[') + QByteArray(20000, ']')),
            "expected at most 16 nested arrays and objects");
        row("deeper", run_of("x", ",\"x\":" + QByteArray(200000, '[')),
            "expected at most 16 nested arrays and objects");
        for (const char* id : {"", "../../../tmp/x", "/tmp/x", "..", "a/b", "a\\u001bb", "-o"})
            row(qPrintable(text("id ") + text(id)), run_of(id), "run: expected an id of 1 to 128");
    }
    void runs_of_wrong_types_are_refused() {
        QFETCH(QByteArray, document);
        QFETCH(QByteArray, expected);
        const Answer answer = import("refused", document);
        QCOMPARE(answer.status, 3);
        QVERIFY2(answer.err.contains("import.json: ") && answer.err.contains(expected),
                 answer.err.constData());
        QVERIFY(!QDir(path("refused")).exists()); // nothing was made
        // The same as a source and as a run to compare.
        for (const char* command : {"compare", "report"}) {
            const QString file = path("import.json");
            const Answer other = text(command) == text("compare")
                                     ? in("w", {text(command), file, file})
                                     : in("w", {text(command), file, text("-o"), path("o.html")});
            QVERIFY2(other.status == 3 && !other.err.isEmpty(), other.err.constData());
        }
    }

    void kept_runs_with_bad_ids_can_be_removed_and_write_nowhere_else() {
        const QByteArray outside = "../../outside";
        QVERIFY(QDir(folder_.path()).mkpath(text("here/deep/er")));
        keep("old", "", run_of(""));
        keep("old", outside.toStdString(), run_of(outside));
        keep("old", std::string("a\x1b[31mb\0", 8), run_of("a\\u001b[31mb\\u0000"));
        keep("old", "good", run_of("good"));
        QCOMPARE(listed("old").size(), qsizetype{4});
        const QString here = path("here/deep/er");
        for (const QByteArray& id : {QByteArray(), outside}) {
            const QString name = QString::fromUtf8(id);
            const Answer refused = in("old", {text("runs"), text("export"), name}, here);
            QVERIFY2(refused.status == 2 && refused.err.contains("-o: expected a file name"),
                     refused.err.constData());
            QCOMPARE(
                in("old", {text("runs"), text("export"), name, text("-o"), text("mine.json")}, here)
                    .status,
                0);
            QVERIFY(QFile::remove(here + text("/mine.json")));
        }
        QVERIFY(QDir(path("here/deep/er")).isEmpty() && QDir(path("here")).count() == 3);
        const Answer list = in("old", {text("runs"), text("list")});
        QVERIFY(list.status == 0 && !list.out.contains('\x1b'));
        // What cannot be typed is deleted as it is shown.
        QCOMPARE(in("old", {text("runs"), text("delete"), text(""), QString::fromUtf8(outside),
                            text("a\uFFFD[31mb\uFFFD")})
                     .status,
                 0);
        QCOMPARE(listed("old"), QStringList{text("good")});
    }

    void runs_are_deleted_all_or_none() {
        for (const char* id : {"a", "b", "c"}) QCOMPARE(import("del", run_of(id)).status, 0);
        const Answer refused = in("del", {text("runs"), text("delete"), text("a"), text("no")});
        QVERIFY(refused.status == 3 && refused.err.contains("no run \"no\""));
        QCOMPARE(listed("del").size(), qsizetype{3});
        QCOMPARE(in("del", {text("runs"), text("delete")}).status, 2);
        const Answer done =
            in("del", {text("runs"), text("delete"), text("c"), text("a"), text("c")});
        QVERIFY(done.status == 0);
        QCOMPARE(done.out, QByteArray("deleted c\ndeleted a\n"));
        QCOMPARE(listed("del"), QStringList{text("b")});
        QCOMPARE(in("none", {text("runs"), text("delete"), text("a")}).status, 3);
        QVERIFY(!QDir(path("none")).exists());
    }

    void an_imported_run_is_listed_with_its_median() {
        QCOMPARE(
            import("median",
                   run_of("m", ",\"date\":\"2026\",\"backend\":\"cpu\",\"strategy\":\"levels\","
                               "\"blocks\":[{\"hash\":\"1\",\"tasks\":3}],\"totals\":{\"wall_ns\":{"
                               "\"median\":7000000},"
                               "\"samples_ns\":{\"wall\":[5000000,7000000,300000000]}}"))
                .status,
            0);
        const QByteArray list = in("median", {text("runs"), text("list")}).out;
        QVERIFY2(list.contains("cpu levels · 1 block · 3 tasks · 7.00 ms"), list.constData());
    }

    void texts_of_others_do_not_steer() {
        const QByteArray name = "x\\u001b[31m\\u009b2J\\u202e<img src=\\\"/etc/passwd\\\">";
        const QByteArray rest =
            ",\"date\":\"NAME\",\"device\":\"NAME\",\"backend\":\"NAME\","
            "\"strategy\":\"NAME\",\"source\":[\"NAME\"],\"version\":\"NAME\",\"note\":\"NAME\","
            "\"later\":\"NAME\","
            "\"machine\":{\"processor\":\"NAME\"},\"baseline\":{\"name\":\"NAME\"},"
            "\"settings\":{\"network\":\"NAME\",\"engine\":\"NAME\"},\"blocks\":[{\"hash\":"
            "\"NAME\",\"tasks\":1,"
            "\"digest\":\"NAME\",\"difference\":\"NAME\",\"ejected\":{\"NAME\":1},\"on_host\":{"
            "\"NAME\":[[0,0]]}}],"
            "\"totals\":{\"wall_ns\":{\"median\":5},\"phases_ns\":{\"execute\":5}}";
        QCOMPARE(import("steer", run_of("a", QByteArray(rest).replace("NAME", name))).status, 0);
        QCOMPARE(import("steer", run_of("b", QByteArray(rest)
                                                 .replace("NAME", name)
                                                 .replace("\"digest\":\"", "\"digest\":\"y")))
                     .status,
                 0);
        const QByteArrayList bad{"\x1b", "\xC2\x9B", "\xE2\x80\xAE"};
        int said = 0;
        for (const QStringList& words : {QStringList{text("runs"), text("list")},
                                         {text("runs"), text("list"), text("--json")},
                                         {text("runs"), text("show"), text("a")},
                                         {text("compare"), text("a"), text("b")},
                                         {text("compare"), text("a"), text("b"), text("--json")},
                                         {text("scaling"), text("a")},
                                         {text("scaling"), text("a"), text("--csv")},
                                         {text("scaling"), text("a"), text("--json")},
                                         {text("render"), text("a")}}) {
            const Answer answer = in("steer", words);
            QVERIFY(answer.status >= 0);
            said += answer.out.contains("[31m");
            for (const QByteArray& control : bad)
                QVERIFY2(!answer.out.contains(control) && !answer.err.contains(control),
                         qPrintable(words.join(u' ')));
        }
        QVERIFY(said >= 4);
        // What `runs show` prints means the same.
        QCOMPARE(json(in("steer", {text("runs"), text("show"), text("a")}))[text("note")]
                     .toString()
                     .toUtf8(),
                 QByteArray("x\x1b[31m\xC2\x9B"
                            "2J\xE2\x80\xAE<img src=\"/etc/passwd\">"));
        QCOMPARE(
            in("steer", {text("report"), text("a"), text("b"), text("-o"), path("o.html")}).status,
            0);
        const QByteArray page = content(path("o.html"));
        QVERIFY(page.contains("&lt;img") && !page.contains("<img") && !page.contains('\x1b'));
    }

    /// Runs lie beside the database: nobody who has the state open is in the way. The state itself
    /// has one writer, and who comes second is informed which process that is.
    void runs_are_kept_while_another_process_writes() {
        write(path("moment.json"), run_of("moment"));
        const auto held = store::Workspace::open(path("moment").toStdString());
        QVERIFY(held.ok());
        for (const QStringList& words :
             {QStringList{text("import"), path("moment.json")}, QStringList{text("list")},
              QStringList{text("show"), text("moment")},
              QStringList{text("export"), text("moment"), text("-o"), path("out.json")}}) {
            const Answer answer = in("moment", QStringList{text("runs")} + words);
            QVERIFY2(answer.status == 0, answer.err.constData());
        }
        QCOMPARE(listed("moment"), QStringList{text("moment")});
        const Answer second = in("moment", {text("replay"), text("demo")});
        QCOMPARE(second.status, 3);
        QVERIFY2(second.err.contains("another Blockloom (process "), second.err.constData());
        QCOMPARE(in("moment", {text("runs"), text("delete"), text("moment")}).status, 0);
        QCOMPARE(listed("moment"), QStringList());
    }

    /// Each took minutes or ten times the machine's memory: a list of members that is searched for
    /// each of them, and names of 4 kB in each row of a table.
    void what_a_document_repeats_is_not_squared() {
        QByteArray members, blocks;
        for (int i = 0; i < 200000; ++i) {
            const QByteArray number = QByteArray::number(i);
            members += (i == 0 ? "\"" : ",\"") + number + "\":1";
            blocks += (i == 0 ? "{\"hash\":\"" : ",{\"hash\":\"") + number + "\"}";
        }
        const QByteArray name(4096, '"'), escaped = QByteArray(name).replace('"', "\\\"");
        QCOMPARE(import("wide", run_of("members", ",\"later\":{" + members + "}")).status, 0);
        QCOMPARE(import("wide", run_of("rows", ",\"device\":\"" + escaped + "\",\"strategy\":\"" +
                                                   escaped + "\",\"blocks\":[" + blocks + "]"))
                     .status,
                 0);
        const auto report = [&](const char* id, const char* file) {
            return in("wide", {text("report"), text(id), text("-o"), path(file)}).status;
        };
        QCOMPARE(report("members", "wide.json"), 0);
        QVERIFY(content(path("wide.json")).contains("\"199999\":1"));
        QCOMPARE(report("rows", "wide.csv"), 0);
        const qint64 size = QFileInfo(path("wide.csv")).size();
        QVERIFY2(size > 200000 * 100 && size < 200000 * 1000, qPrintable(QString::number(size)));
    }

    void a_full_document_is_listed_compared_exported_and_reported() {
        QByteArray blocks;
        for (int i = 0; i < 20000; ++i) {
            const QByteArray number = QByteArray::number(i);
            blocks += (i == 0 ? "" : ",") + ("{\"height\":" + number + ",\"hash\":\"h" + number +
                                             "\",\"digest\":\"d\","
                                             "\"tasks\":9,\"phases_ns\":{\"execute\":5000,"
                                             "\"commit\":100},\"ejected\":{\"floats\":1},"
                                             "\"on_host\":{\"floats\":[[0,3]]}}");
        }
        const QByteArray rest =
            ",\"date\":\"2026\",\"backend\":\"cpu\",\"strategy\":\"serial\",\"blocks\":[" + blocks +
            "],\"totals\":{\"wall_ns\":{\"median\":102000000}}";
        QCOMPARE(import("full", run_of("a", rest)).status, 0);
        QCOMPARE(import("full", run_of("b", rest)).status, 0);
        QCOMPARE(in("full", {text("runs"), text("list")}).status, 0);
        const Answer compared = in("full", {text("compare"), text("a"), text("b")});
        QVERIFY2(compared.status == 0, compared.err.constData());
        QCOMPARE(in("full", {text("runs"), text("export"), text("a"), text("-o"), path("a.json")})
                     .status,
                 0);
        for (const char* ending : {"html", "csv", "json"}) {
            const Answer said = in("full", {text("report"), text("a"), text("b"), text("-o"),
                                            path("full.") + text(ending)});
            QVERIFY2(said.status == 0, said.err.constData());
        }
    }
};

QTEST_GUILESS_MAIN(TestDocuments)
#include "test_documents.moc"
