// JSON, CSV, DOT and GraphML: parsed again by other code, with names that try to break out.
#include "base/utf8.h"
#include "fixtures.h"
#include "range/open_range.h"

#include "places.h"
#include "report/csv.h"
#include "report/graph_export.h"
#include "report/json.h"
#include "report/markup.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QXmlStreamReader>

#include <random>

using namespace blockloom;
using namespace blockloom::test;

namespace {

QJsonObject json_of(const range::Range& range) {
    QJsonParseError error;
    const auto document =
        QJsonDocument::fromJson(QByteArray::fromStdString(report::analysis_json(range)), &error);
    return error.error == QJsonParseError::NoError ? document.object() : QJsonObject();
}

/// A CSV reader after RFC 4180, written apart from the writer.
QList<QStringList> parse_csv(const QByteArray& bytes) {
    QList<QStringList> rows{{}};
    QString field;
    bool quoted = false;
    const QString text = QString::fromUtf8(bytes);
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (quoted) {
            if (c != u'"')
                field += c;
            else if (i + 1 < text.size() && text[i + 1] == u'"')
                field += text[++i];
            else
                quoted = false;
        } else if (c == u'"')
            quoted = true;
        else if (c == u',')
            rows.last().append(std::exchange(field, QString()));
        else if (c == u'\r' && i + 1 < text.size() && text[i + 1] == u'\n') {
            ++i;
            rows.last().append(std::exchange(field, QString()));
            rows.append(QStringList());
        } else
            field += c;
    }
    rows.removeLast();
    return rows;
}

/// Without what XML cannot hold and without what stands in for it.
QString without_replaced(QString text) {
    text.removeIf([](QChar c) {
        return c.unicode() >= 0xFFFD || c == u'\x7f' ||
               (c < u' ' && c != u'\t' && c != u'\n' && c != u'\r');
    });
    return text;
}

} // namespace

class TestFormats : public QObject {
    Q_OBJECT

    const QTemporaryDir folder;

private Q_SLOTS:
    void json_has_the_names_of_the_schema() {
        const auto range = open_demo();
        QVERIFY(range);
        const QJsonObject document = json_of(*range);
        QCOMPARE(document[QLatin1String("schema")].toString(),
                 QStringLiteral("blockloom.analysis/1"));
        for (const char* name : {"source", "chain", "policy", "model", "blocks", "range"})
            QVERIFY2(document.contains(QLatin1String(name)), name);
        const QJsonObject block = document[QLatin1String("blocks")].toArray().at(1).toObject();
        for (const char* name : {"height",
                                 "hash",
                                 "tasks",
                                 "accesses",
                                 "keys",
                                 "conflicting_tasks",
                                 "isolated",
                                 "conflict_pairs",
                                 "raw_pairs",
                                 "war_pairs",
                                 "waw_pairs",
                                 "dependency_edges",
                                 "groups",
                                 "largest_group",
                                 "levels",
                                 "level_sizes",
                                 "single_conflict_rate",
                                 "group_conflict_rate",
                                 "parallel_ratio",
                                 "work",
                                 "span",
                                 "parallelism",
                                 "colouring",
                                 "makespan",
                                 "checks",
                                 "hot_keys",
                                 "times_ns"})
            QVERIFY2(block.contains(QLatin1String(name)), name);
        for (const char* name : {"algorithm", "colours", "reordered_pairs"})
            QVERIFY2(block[QLatin1String("colouring")].toObject().contains(QLatin1String(name)),
                     name);
        for (const char* name : {"workers", "levels", "list", "optimistic"})
            QVERIFY2(block[QLatin1String("makespan")].toArray().at(0).toObject().contains(
                         QLatin1String(name)),
                     name);
        for (const char* name : {"merkle", "witness_commitment"})
            QVERIFY2(block[QLatin1String("checks")].toObject().contains(QLatin1String(name)), name);
        for (const char* name : {"key", "readers", "writers", "conflict_pairs", "gain_if_relaxed"})
            QVERIFY2(block[QLatin1String("hot_keys")].toArray().at(0).toObject().contains(
                         QLatin1String(name)),
                     name);
        // The blocks of the demo were executed, those of a trace were not.
        for (const char* name : {"read", "decode", "trace", "analyse", "schedule", "execute"})
            QVERIFY2(block[QLatin1String("times_ns")].toObject().contains(QLatin1String(name)),
                     name);
        QVERIFY(block[QLatin1String("times_ns")][QLatin1String("execute")].toInteger() > 0);
        const auto imported = open_text(folder, hostile_trace);
        QVERIFY(imported);
        const QJsonObject other = json_of(*imported)[QLatin1String("blocks")][0].toObject();
        QVERIFY(!other[QLatin1String("times_ns")].toObject().contains(QLatin1String("execute")));
    }

    void json_tells_the_figures() {
        const auto range = open_demo();
        const QJsonArray blocks = json_of(*range)[QLatin1String("blocks")].toArray();
        QCOMPARE(blocks.size(), static_cast<qsizetype>(range->blocks.size()));
        for (qsizetype i = 0; i < blocks.size(); ++i) {
            const QJsonObject block = blocks[i].toObject();
            const auto& index = *range->blocks[static_cast<std::size_t>(i)]->analysis.index;
            const auto number = [&](const char* name) {
                return static_cast<std::uint64_t>(block[QLatin1String(name)].toInteger(-1));
            };
            QCOMPARE(number("tasks"), std::uint64_t{index.tasks()});
            QCOMPARE(number("conflict_pairs"), index.pairs.any);
            QCOMPARE(number("isolated") + number("conflicting_tasks"), number("tasks"));
            QCOMPARE(number("levels"), static_cast<std::uint64_t>(index.level_sizes.size()));
            std::uint64_t sum = 0;
            for (const auto& size : block[QLatin1String("level_sizes")].toArray())
                sum += static_cast<std::uint64_t>(size.toInteger());
            QCOMPARE(sum, number("tasks"));
            QCOMPARE(block[QLatin1String("parallelism")].toDouble(), index.parallelism());
            const QJsonObject first = block[QLatin1String("makespan")].toArray().at(0).toObject();
            QCOMPARE(first[QLatin1String("workers")].toInteger(), qint64{1});
            QCOMPARE(static_cast<std::uint64_t>(first[QLatin1String("list")].toInteger()),
                     index.work);
        }
    }

    void json_names_policy_and_model() {
        schedule::AnalysisOptions options;
        options.model = conflict::ConflictModel::multi_version;
        options.policy.ignore = {"y:*"};
        options.policy.coarsen_account = true;
        options.use_cost = true;
        options.colouring.reset();
        const auto range = open_text(folder, hostile_trace, options);
        QVERIFY(range);
        const QJsonObject document = json_of(*range);
        QCOMPARE(document[QLatin1String("model")].toString(), QStringLiteral("multi-version"));
        const QJsonObject policy = document[QLatin1String("policy")].toObject();
        QCOMPARE(policy[QLatin1String("ignore")].toArray().at(0).toString(), QStringLiteral("y:*"));
        QCOMPARE(policy[QLatin1String("coarsen")].toString(), QStringLiteral("account"));
        const QJsonObject block = document[QLatin1String("blocks")].toArray().at(0).toObject();
        QVERIFY(block[QLatin1String("colouring")].isNull());
        QVERIFY(block[QLatin1String("checks")].toObject()[QLatin1String("merkle")].isNull());
        QCOMPARE(block[QLatin1String("span")].toInteger(), qint64{12});
        QCOMPARE(block[QLatin1String("hot_keys")]
                     .toArray()
                     .at(0)
                     .toObject()[QLatin1String("key")]
                     .toString(),
                 QStringLiteral("x:\"a\" & <b>"));
        QCOMPARE(document[QLatin1String("chain")].toString(), QStringLiteral("toy<&>"));
    }

    void csv_round_trips() {
        const auto range = open_text(folder, hostile_trace);
        QVERIFY(range);
        const auto rows = parse_csv(QByteArray::fromStdString(report::analysis_csv(*range)));
        QCOMPARE(rows.size(), qsizetype{3});
        for (const QStringList& row : rows) QCOMPARE(row.size(), rows[0].size());
        const auto cell = [&](qsizetype row, const char* name) {
            return rows[row][rows[0].indexOf(QLatin1String(name))];
        };
        QCOMPARE(cell(1, "height"), QStringLiteral("7"));
        QCOMPARE(cell(1, "hash"), QStringLiteral("'=cmd()")); // no formula
        QCOMPARE(cell(1, "source"),
                 QString::fromStdString(range->blocks[0]->source)); // comma and all
        QCOMPARE(cell(1, "tasks"), QStringLiteral("3"));
        QCOMPARE(cell(1, "level_sizes"), QStringLiteral("2 1"));
        QCOMPARE(cell(1, "makespan_list_2"), QStringLiteral("2"));
        QCOMPARE(cell(2, "tasks"), QStringLiteral("0"));
        QCOMPARE(cell(2, "parallelism"), QStringLiteral("1"));
        QCOMPARE(cell(2, "merkle"), QString());
    }

    void csv_fields() {
        QCOMPARE(report::csv_field("plain"), std::string("plain"));
        QCOMPARE(report::csv_field("a,b"), std::string("\"a,b\""));
        QCOMPARE(report::csv_field("a\"b"), std::string("\"a\"\"b\""));
        QCOMPARE(report::csv_field("-1+2"), std::string("'-1+2"));
    }

    void graphml_is_well_formed_and_whole() {
        for (const auto& range : {open_text(folder, hostile_trace), open_demo()}) {
            QVERIFY(range);
            for (const auto& record : range->blocks) {
                const conflict::ConflictIndex& index = *record->analysis.index;
                QXmlStreamReader xml(
                    QByteArray::fromStdString(report::dependency_graphml(*record)));
                std::size_t nodes = 0, edges = 0;
                QStringList names;
                while (!xml.atEnd()) {
                    xml.readNext();
                    if (!xml.isStartElement()) continue;
                    nodes += xml.name() == QLatin1String("node") ? 1 : 0;
                    edges += xml.name() == QLatin1String("edge") ? 1 : 0;
                    if (xml.name() == QLatin1String("data") &&
                        xml.attributes().value(QLatin1String("key")) == QLatin1String("name"))
                        names.append(xml.readElementText());
                }
                QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
                QCOMPARE(nodes, std::size_t{index.tasks()});
                QCOMPARE(edges, std::size_t{index.edges()});
                for (conflict::TaskId task = 0; task < index.tasks(); ++task)
                    QCOMPARE(names[static_cast<qsizetype>(task)],
                             QString::fromStdString(record->trace->names->printable(task)));
            }
        }
    }

    void dot_is_golden() {
        const auto range = open_text(folder, hostile_trace);
        QFile golden(QStringLiteral(BLOCKLOOM_SOURCE_DIR "/tests/report/golden/hostile.dot"));
        QVERIFY(golden.open(QIODevice::ReadOnly));
        QCOMPARE(QByteArray::fromStdString(report::dependency_dot(*range->blocks[0])),
                 golden.readAll());
    }

    void long_names_are_bounded_and_still_differ() {
        std::string text = "{\"schema\":\"blockloom.trace/1\",\"chain\":\"" +
                           std::string(50'000, 'c') + "\"}\n{\"block\":{\"height\":7}}\n";
        for (const char* last : {"a", "b"}) {
            std::string name;
            for (int i = 0; i < 50'000; ++i) name += "\xC3\xBC"; // ü, in two bytes
            text += "{\"id\":\"" + name + last + "\",\"reads\":[],\"writes\":[\"storage:x\"]}\n";
        }
        const auto range = open_text(folder, text);
        QVERIFY(range != nullptr);
        const std::string dot = report::dependency_dot(*range->blocks[0]);
        // What graphviz reads: no string of more than 16,384 bytes.
        QSet<QString> names;
        for (const QString& part : QString::fromStdString(dot).split(u'"')) {
            QVERIFY(part.toUtf8().size() < 16'000);
            if (part.contains(u'ü')) names.insert(part);
        }
        QCOMPARE(names.size(), qsizetype{2});
        QVERIFY(!QString::fromStdString(dot).contains(QChar::ReplacementCharacter));
        QVERIFY(report::dependency_graphml(*range->blocks[0]).size() < 30'000);
    }

    void paths_that_are_no_utf8_make_valid_documents() {
        const QTemporaryDir place;
        const std::string path = place.path().toStdString() + "/a\xFF\xC3(\xE2\x82.bloomtrace";
        QVERIFY(write_file(path, as_bytes(hostile_trace)).ok());
        range::RangeOptions options;
        options.sources = {path};
        SilentProgress silent;
        const auto range = range::open_range(options, silent, {}, 1);
        QVERIFY(range.ok());
        for (const std::string& document :
             {report::analysis_csv(**range), report::analysis_json(**range),
              report::dependency_dot(*(*range)->blocks[0]),
              report::dependency_graphml(*(*range)->blocks[0])})
            QCOMPARE(valid_utf8(document), document);
    }

    void dot_has_every_edge() {
        const auto range = open_demo();
        for (const auto& record : range->blocks) {
            const QString dot = QString::fromStdString(report::dependency_dot(*record));
            QCOMPARE(static_cast<std::uint64_t>(dot.count(QStringLiteral(" -> "))),
                     record->analysis.index->edges());
        }
    }

    void escaped_text_reads_back() {
        std::mt19937 random(5);
        for (int round = 0; round < 300; ++round) {
            std::string text;
            for (int i = 0; i < 24; ++i) text += static_cast<char>(random());
            const QByteArray xml =
                "<a>" + QByteArray::fromStdString(report::escaped(text)) + "</a>";
            QXmlStreamReader reader(xml);
            reader.readNextStartElement();
            const QString read = reader.readElementText();
            QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
            // What XML can hold comes back, the rest became U+FFFD.
            QCOMPARE(without_replaced(read), without_replaced(QString::fromStdString(text)));
        }
        QCOMPARE(report::escaped("a<b>&\"'"), std::string("a&lt;b&gt;&amp;&quot;&#39;"));
        QCOMPARE(report::escaped("\xC3\xBC \xF0\x9F\x98\x80"),
                 std::string("\xC3\xBC \xF0\x9F\x98\x80"));
        QCOMPARE(report::escaped("\xC0\xAF\x01"),
                 std::string("\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"));
    }
};

QTEST_APPLESS_MAIN(TestFormats)
#include "test_formats.moc"
