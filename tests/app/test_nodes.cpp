// The command line on nodes: state and blocks by RPC give the same digests, a secret is nowhere,
// and a chain is followed.
#include "program.h"
#include "range/core_rpc.h"
#include "range/indexed_range.h"
#include "range/indexer_rpc.h"

#include <QDir>
#include <QDirIterator>
#include <QJsonArray>

#include <atomic>

using namespace blockloom;
using namespace blockloom::test;

namespace {

const QByteArray secret = "S3cr3tOf7heNode";

QStringList words(std::initializer_list<const char*> list) {
    QStringList words;
    for (const char* word : list) words << QString::fromLatin1(word);
    return words;
}

QString text(const std::string& bytes) {
    return QString::fromStdString(bytes);
}

/// Every form in which a client of HTTP has it.
bool has_secret(const QByteArray& bytes) {
    const QByteArray pair = "alice:" + secret;
    return bytes.contains(secret) || bytes.contains(pair.toBase64()) ||
           bytes.contains(secret.toBase64()) || bytes.contains(secret.toHex());
}

/// Files with the secret in name or content, but for those that are meant to have it.
QStringList files_with_secret(const QString& folder, const QStringList& but) {
    QStringList found;
    int files = 0;
    for (QDirIterator it(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
         it.hasNext();) {
        const QString path = it.next();
        ++files;
        if (!but.contains(path) && (has_secret(content(path)) || has_secret(path.toUtf8())))
            found << path;
    }
    return files > 5 ? found : QStringList{QStringLiteral("no files")};
}

} // namespace

class TestNodes : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString blocks_;
    std::vector<Bytes> raw_;
    std::vector<IndexedBlock> indexed_;
    QList<QJsonValue> digests_;

    [[nodiscard]] QString path(const char* name) const {
        return folder_.filePath(QString::fromLatin1(name));
    }
    [[nodiscard]] QString height(std::size_t block) const {
        return QString::number(indexed_[block].height);
    }
    static QList<QJsonValue> digests(const Answer& answer) {
        QList<QJsonValue> all;
        for (const QJsonValue& block : json(answer)[QStringLiteral("blocks")].toArray())
            all << block[QStringLiteral("digest")];
        return all;
    }

private Q_SLOTS:
    void initTestCase() {
        blocks_ = path("blocks");
        const Answer made =
            run(words({"--quiet", "synth", "mixed", "--blocks", "4", "--tasks", "40", "-o"})
                << blocks_);
        QVERIFY2(made.status == 0, made.err.constData());
        auto range = index_folder(blocks_.toStdString());
        QVERIFY2(range.ok(), range.ok() ? "" : range.error().message.c_str());
        raw_ = std::move(range->raw);
        indexed_ = std::move(range->indexed);
        const Answer normal =
            run(words({"--quiet", "replay"}) << blocks_ << words({"--no-keep", "--json"}));
        QVERIFY2(normal.status == 0, normal.err.constData());
        digests_ = digests(normal).mid(2);
        QCOMPARE(digests_.size(), 2);
    }

    /// Blocks from Bitcoin Core and state from an indexer, both encrypted and with a password: the
    /// digests are those of the normal replay, every output says what is not certain, and the
    /// password is in no output and no file.
    void digests_are_equal_and_no_secret_is_anywhere() {
        const Certificate own = Certificate::make("DNS:localhost,IP:127.0.0.1");
        write(path("ca.pem"), QByteArray::fromStdString(own.certificate));
        write(path("credentials"), "alice:" + secret + "\n");
        const CoreRpc core(indexed_[0].height, raw_);
        const IndexerRpc rpc(indexed_);
        std::atomic<int> without = 0;
        const auto locked = [&](const ServedRequest& request, auto&& node) {
            if (request.headers.contains("authorization")) return Reply(node(request));
            ++without;
            return Reply::with_status(401, "who?");
        };
        NodeServer blocks([&](const ServedRequest& r) { return locked(r, core); }, own);
        NodeServer state([&](const ServedRequest& r) { return locked(r, rpc); }, own);
        const QString of_core = QStringLiteral("core:") + text(blocks.url());
        const QString of_state = QStringLiteral("metashrew:") + text(state.url());
        const QStringList range{of_core,
                                QStringLiteral("--built-in-code"),
                                QStringLiteral("state"),
                                QStringLiteral("--from"),
                                height(2),
                                QStringLiteral("--to"),
                                height(3)};
        const QStringList given{QStringLiteral("--node-credentials"),
                                path("credentials"),
                                QStringLiteral("--node-ca"),
                                path("ca.pem"),
                                QStringLiteral("--state"),
                                of_state,
                                QStringLiteral("--state-credentials"),
                                path("credentials"),
                                QStringLiteral("--state-ca"),
                                path("ca.pem")};
        const QStringList begin{QStringLiteral("--workspace"), path("w"), QStringLiteral("--log"),
                                QStringLiteral("trace")};
        QVERIFY(QDir().mkpath(path("out")));
        QByteArray said;
        const auto command = [&](const QStringList& arguments) {
            const Answer answer = run(begin + arguments);
            said += answer.out + answer.err;
            return answer;
        };
        const Answer replayed =
            command(words({"replay"}) + range + given +
                    words({"--json", "--no-usage", "--strategy", "speculative", "--workers", "2"}));
        QVERIFY2(replayed.status == 0, replayed.err.constData());
        QCOMPARE(digests(replayed), digests_);
        QCOMPARE(without.load(), 0);
        const QJsonObject settings = json(replayed)[QStringLiteral("settings")].toObject();
        QVERIFY(settings[QStringLiteral("state")].toString().startsWith(of_state));
        QVERIFY(settings[QStringLiteral("state_unknown")][QStringLiteral("balances")].toInt() > 0);
        const QString id = json(replayed)[QStringLiteral("run")].toString();

        const Answer in_words =
            command(words({"replay"}) + range + given + words({"--no-keep", "--no-usage"}));
        QVERIFY2(in_words.status == 0, in_words.err.constData());
        QVERIFY2(in_words.out.contains("Not certain: "), in_words.out.constData());
        const Answer analysed = command(words({"analyze"}) + range + given + words({"--json"}));
        QVERIFY2(analysed.status == 0, analysed.err.constData());
        QVERIFY(json(analysed)[QStringLiteral("state_unknown")].isObject());
        const Answer bundled = command(words({"state", "bundle"}) + range + given +
                                       QStringList{QStringLiteral("-o"), path("out/range.state")});
        QVERIFY2(bundled.status == 0, bundled.err.constData());
        QVERIFY2(bundled.out.contains("Not certain: "), bundled.out.constData());
        for (const char* name : {"out/run.html", "out/run.json"}) {
            const Answer report =
                command({QStringLiteral("report"), id, QStringLiteral("-o"), path(name)});
            QVERIFY2(report.status == 0, report.err.constData());
        }
        QVERIFY(content(path("out/run.html")).contains("Not known"));
        const Answer range_report =
            command(words({"report"}) + range + given +
                    QStringList{QStringLiteral("-o"), path("out/range.html")});
        QVERIFY2(range_report.status == 0, range_report.err.constData());
        QVERIFY(content(path("out/range.html")).contains("Not certain: "));
        for (const char* what : {"list", "show"})
            command(QStringList{QStringLiteral("runs"), QString::fromLatin1(what)} +
                    (qstrcmp(what, "show") == 0 ? QStringList{id} : QStringList()));

        qputenv("BLOCKLOOM_NODE_CREDENTIALS", "alice:" + secret);
        qputenv("BLOCKLOOM_STATE_CREDENTIALS", "alice:" + secret);
        qputenv("SSL_CERT_FILE", path("ca.pem").toUtf8());
        const Answer verified = command({QStringLiteral("runs"), QStringLiteral("verify"), id,
                                         QStringLiteral("--state"), of_state});
        qunsetenv("BLOCKLOOM_NODE_CREDENTIALS");
        qunsetenv("BLOCKLOOM_STATE_CREDENTIALS");
        qunsetenv("SSL_CERT_FILE");
        QVERIFY2(verified.status == 0, verified.err.constData());
        QVERIFY2(verified.out.contains("are equal"), verified.out.constData());

        // What fails may say more than what succeeds.
        write(path("wrong"), "alice:x" + secret);
        QStringList refused = given;
        refused.removeAt(refused.indexOf(QStringLiteral("--node-ca")) + 1);
        refused.removeAll(QStringLiteral("--node-ca"));
        QCOMPARE(command(words({"replay"}) + range + refused).status, 3); // certificate
        NodeServer strict([](const ServedRequest& request) { // and it repeats what it was sent
            return Reply::with_status(401, request.head);
        });
        const Answer denied =
            command({QStringLiteral("analyze"), QStringLiteral("core:") + text(strict.url()),
                     QStringLiteral("--from"), QStringLiteral("1"), QStringLiteral("--to"),
                     QStringLiteral("2"), QStringLiteral("--node-credentials"), path("wrong")});
        QCOMPARE(denied.status, 3);
        QVERIFY2(denied.err.contains("does not accept the credentials"), denied.err.constData());
        for (const char* url :
             {"https://alice:S3cr3tOf7heNode@localhost", "http://alice:S3cr3tOf7heNode@localhost",
              "https://localhost/?key=S3cr3tOf7heNode"}) {
            const QString place = QString::fromLatin1(url);
            for (const char* prefix : {"core:", "rest:", "metashrew:", "", "cor:"}) {
                const Answer one =
                    command({QStringLiteral("analyze"), QString::fromLatin1(prefix) + place,
                             QStringLiteral("--from"), QStringLiteral("1")});
                QVERIFY(one.status == 2 || one.status == 3);
                QVERIFY2(!has_secret(one.err), one.err.constData());
                const Answer other = command(QStringList{QStringLiteral("replay"), blocks_,
                                                         QStringLiteral("--state"),
                                                         QString::fromLatin1(prefix) + place});
                QVERIFY(other.status == 2 || other.status == 3);
                QVERIFY2(!has_secret(other.err), other.err.constData());
            }
        }
        QVERIFY2(!has_secret(said), said.constData());
        // Nothing but the file that is meant to have it, and the wrong one.
        QCOMPARE(files_with_secret(folder_.path(), {path("credentials"), path("wrong")}),
                 QStringList());

        // The bundle replays without any node, and remembers what was not known.
        const Answer again = run(QStringList{QStringLiteral("--quiet"), QStringLiteral("replay"),
                                             blocks_, QStringLiteral("--from"), height(2),
                                             QStringLiteral("--state"), path("out/range.state")} +
                                 words({"--no-keep", "--json"}));
        QVERIFY2(again.status == 0, again.err.constData());
        QCOMPARE(digests(again), digests_);
        QVERIFY(
            json(again)[QStringLiteral("settings")][QStringLiteral("state_unknown")].isObject());
    }

    /// New blocks come as the node has them; those of the branch that loses are reported.
    void a_chain_is_followed_data() {
        QTest::addColumn<bool>("as_json");
        QTest::newRow("text") << false;
        QTest::newRow("JSON") << true;
    }
    void a_chain_is_followed() {
        QFETCH(bool, as_json);
        // Another branch: the last block again, with another time.
        std::vector<Bytes> other = raw_;
        other[3][68] ^= 1;
        CoreRpc core(indexed_[0].height, {raw_.begin(), raw_.begin() + 2});
        std::atomic<int> step = 0;
        NodeServer server([&](const ServedRequest& request) {
            // The chain grows when the block before has been read.
            const Reply reply = core(request);
            if (!request.path.starts_with("/rest/chaininfo")) return reply;
            switch (++step) {
            case 4:
                core.replace(raw_);
                break;
            case 10:
                core.replace(other);
                break;
            default:
                break;
            }
            return reply;
        });
        QProcess process;
        process.start(program(),
                      QStringList{QStringLiteral("--quiet"), QStringLiteral("analyze"),
                                  QStringLiteral("rest:") + text(server.url())} +
                          words({"--chain", "bitcoin", "--follow", "--follow-interval", "0.01"}) +
                          (as_json ? words({"--json"}) : QStringList()));
        // Until the other branch's block has come; an interrupt ends it.
        QByteArray out;
        const auto hash = [](const Bytes& block) {
            return QByteArray::fromStdString(
                to_reversed_hex(chain::list_block_bytes(block, "block").blocks.front().hash));
        };
        const QByteArray last = hash(other[3]);
        WAIT_UNTIL((out += process.readAllStandardOutput()).contains(last) ||
                   process.state() == QProcess::NotRunning);
        QVERIFY2(process.state() == QProcess::Running, process.readAllStandardError().constData());
        process.terminate();
        QVERIFY(process.waitForFinished(without_limit));
        QCOMPARE(process.exitCode(), 130);
        out += process.readAllStandardOutput();
        const QList<QByteArray> lines = out.trimmed().split('\n');
        QCOMPARE(lines.size(), 5);
        // The block that was the last one, two new ones, the replaced one, the new last one.
        const QList<QByteArray> hashes{hash(raw_[1]), hash(raw_[2]), hash(raw_[3]), hash(raw_[3]),
                                       last};
        for (int i = 0; i < 5; ++i) {
            QVERIFY2(lines[i].contains(hashes[i]), out.constData());
            QCOMPARE(lines[i].contains(as_json ? "\"removed\"" : "replaced by another branch"),
                     i == 3);
            if (as_json) QVERIFY(QJsonDocument::fromJson(lines[i]).isObject());
        }
    }

    /// Blocks and the state before each of them from one indexer, up to a height.
    void an_indexer_is_followed() {
        const IndexerRpc rpc(indexed_, raw_);
        NodeServer server([&](const ServedRequest& request) { return rpc(request); });
        const QString place = QStringLiteral("metashrew:") + text(server.url());
        const Answer answer =
            run(QStringList{QStringLiteral("--quiet"), QStringLiteral("analyze"), place,
                            QStringLiteral("--state"), place, QStringLiteral("--from"), height(1),
                            QStringLiteral("--to"), height(3)} +
                words({"--chain", "alkanes", "--built-in-code", "state", "--follow",
                       "--follow-interval", "0.01", "--json"}));
        QVERIFY2(answer.status == 0, answer.err.constData());
        const QList<QByteArray> lines = answer.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        for (int i = 0; i < 3; ++i) {
            const QJsonObject event = QJsonDocument::fromJson(lines[i]).object();
            QCOMPARE(event[QStringLiteral("height")].toInteger(), qint64(indexed_[1 + i].height));
            const QJsonObject analysis = event[QStringLiteral("analysis")].toObject();
            QCOMPARE(analysis[QStringLiteral("chain")].toString(), QStringLiteral("alkanes"));
            QVERIFY(analysis[QStringLiteral("state")].toString().contains(
                QStringLiteral("after block %1,").arg(indexed_[i].height)));
            QVERIFY(analysis[QStringLiteral("state_unknown")].isObject());
        }
    }

    /// Each new block is a run of its own, on the state that the indexer has before it; compared
    /// with the node; with the digests of the normal replay.
    void a_replay_follows_an_indexer_data() {
        QTest::addColumn<bool>("as_json");
        QTest::newRow("text") << false;
        QTest::newRow("JSON") << true;
    }
    void a_replay_follows_an_indexer() {
        QFETCH(bool, as_json);
        const IndexerRpc rpc(indexed_, raw_);
        NodeServer server([&](const ServedRequest& request) { return rpc(request); });
        const CoreRpc core(indexed_[0].height, raw_);
        NodeServer blocks([&](const ServedRequest& request) { return core(request); });
        const Answer answer = run(
            QStringList{QStringLiteral("--quiet"), QStringLiteral("--workspace"),
                        path(as_json ? "followed" : "followed-text"), QStringLiteral("replay"),
                        QStringLiteral("core:") + text(blocks.url()), QStringLiteral("--state"),
                        QStringLiteral("metashrew:") + text(server.url()), QStringLiteral("--from"),
                        height(2), QStringLiteral("--to"), height(3)} +
            words({"--follow", "--follow-interval", "0.01", "--built-in-code", "state", "--check",
                   "--no-usage"}) +
            (as_json ? words({"--json"}) : QStringList()));
        QVERIFY2(answer.status == 0, answer.err.constData());
        const QList<QByteArray> lines = answer.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 2);
        for (int i = 0; i < 2; ++i) {
            const QByteArray digest = digests_[i].toString().toUtf8();
            if (!as_json) {
                QVERIFY2(lines[i].contains(height(2 + i).toUtf8()), answer.out.constData());
                QVERIFY2(lines[i].contains(digest.left(8)), answer.out.constData());
                QVERIFY2(lines[i].contains("node: 0 differences"), answer.out.constData());
                QVERIFY2(lines[i].contains("not certain: "), answer.out.constData());
                continue;
            }
            const QJsonObject event = QJsonDocument::fromJson(lines[i]).object();
            QCOMPARE(event[QStringLiteral("event")].toString(), QStringLiteral("added"));
            QCOMPARE(event[QStringLiteral("height")].toInteger(), qint64(indexed_[2 + i].height));
            const QJsonObject run_of = event[QStringLiteral("run")].toObject();
            QCOMPARE(run_of[QStringLiteral("schema")].toString(),
                     QStringLiteral("blockloom.run/1"));
            QCOMPARE(run_of[QStringLiteral("check")][QStringLiteral("equal")].toBool(), true);
            const QJsonArray of_run = run_of[QStringLiteral("blocks")].toArray();
            QCOMPARE(of_run.size(), 1);
            QCOMPARE(of_run[0][QStringLiteral("digest")], digests_[i]);
            QVERIFY(!run_of[QStringLiteral("run")].toString().isEmpty()); // it is kept
        }
    }

    /// Into a workspace: blocks that the node replaces are undone, the others committed; an
    /// interrupt ends it, and what was committed stays.
    void a_replay_follows_a_reorganisation() {
        std::vector<Bytes> other = raw_;
        other[3][68] ^= 1;
        CoreRpc core(indexed_[0].height, {raw_.begin(), raw_.begin() + 3});
        NodeServer server([&](const ServedRequest& request) { return core(request); });
        const QString workspace = path("reorganised");
        QProcess process;
        process.start(
            program(),
            QStringList{QStringLiteral("--quiet"), QStringLiteral("--workspace"), workspace,
                        QStringLiteral("replay"), QStringLiteral("rest:") + text(server.url()),
                        QStringLiteral("--from"), height(0)} +
                words({"--follow", "--follow-interval", "0.01", "--empty-state", "--built-in-code",
                       "state", "--network", "blockloom", "--no-usage", "--no-keep"}));
        const auto hash = [](const Bytes& block) {
            return QByteArray::fromStdString(
                to_reversed_hex(chain::list_block_bytes(block, "block").blocks.front().hash));
        };
        QByteArray out;
        const auto until = [&](const QByteArray& said) {
            WAIT_UNTIL((out += process.readAllStandardOutput()).contains(said) ||
                       process.state() == QProcess::NotRunning);
            QVERIFY2(process.state() == QProcess::Running,
                     process.readAllStandardError().constData());
        };
        until(hash(raw_[2]));
        if (QTest::currentTestFailed()) return;
        core.replace(raw_);
        until(hash(raw_[3]));
        if (QTest::currentTestFailed()) return;
        core.replace(other); // no longer than what it replaces
        until(hash(other[3]));
        if (QTest::currentTestFailed()) return;
        process.terminate();
        QVERIFY(process.waitForFinished(without_limit));
        QCOMPARE(process.exitCode(), 130);
        out += process.readAllStandardOutput();
        const QList<QByteArray> lines = out.trimmed().split('\n');
        QCOMPARE(lines.size(), 6);
        const QList<QByteArray> hashes{hash(raw_[0]), hash(raw_[1]), hash(raw_[2]),
                                       hash(raw_[3]), hash(raw_[3]), hash(other[3])};
        for (int i = 0; i < 6; ++i) {
            QVERIFY2(lines[i].contains(hashes[i]), out.constData());
            QCOMPARE(lines[i].contains("replaced by another branch"), i == 4);
        }
        const Answer checked = run(QStringList{QStringLiteral("--workspace"), workspace} +
                                   words({"state", "digest", "--json"}));
        QVERIFY2(checked.status == 0, checked.err.constData());
        QVERIFY2(checked.out.contains(hash(other[3])), checked.out.constData());
    }

    /// What the node's RPC tells is compared, and the rest named; kept with the run, in its report
    /// and its document. Tuning and divergence read the state from there, too.
    void a_replay_is_checked_by_rpc() {
        const IndexerRpc rpc(indexed_, raw_);
        NodeServer server([&](const ServedRequest& request) { return rpc(request); });
        const QString place = QStringLiteral("metashrew:") + text(server.url());
        const QStringList begin{QStringLiteral("--quiet"), QStringLiteral("--workspace"),
                                path("checked")};
        const QStringList where{blocks_, QStringLiteral("--from"), height(2),
                                QStringLiteral("--state"), place};
        const Answer answer =
            run(begin + words({"replay"}) + where + words({"--check", "--no-usage", "--json"}));
        QVERIFY2(answer.status == 0, (answer.err + answer.out.right(2000)).constData());
        const QJsonObject check = json(answer)[QStringLiteral("check")].toObject();
        QCOMPARE(check[QStringLiteral("equal")].toBool(), true);
        QCOMPARE(check[QStringLiteral("node")].toString(), place);
        QVERIFY(check[QStringLiteral("events")].toInt() > 50);
        QVERIFY(check[QStringLiteral("keys")].toInt() > 20);
        bool said = false;
        for (const QString& what : check[QStringLiteral("not_compared")].toObject().keys())
            said = said || what.contains(QStringLiteral("does not list"));
        QVERIFY(said);
        const QString id = json(answer)[QStringLiteral("run")].toString();
        const Answer shown =
            run(begin + QStringList{QStringLiteral("runs"), QStringLiteral("show"), id});
        QVERIFY2(shown.status == 0, shown.err.constData());
        QCOMPARE(json(shown)[QStringLiteral("check")].toObject(), check);
        const Answer report = run(begin + QStringList{QStringLiteral("report"), id,
                                                      QStringLiteral("-o"), path("checked.html")});
        QVERIFY2(report.status == 0, report.err.constData());
        QVERIFY(content(path("checked.html")).contains("Compared with the node"));
        const Answer tuned =
            run(begin + words({"tune"}) + where +
                words({"--strategies", "serial", "--workers", "1", "--batch-min", "1",
                       "--batch-max", "0", "--first", "1", "--most", "6", "--json"}));
        QVERIFY2(tuned.status == 0, tuned.err.constData());
    }

    void what_is_refused_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no heights")
            << words({"analyze", "core:http://127.0.0.1:1"}) << 2 << QByteArray("--from H");
        QTest::newRow("which node") << words({"analyze", "http://127.0.0.1:1", "--from", "1"}) << 2
                                    << QByteArray("expected core:");
        QTest::newRow("nobody there")
            << words({"analyze", "core:http://127.0.0.1:1", "--from", "1", "--to", "2"}) << 3
            << QByteArray("tried 2 times");
        QTest::newRow("files cannot be followed")
            << words({"analyze", "demo", "--follow"}) << 2 << QByteArray("one node as the source");
        QTest::newRow("a replay of files cannot be followed")
            << words({"replay", "demo", "--follow"}) << 2 << QByteArray("one node as the source");
        QTest::newRow("a height of one state")
            << words({"analyze", "core:http://127.0.0.1:1", "--follow", "--state",
                      "metashrew:http://127.0.0.1:1", "--state-height", "5"})
            << 2 << QByteArray("each block has a state of its own");
        QTest::newRow("a height instead of the block's")
            << words({"replay", "core:http://127.0.0.1:1", "--follow", "--height", "5"}) << 2
            << QByteArray("each block has a height of its own");
        QTest::newRow("no such credentials")
            << words({"analyze", "core:http://127.0.0.1:1", "--from", "1", "--node-credentials",
                      "/nowhere"})
            << 3 << QByteArray("/nowhere");
        QTest::newRow("a label of a URL")
            << words({"replay", "demo", "--state", "metashrew:http://127.0.0.1:1", "--state-label",
                      "x"})
            << 2 << QByteArray("whose node knows them");
    }
    void what_is_refused() {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        QFETCH(QByteArray, says);
        const Answer answer = run(arguments);
        QVERIFY2(answer.status == status, answer.err.constData());
        QVERIFY2(answer.err.contains(says), answer.err.constData());
    }
};

QTEST_GUILESS_MAIN(TestNodes)
#include "test_nodes.moc"
