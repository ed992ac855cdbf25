// The command line on the state of an indexer's database: the same digests, nothing written, and
// clear refusals.
#include "program.h"
#include "range/indexed_range.h"

#include <QJsonArray>

using namespace blockloom;
using namespace blockloom::test;

namespace {

QStringList words(std::initializer_list<const char*> list) {
    QStringList words;
    for (const char* word : list) words << QString::fromLatin1(word);
    return words;
}

} // namespace

class TestStateSource : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString blocks_, node_, first_, last_, changed_key_;
    QList<QJsonValue> digests_;

    [[nodiscard]] QString path(const char* name) const {
        return folder_.filePath(QString::fromLatin1(name));
    }
    QStringList replay(const QStringList& more) const {
        return QStringList{QStringLiteral("--quiet"),
                           QStringLiteral("--workspace"),
                           path("w"),
                           QStringLiteral("replay"),
                           blocks_,
                           QStringLiteral("--from"),
                           first_,
                           QStringLiteral("--no-usage")} +
               more;
    }
    QStringList from_node(const QStringList& more = {}) const {
        return replay(QStringList{QStringLiteral("--state"), QStringLiteral("metashrew:") + node_} +
                      more);
    }
    static QList<QJsonValue> digests(const QJsonObject& run) {
        QList<QJsonValue> all;
        for (const QJsonValue& block : run[QStringLiteral("blocks")].toArray())
            all << block[QStringLiteral("digest")];
        return all;
    }

private Q_SLOTS:
    void initTestCase() {
        blocks_ = path("blocks");
        node_ = path("node");
        const Answer made =
            run(words({"--quiet", "synth", "mixed", "--blocks", "4", "--tasks", "40", "-o"})
                << blocks_);
        QVERIFY2(made.status == 0, made.err.constData());
        const auto range = index_folder(blocks_.toStdString(), wasm::FuelRule::exact);
        QVERIFY2(range.ok(), range.ok() ? "" : range.error().message.c_str());
        const std::vector<IndexedBlock>& indexed = range->indexed;
        QCOMPARE(indexed.size(), std::size_t{4});
        NodeWriter writer(node_.toStdString(), store::NodeLayout::v9);
        write_indexer(writer, indexed, SheetForm::lists);
        std::vector<IndexedBlock> wrong = indexed;
        wrong.back().messages.front().events.front().fuel += 1;
        NodeWriter other(path("wrong").toStdString(), store::NodeLayout::v10);
        write_indexer(other, wrong, SheetForm::messages);
        // One in which a balance that the first block changes was another before it.
        std::vector<IndexedBlock> changed = indexed;
        for (auto& [key, value] : changed[1].after) {
            const auto now = indexed[2].after.find(key);
            if (alkanes::key_kind_text(key.bytes()) != "storage" || value.bytes().size() != 16 ||
                now == indexed[2].after.end() || now->second == value)
                continue;
            std::string bytes(value.bytes());
            bytes[0] = static_cast<char>(bytes[0] ^ 1);
            value = state::Value(bytes);
            changed_key_ = QString::fromStdString(alkanes::key_text(key.bytes()));
            break;
        }
        QVERIFY(!changed_key_.isEmpty());
        NodeWriter third(path("changed").toStdString(), store::NodeLayout::v9);
        write_indexer(third, changed, SheetForm::lists);
        first_ = QString::number(indexed[2].height);
        last_ = QString::number(indexed[1].height);
        const Answer normal =
            run(words({"--quiet", "replay"}) << blocks_ << words({"--no-keep", "--json"}));
        QVERIFY2(normal.status == 0, normal.err.constData());
        digests_ = digests(json(normal)).mid(2);
        QCOMPARE(digests_.size(), 2);
    }

    void replays_on_it_and_changes_nothing() {
        const std::string before = fingerprint(node_.toStdString());
        const Answer answer = run(from_node(
            words({"--json", "--verify", "--strategy", "speculative", "--workers", "2"})));
        QVERIFY2(answer.status == 0, answer.err.constData());
        const QJsonObject document = json(answer);
        QCOMPARE(digests(document), digests_);
        QCOMPARE(document[QStringLiteral("verified")].toBool(), true);
        const QString state =
            document[QStringLiteral("settings")][QStringLiteral("state")].toString();
        QVERIFY2(state.startsWith(QStringLiteral("metashrew:") + node_ +
                                  QStringLiteral(", after block ") + last_),
                 qPrintable(state));
        QVERIFY(document[QStringLiteral("settings")][QStringLiteral("workspace")].isNull());
        QVERIFY(fingerprint(node_.toStdString()) == before);

        // Kept in the workspace, which has no state.
        const QString id = document[QStringLiteral("run")].toString();
        const Answer shown = run({QStringLiteral("--workspace"), path("w"), QStringLiteral("runs"),
                                  QStringLiteral("list")});
        QVERIFY2(shown.out.contains(id.toUtf8()), shown.out.constData());
        const Answer text = run(from_node(words({"--no-keep"})));
        QVERIFY2(text.out.contains("was read from metashrew:"), text.out.constData());

        // Verified later: only with the place.
        const QStringList verify{QStringLiteral("--workspace"), path("w"), QStringLiteral("runs"),
                                 QStringLiteral("verify"), id};
        const Answer without = run(verify);
        QCOMPARE(without.status, 3);
        QVERIFY2(without.err.contains("name the place again"), without.err.constData());
        const Answer with = run(
            verify + QStringList{QStringLiteral("--state"), QStringLiteral("metashrew:") + node_});
        QVERIFY2(with.status == 0, with.err.constData());
        QVERIFY(fingerprint(node_.toStdString()) == before);
    }

    /// With the node's traces and written keys.
    void a_replay_is_checked() {
        const QStringList check = words({"--check", "--fuel", "exact", "--json"});
        const Answer equal = run(from_node(check));
        QVERIFY2(equal.status == 0, (equal.err + equal.out.right(2000)).constData());
        const QJsonObject found = json(equal)[QStringLiteral("check")].toObject();
        QCOMPARE(found[QStringLiteral("equal")].toBool(), true);
        QCOMPARE(found[QStringLiteral("node")].toString(), QStringLiteral("metashrew:") + node_);
        QCOMPARE(found[QStringLiteral("blocks")].toArray().size(), 2);
        for (const char* what : {"messages", "events", "keys", "values"})
            QVERIFY2(found[QString::fromLatin1(what)].toInt() > 20, what);
        QCOMPARE(found[QStringLiteral("differences")].toInt(), 0);
        QVERIFY(found[QStringLiteral("not_compared")].toObject().contains(
            QStringLiteral("keys of the indexer's own: traces")));

        // On a device, too, where there is one.
        const Answer device =
            run(from_node(check + words({"--backend", "vulkan", "--batch-min", "1"})));
        if (device.status != 4) {
            QVERIFY2(device.status == 0, (device.err + device.out.right(2000)).constData());
            const QJsonObject there = json(device)[QStringLiteral("check")].toObject();
            QCOMPARE(there[QStringLiteral("equal")].toBool(), true);
            QCOMPARE(there[QStringLiteral("values")], found[QStringLiteral("values")]);
        }

        const QString before = QString::fromStdString(fingerprint(path("wrong").toStdString()));
        const QStringList wrong =
            replay({QStringLiteral("--state"), QStringLiteral("metashrew:") + path("wrong")});
        const Answer unequal = run(wrong + check);
        QCOMPARE(unequal.status, 1);
        const QJsonObject differs = json(unequal)[QStringLiteral("check")].toObject();
        QCOMPARE(differs[QStringLiteral("equal")].toBool(), false);
        QCOMPARE(differs[QStringLiteral("differences")].toInt(), 1);
        const QJsonObject at = differs[QStringLiteral("listed")].toArray().first().toObject();
        QCOMPARE(at[QStringLiteral("field")].toString(), QStringLiteral("fuel"));
        QVERIFY(at[QStringLiteral("node")] != at[QStringLiteral("replay")]);
        QCOMPARE(QString::fromStdString(fingerprint(path("wrong").toStdString())), before);

        // In words; and kept with the run, so that its report has it.
        const Answer text = run(wrong + words({"--check", "--fuel", "exact"}));
        QCOMPARE(text.status, 1);
        QVERIFY2(text.out.contains("MISMATCH: 1 difference in 1 of 2 blocks; "),
                 text.out.constData());
        QVERIFY2(text.out.contains(": fuel"), text.out.constData());
        const QString id = json(unequal)[QStringLiteral("run")].toString();
        for (const char* kind : {"report.html", "report.json"}) {
            const Answer report =
                run({QStringLiteral("--workspace"), path("w"), QStringLiteral("report"), id,
                     QStringLiteral("-o"), path(kind)});
            QVERIFY2(report.status == 0, report.err.constData());
        }
        QVERIFY(content(path("report.html")).contains("Compared with the node"));
        QVERIFY(
            content(path("report.html")).contains(at[QStringLiteral("node")].toString().toUtf8()));
        QVERIFY(content(path("report.json")).contains("order of messages") ||
                content(path("report.json")).contains("\"field\": \"fuel\""));
    }

    void other_commands_read_it() {
        const QString place = QStringLiteral("metashrew:") + node_;
        const Answer analysis =
            run(words({"--quiet", "analyze"})
                << blocks_ << QStringLiteral("--from") << first_ << QStringLiteral("--state")
                << place << QStringLiteral("--json"));
        QVERIFY2(analysis.status == 0, analysis.err.constData());
        QCOMPARE(json(analysis)[QStringLiteral("blocks")].toArray().size(), 2);
        const Answer tuned = run(
            words({"--quiet", "tune"})
            << blocks_ << QStringLiteral("--from") << first_ << QStringLiteral("--state") << place
            << words({"--strategies", "serial", "--workers", "1", "--batch-min", "1", "--batch-max",
                      "0", "--first", "1", "--most", "6", "--json"}));
        QVERIFY2(tuned.status == 0, tuned.err.constData());
    }

    /// Where two runs on different states part is found on these states.
    void runs_on_two_states_diverge() {
        QStringList ids;
        for (const QString& place : {node_, path("changed")}) {
            const Answer made =
                run(replay({QStringLiteral("--state"), QStringLiteral("metashrew:") + place}) +
                    words({"--json"}));
            QVERIFY2(made.status == 0, made.err.constData());
            ids << json(made)[QStringLiteral("run")].toString();
        }
        const QStringList compare =
            QStringList{QStringLiteral("--quiet"), QStringLiteral("--workspace"), path("w"),
                        QStringLiteral("compare")} +
            ids + words({"--divergence", "--json"});
        const Answer without = run(compare);
        QVERIFY2(without.status == 3, without.out.constData()); // the states are not in a workspace
        const Answer found = run(
            compare + QStringList{QStringLiteral("--state-a"), QStringLiteral("metashrew:") + node_,
                                  QStringLiteral("--state-b"),
                                  QStringLiteral("metashrew:") + path("changed")});
        QVERIFY2(found.status == 1, (found.err + found.out).constData());
        QCOMPARE(QString::number(json(found)[QStringLiteral("block")].toInteger()), first_);
        QVERIFY2(found.out.contains(changed_key_.toUtf8()),
                 (changed_key_.toUtf8() + '\n' + found.out).constData());
    }

    /// By height, with the state before them.
    void blocks_come_from_it_too() {
        const QString source = QStringLiteral("metashrew:") + node_;
        const QString last = QString::number(first_.toULongLong() + 1);
        const Answer answer =
            run(QStringList{QStringLiteral("--quiet"), QStringLiteral("replay"), source,
                            QStringLiteral("--from"), first_, QStringLiteral("--to"), last} +
                words({"--network", "mainnet", "--built-in-code", "state", "--fuel", "exact",
                       "--check", "--no-keep", "--no-usage", "--json"}));
        QVERIFY2(answer.status == 0, (answer.err + answer.out.right(2000)).constData());
        QCOMPARE(digests(json(answer)), digests_);
        QVERIFY(
            json(answer)[QStringLiteral("settings")][QStringLiteral("state")].toString().startsWith(
                source));
        QVERIFY(json(answer)[QStringLiteral("check")][QStringLiteral("equal")].toBool());
        const Answer without = run({QStringLiteral("replay"), source});
        QCOMPARE(without.status, 2);
        QVERIFY2(without.err.contains("--from H --to"), without.err.constData());
    }

    /// What the range reads, as one file: nothing else is needed.
    void a_bundle_replays_without_the_node() {
        const QString file = path("range.state");
        const Answer made = run(words({"--quiet", "state", "bundle"})
                                << blocks_ << QStringLiteral("--from") << first_
                                << QStringLiteral("--state") << QStringLiteral("metashrew:") + node_
                                << QStringLiteral("-o") << file << QStringLiteral("--json"));
        QVERIFY2(made.status == 0, made.err.constData());
        QCOMPARE(json(made)[QStringLiteral("blocks")].toInt(), 2);
        QVERIFY(json(made)[QStringLiteral("keys")].toInt() > 50);
        const QStringList with{QStringLiteral("--state"), file, QStringLiteral("--no-keep"),
                               QStringLiteral("--json")};
        const Answer answer = run(replay(with));
        QVERIFY2(answer.status == 0, answer.err.constData());
        QCOMPARE(digests(json(answer)), digests_);
        const Answer check = run(replay(with + words({"--check"})));
        QCOMPARE(check.status, 2);
        QVERIFY2(check.err.contains("has no records of a node"), check.err.constData());
        // Other blocks, and a file that was changed.
        const Answer other =
            run(QStringList{QStringLiteral("--quiet"), QStringLiteral("replay"), blocks_} + with);
        QCOMPARE(other.status, 3);
        QVERIFY2(other.err.contains("only be executed on the state after its parent"),
                 other.err.constData());
        QByteArray bytes = content(file);
        bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
        write(file, bytes);
        const Answer changed = run(replay(with));
        QCOMPARE(changed.status, 3);
        QVERIFY2(changed.err.contains("range.state"), changed.err.constData());
    }

    void what_is_refused_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("says");
        const QStringList node{QStringLiteral("--state"), QStringLiteral("metashrew:NODE")};
        QTest::newRow("another block's state")
            << node + QStringList{QStringLiteral("--state-height"), QStringLiteral("960100")} << 3
            << QByteArray("indexed another branch");
        QTest::newRow("no database")
            << words({"--state", "metashrew:/nowhere"}) << 3 << QByteArray("CURRENT");
        QTest::newRow("no place") << words({"--state", "somewhere"}) << 2
                                  << QByteArray("expected metashrew:DIR");
        QTest::newRow("a URL") << words({"--state", "http://localhost:8080"}) << 2
                               << QByteArray("expected metashrew: before the URL");
        QTest::newRow("a label alone")
            << words({"--state-label", "x"}) << 2 << QByteArray("expected --state");
        QTest::newRow("another label")
            << node + words({"--state-label", "x"}) << 3 << QByteArray("label x");
        QTest::newRow("a check without a node")
            << words({"--check"}) << 2 << QByteArray("expected --state metashrew:DIR");
        QTest::newRow("bulk") << node + words({"--bulk"}) << 2 << QByteArray("--bulk: not with");
        QTest::newRow("empty state")
            << node + words({"--empty-state"}) << 2 << QByteArray("--empty-state: not with");
        QTest::newRow("another branch")
            << node + words({"--switch-branch"}) << 2 << QByteArray("--switch-branch: not with");
    }
    void what_is_refused() {
        QFETCH(QStringList, options);
        QFETCH(int, status);
        QFETCH(QByteArray, says);
        options.replaceInStrings(QStringLiteral("NODE"), node_);
        const Answer answer = run(replay(options));
        QVERIFY2(answer.status == status, answer.err.constData());
        QVERIFY2(answer.err.contains(says), answer.err.constData());
    }
};

QTEST_GUILESS_MAIN(TestStateSource)
#include "test_state_source.moc"
