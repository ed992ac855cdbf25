// Calls of JSON-RPC: what answers may be, what is repeated, and the nodes that speak it.
#include "node/fixtures.h"

#include "node/block_node.h"
#include "node/metashrew_node.h"
#include "node/rpc_answer.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <atomic>
#include <numeric>

using namespace blockloom;
using namespace blockloom::test;
using node::RpcAnswer;
using node::RpcCall;

namespace {

QJsonObject asked(const ServedRequest& request) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(request.body)).object();
}

std::string answer(const QJsonObject& call, const QJsonValue& result) {
    return QJsonDocument(QJsonObject{{QStringLiteral("result"), result},
                                     {QStringLiteral("error"), QJsonValue::Null},
                                     {QStringLiteral("id"), call[QStringLiteral("id")]}})
        .toJson(QJsonDocument::Compact)
        .toStdString();
}

std::string failure(const QJsonObject& call, int code, const char* message) {
    return QJsonDocument(
               QJsonObject{{QStringLiteral("error"),
                            QJsonObject{{QStringLiteral("code"), code},
                                        {QStringLiteral("message"), QString::fromLatin1(message)}}},
                           {QStringLiteral("id"), call[QStringLiteral("id")]}})
        .toJson(QJsonDocument::Compact)
        .toStdString();
}

/// Doubles a number.
Reply doubled(const ServedRequest& request) {
    const QJsonObject call = asked(request);
    return Reply::with_body(answer(call, call[QStringLiteral("params")][0].toInt() * 2));
}

std::vector<RpcCall> doubles(std::size_t count) {
    std::vector<RpcCall> calls;
    for (std::size_t i = 0; i < count; ++i)
        calls.push_back({"double", "[" + std::to_string(i) + "]"});
    return calls;
}

Hash256 hash_of(std::uint64_t height) {
    Hash256 hash{};
    hash[0] = static_cast<Byte>(height);
    hash[31] = 7;
    return hash;
}

} // namespace

class TestJsonRpc : public QObject {
    Q_OBJECT

    JumpingClock clock_;

    Status call(const node::JsonRpc& rpc, std::vector<std::uint64_t>& into) const {
        return rpc.call(doubles(into.size()),
                        [&](std::size_t at, const JsonValue& result) {
                            into[at] += result.required().whole().value_or(0) + 1;
                            return Status();
                        },
                        {});
    }
    node::JsonRpc rpc_of(const NodeServer& server) {
        return node::JsonRpc(*client_of(server.url(), clock_));
    }

private Q_SLOTS:
    void answers_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("kind");
        QTest::newRow("result") << QByteArray(R"({"id":7,"result":"0x","jsonrpc":"2.0"})") << 0;
        QTest::newRow("null") << QByteArray(R"({"id":7,"result":null,"error":null})") << 0;
        QTest::newRow("error") << QByteArray(R"({"id":7,"error":{"code":-5,"message":"no"}})") << 1;
        QTest::newRow("error text") << QByteArray(R"({"id":7,"error":"no"})") << 1;
        QTest::newRow("error of another kind") << QByteArray(R"({"id":7,"error":[1]})") << 1;
        QTest::newRow("another id") << QByteArray(R"({"id":8,"result":1})") << 2;
        QTest::newRow("id as text") << QByteArray(R"({"id":"7","result":1})") << 2;
        QTest::newRow("no id") << QByteArray(R"({"result":1})") << 2;
        QTest::newRow("cut") << QByteArray(R"({"id":7,"result":1)") << 2;
        QTest::newRow("list") << QByteArray(R"([{"id":7,"result":1}])") << 2;
        QTest::newRow("nothing") << QByteArray() << 2;
        QTest::newRow("large") << QByteArray(R"({"id":7,"result":")") + QByteArray(2000, 'x') +
                                      "\"}"
                               << 2;
        QTest::newRow("deep") << QByteArray(500, '[') << 2;
    }
    void answers() {
        QFETCH(QByteArray, text);
        QFETCH(int, kind);
        const RpcAnswer read =
            node::read_rpc_answer({text.constData(), std::size_t(text.size())}, 7, "here", 1000);
        QCOMPARE(int(read.kind), kind);
        if (kind != 0) QVERIFY(!read.message.empty());
    }

    void each_result_goes_to_its_call() {
        NodeServer server(doubled);
        std::vector<std::uint64_t> results(200);
        NODE_OK(call(rpc_of(server), results));
        for (std::size_t i = 0; i < results.size(); ++i) QCOMPARE(results[i], 2 * i + 1);
        for (const ServedRequest& request : server.requests()) {
            QCOMPARE(request.headers.at("content-type"), std::string("application/json"));
            QCOMPARE(request.method, std::string("POST"));
        }
    }

    void what_is_not_an_answer_is_asked_again_data() {
        QTest::addColumn<int>("how");
        QTest::newRow("wrong id") << 0;
        QTest::newRow("cut JSON") << 1;
        QTest::newRow("a page of HTML") << 2;
        QTest::newRow("saturated") << 3;
        QTest::newRow("starting") << 4;
        QTest::newRow("status 500 without JSON") << 5;
        QTest::newRow("nothing") << 6;
    }
    void what_is_not_an_answer_is_asked_again() {
        QFETCH(int, how);
        std::mutex guard;
        std::map<std::string, int> before;
        NodeServer server([&](const ServedRequest& request) {
            QJsonObject call = asked(request);
            {
                const std::lock_guard lock(guard);
                if (before[request.body]++ > 0) return doubled(request);
            }
            Reply reply = doubled(request);
            switch (how) {
            case 0:
                call[QStringLiteral("id")] = call[QStringLiteral("id")].toInt() + 1;
                return Reply::with_body(answer(call, 1));
            case 1:
                reply.body.pop_back();
                return reply;
            case 2:
                return Reply::with_body("<html>try later</html>");
            case 3:
                return Reply::with_body(failure(call, -32001, "saturated"));
            case 4:
                return Reply::with_status(500, failure(call, -28, "Loading block index"));
            case 5:
                return Reply::with_status(500, "Internal");
            default:
                return Reply::with_body("");
            }
        });
        std::vector<std::uint64_t> results(20);
        NODE_OK(call(rpc_of(server), results));
        for (std::size_t i = 0; i < results.size(); ++i) QCOMPARE(results[i], 2 * i + 1);
        QCOMPARE(server.count(), std::size_t{40});
    }

    void errors_of_the_node_end_it_data() {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QString>("says");
        QTest::newRow("error") << 200 << QByteArray() << "reports error -5: no block";
        QTest::newRow("of Bitcoin Core") << 500 << QByteArray() << "reports error -5: no block";
        QTest::newRow("no credentials") << 401 << QByteArray() << "wants credentials";
        QTest::newRow("no such place") << 404 << QByteArray("not here") << "HTTP 404: not here";
        QTest::newRow("other type")
            << 200 << QByteArray("text") << "result: expected a whole number";
    }
    void errors_of_the_node_end_it() {
        QFETCH(int, status);
        QFETCH(QByteArray, body);
        QFETCH(QString, says);
        NodeServer server([&](const ServedRequest& request) {
            if (body == "text")
                return Reply::with_body(answer(asked(request), QStringLiteral("text")));
            return Reply::with_status(status, body.isEmpty()
                                                  ? failure(asked(request), -5, "no block")
                                                  : body.toStdString());
        });
        std::vector<std::uint64_t> results(1);
        const Status failed = call(rpc_of(server), results);
        QVERIFY2(contains(message_of(failed), says.toStdString()) &&
                     contains(message_of(failed), server.url()),
                 message_of(failed).c_str());
        QCOMPARE(server.count(), std::size_t{1});
    }

    void an_indexer_answers() {
        NodeServer server([&](const ServedRequest& request) {
            const QJsonObject call = asked(request);
            const QString method = call[QStringLiteral("method")].toString();
            const QJsonArray given = call[QStringLiteral("params")].toArray();
            if (method == QStringLiteral("metashrew_height"))
                return Reply::with_body(answer(call, QStringLiteral("892614")));
            if (method == QStringLiteral("metashrew_getblockhash")) {
                if (given[0].toInt() > 10) return Reply::with_body(failure(call, -32000, "none"));
                return Reply::with_body(answer(
                    call, QStringLiteral("0x") + QString::fromStdString(to_reversed_hex(
                                                     hash_of(std::uint64_t(given[0].toInt()))))));
            }
            return Reply::with_body(
                answer(call, given[0].toString() == QStringLiteral("odd")
                                 ? QStringLiteral("0xabc")
                                 : given[1].toString() + QString::number(given[2].toInt())));
        });
        const node::MetashrewNode indexer(*client_of(server.url(), clock_));
        const auto height = indexer.height({});
        NODE_OK(height);
        QCOMPARE(*height, std::uint64_t{892614});
        const auto hash = indexer.block_hash(9, {});
        NODE_OK(hash);
        QVERIFY(*hash == hash_of(9));
        const auto none = indexer.block_hash(11, {});
        NODE_OK(none);
        QVERIFY(!*none);
        const auto bytes = indexer.view({"getstorageat", "\x01\xff", 66}, {});
        NODE_OK(bytes);
        QCOMPARE(*bytes, std::string("\x01\xff\x66"));
        const auto odd = indexer.view({"odd", "", 66}, {});
        QVERIFY2(contains(message_of(odd), "hexadecimal digits as the answer of odd"),
                 message_of(odd).c_str());
    }

    void bitcoin_core_answers_data() {
        QTest::addColumn<bool>("rest");
        QTest::newRow("JSON-RPC") << false;
        QTest::newRow("REST") << true;
    }
    void bitcoin_core_answers() {
        QFETCH(bool, rest);
        const auto block = [](std::uint64_t height) {
            return std::string(1000 + height, static_cast<char>(height));
        };
        std::atomic<int> cut = 0;
        NodeServer server([&](const ServedRequest& request) {
            if (rest) {
                const std::string& path = request.path;
                if (path == "/rest/chaininfo.json") return Reply::with_body(R"({"blocks":120})");
                if (path.starts_with("/rest/blockhashbyheight/")) {
                    const auto height = std::stoul(path.substr(24));
                    if (height > 120) return Reply::with_status(404, "Block height out of range");
                    const Hash256 hash = hash_of(height);
                    return Reply::with_body(std::string(hash.begin(), hash.end()));
                }
                Reply reply =
                    Reply::with_body(block(std::stoul(path.substr(12 + 62, 2), nullptr, 16)));
                if (++cut % 2 == 1) reply.cut_after = 500;
                return reply;
            }
            const QJsonObject call = asked(request);
            const QString method = call[QStringLiteral("method")].toString();
            const QJsonValue first = call[QStringLiteral("params")][0];
            if (method == QStringLiteral("getblockcount"))
                return Reply::with_body(answer(call, 120));
            if (method == QStringLiteral("getblockhash")) {
                if (first.toInt() > 120)
                    return Reply::with_status(500, failure(call, -8, "Block height out of range"));
                return Reply::with_body(answer(call, QString::fromStdString(to_reversed_hex(
                                                         hash_of(std::uint64_t(first.toInt()))))));
            }
            Reply reply = Reply::with_body(
                answer(call, QString::fromStdString(to_hex(as_bytes(
                                 block(first.toString().right(2).toULong(nullptr, 16)))))));
            if (++cut % 2 == 1) reply.cut_after = 500;
            return reply;
        });
        auto client = client_of(server.url(), clock_);
        NODE_OK(client);
        const auto core =
            rest ? node::rest_node(*std::move(client)) : node::core_node(*std::move(client));
        const auto tip = core->tip({});
        NODE_OK(tip);
        QCOMPARE(*tip, std::uint64_t{120});
        const auto hashes = core->hashes(101, 20, {});
        NODE_OK(hashes);
        std::vector<std::string> read(20);
        NODE_OK(core->read(*hashes,
                           [&](std::size_t at, const Bytes& bytes) {
                               read[at].append(bytes.begin(), bytes.end());
                               return Status();
                           },
                           {}));
        for (std::size_t i = 0; i < 20; ++i) {
            QVERIFY((*hashes)[i].hash == hash_of(101 + i));
            QVERIFY(read[i] == block(101 + i));
        }
        const auto beyond = core->hashes(119, 3, {});
        QVERIFY2(contains(message_of(beyond), "Block height out of range"),
                 message_of(beyond).c_str());
        const Status stopped = core->read(*hashes,
                                          [](std::size_t, const Bytes&) {
                                              return Status(Error{ErrorCode::bad_input, "enough"});
                                          },
                                          {});
        QCOMPARE(message_of(stopped), std::string("enough"));
    }
};

QTEST_GUILESS_MAIN(TestJsonRpc)
#include "test_json_rpc.moc"
