// Credentials reach the node that they are meant for, and nothing and nobody else.
#include "node/fixtures.h"

#include "node/json_rpc.h"

#include <algorithm>

using namespace blockloom;
using namespace blockloom::test;
using node::Credentials;
using node::HttpAnswer;
using node::Taken;

namespace {

// Not a word that occurs anywhere else.
const std::string password = "S3cr3tOf7heNode";
const std::string basic = "Basic YWxpY2U6UzNjcjN0T2Y3aGVOb2Rl";

node::TakeAnswer ignore() {
    return [](std::size_t, const HttpAnswer&) { return Taken(); };
}

} // namespace

class TestCredentials : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    JumpingClock clock_;

    [[nodiscard]] node::NodeAccess access(const std::string& content) const {
        node::NodeAccess access;
        access.credentials_file = written(folder_, "credentials", content);
        return access;
    }

private Q_SLOTS:
    void forms_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("fails");
        QTest::newRow("user and password") << QByteArray("alice:pass:word\n") << 1 << QString();
        QTest::newRow("cookie") << QByteArray("__cookie__:0123abcd") << 1 << QString();
        QTest::newRow("token") << QByteArray("Bearer abc.def\r\n") << 2 << QString();
        QTest::newRow("nothing") << QByteArray("") << 0 << "found nothing";
        QTest::newRow("empty line") << QByteArray("\n") << 0 << "found nothing";
        QTest::newRow("no colon") << QByteArray("S3cr3tOf7heNode") << 0 << "no colon";
        QTest::newRow("no user") << QByteArray(":S3cr3tOf7heNode") << 0 << "no user";
        QTest::newRow("no password") << QByteArray("S3cr3tOf7heNode:") << 0 << "no password";
        QTest::newRow("two lines")
            << QByteArray("a:S3cr3tOf7heNode\nb:c\n") << 0 << "several lines";
        QTest::newRow("zero") << QByteArray("a:S3cr3tOf7heNode\0x", 19) << 0 << "control";
        QTest::newRow("two words") << QByteArray("bearer S3cr3tOf7heNode x") << 0 << "another form";
        QTest::newRow("long") << QByteArray("a:") + QByteArray(5000, 'x') << 0 << "more than";
    }
    void forms() {
        QFETCH(QByteArray, text);
        QFETCH(int, kind);
        QFETCH(QString, fails);
        const auto read = Credentials::parse({text.constData(), std::size_t(text.size())}, "FILE");
        if (fails.isEmpty()) {
            NODE_OK(read);
            QCOMPARE(int(read->kind()), kind);
            return;
        }
        const std::string message = message_of(read);
        QVERIFY2(contains(message, fails.toStdString()) && message.starts_with("FILE: expected"),
                 message.c_str());
        QVERIFY(!contains(message, password));
    }

    void the_node_receives_them() {
        NodeServer server([](const ServedRequest&) { return Reply::with_body("{}"); });
        const std::vector<node::HttpRequest> requests{{"/", {}, 100}, {"/", "{}", 100}};
        for (const auto& [content, header] :
             {std::pair{"alice:" + password + "\n", basic},
              std::pair{"bearer " + password, "Bearer " + password}}) {
            const auto client = client_of(server.url(), clock_, access(content));
            NODE_OK(client);
            NODE_OK((*client)->perform(requests, ignore(), {}));
            for (std::size_t i = server.count() - 2; i < server.count(); ++i)
                QCOMPARE(server.requests()[i].headers["authorization"], header);
        }
        node::NodeAccess of_variable;
        of_variable.variable = "BLOCKLOOM_TEST_CREDENTIALS";
        qputenv("BLOCKLOOM_TEST_CREDENTIALS", ("alice:" + password).c_str());
        const auto client = client_of(server.url(), clock_, of_variable);
        qunsetenv("BLOCKLOOM_TEST_CREDENTIALS");
        NODE_OK(client);
        NODE_OK((*client)->perform(requests, ignore(), {}));
        QCOMPARE(server.requests().back().headers["authorization"], basic);
        // Without any, none are sent; what the user's own files say does not matter.
        const auto none = client_of(server.url(), clock_, of_variable);
        NODE_OK(none);
        NODE_OK((*none)->perform(requests, ignore(), {}));
        QVERIFY(!server.requests().back().headers.contains("authorization"));
    }

    /// Bitcoin Core makes a new cookie at each start: the file is read again, once for a request.
    void a_cookie_that_was_renewed() {
        std::string valid = basic;
        std::mutex guard;
        NodeServer server([&](const ServedRequest& request) {
            const std::lock_guard lock(guard);
            return request.headers.at("authorization") == valid
                       ? Reply::with_body("{}")
                       : Reply::with_status(401, request.headers.at("authorization"));
        });
        const auto client = client_of(server.url(), clock_, access("alice:" + password));
        NODE_OK(client);
        const std::vector<node::HttpRequest> requests(20, node::HttpRequest{"/", {}, 100});
        std::size_t answered = 0;
        const node::TakeAnswer take = [&](std::size_t, const HttpAnswer& answer) {
            if (answer.status == 401) return Taken::failed((*client)->refused(answer));
            ++answered;
            return Taken();
        };
        NODE_OK((*client)->perform(requests, take, {}));
        {
            const std::lock_guard lock(guard);
            valid = "Basic Ym9iOkFub3RoZXJTM2NyM3Q="; // bob:AnotherS3cr3t
        }
        const Status refused = (*client)->perform(requests, take, {});
        QVERIFY(contains(message_of(refused), "does not accept the credentials"));
        (void)access("bob:AnotherS3cr3t");
        answered = 0;
        NODE_OK((*client)->perform(requests, take, {}));
        QCOMPARE(answered, std::size_t{20});
        QCOMPARE((*client)->quoted(basic + " " + valid + " " + password + " AnotherS3cr3t"),
                 std::string("Basic [hidden] Basic [hidden] [hidden] [hidden]"));
    }

    /// A proxy of the environment must not see what is meant for this machine.
    void no_proxy_sees_them() {
        NodeServer proxy([](const ServedRequest&) { return Reply::with_body("proxy"); });
        NodeServer server([](const ServedRequest&) { return Reply::with_body("node"); });
        qputenv("http_proxy", proxy.url().c_str());
        const auto client = client_of(server.url(), clock_, access("alice:" + password));
        NODE_OK(client);
        const std::vector<node::HttpRequest> requests{{"/", {}, 100}};
        const Status done = (*client)->perform(requests, ignore(), {});
        qunsetenv("http_proxy");
        NODE_OK(done);
        QCOMPARE(proxy.count(), std::size_t{0});
        QCOMPARE(server.count(), std::size_t{1});
    }

    void not_to_another_machine_without_encryption() {
        for (const char* url : {"http://node.example:8332", "http://192.168.1.2", "http://[::2]",
                                "http://127.0.0.1.example", "http://localhost.example"}) {
            const auto client = client_of(url, clock_, access("alice:" + password));
            QVERIFY2(contains(message_of(client), "expected https://"), message_of(client).c_str());
            QVERIFY(!contains(message_of(client), password));
            QVERIFY(client_of(url, clock_));
        }
        for (const char* url : {"http://localhost:1", "http://127.8.9.1", "http://[::1]:8332",
                                "https://node.example"})
            NODE_OK(client_of(url, clock_, access("alice:" + password)));
    }

    void not_to_where_an_answer_leads_data() {
        QTest::addColumn<int>("status");
        for (const int status : {301, 302, 303, 307, 308}) QTest::addRow("%d", status) << status;
    }
    void not_to_where_an_answer_leads() {
        QFETCH(int, status);
        NodeServer other([](const ServedRequest&) { return Reply::with_body("{}"); });
        NodeServer server([&](const ServedRequest& request) {
            if (request.path == "/here") return Reply::with_body("{}");
            Reply reply = Reply::with_status(status);
            reply.headers = {
                {"Location", request.path == "/own" ? "/here" : other.url() + "/stolen"}};
            return reply;
        });
        const auto client = client_of(server.url(), clock_, access("alice:" + password));
        NODE_OK(client);
        const std::vector<node::HttpRequest> elsewhere{{"/", {}, 100}}, own{{"/own", {}, 100}};
        const Status refused = (*client)->perform(elsewhere, ignore(), {});
        QVERIFY2(contains(message_of(refused), "the credentials are not meant for"),
                 message_of(refused).c_str());
        QVERIFY(!contains(message_of(refused), password));
        QCOMPARE(other.count(), std::size_t{0});
        NODE_OK((*client)->perform(own, ignore(), {}));
        QCOMPARE(server.requests().back().headers["authorization"], basic);
    }

    /// A server that repeats what it was sent, in every way that leads to an error.
    void errors_do_not_repeat_them_data() {
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("body");
        for (const int status : {200, 401, 403, 404, 500, 503})
            for (const int body : {0, 1, 2, 3})
                QTest::addRow("%d, body %d", status, body) << status << body;
    }
    void errors_do_not_repeat_them() {
        QFETCH(int, status);
        QFETCH(int, body);
        NodeServer server([&](const ServedRequest& request) {
            const std::string header = request.headers.at("authorization");
            const std::size_t id = request.body.find("\"id\":") + 5;
            const std::string number = request.body.substr(id, request.body.find(',', id) - id);
            const std::string said = header + " alice:" + password + " " + password;
            std::string json = said;
            if (body == 1)
                json =
                    "{\"id\":" + number + ",\"error\":{\"code\":1,\"message\":\"" + said + "\"}}";
            if (body == 2) json = "{\"id\":" + number + ",\"result\":\"" + said + "\"}";
            if (body == 3) json = "{\"id\":\"" + said + "\"}";
            return Reply::with_status(status, json);
        });
        for (const std::string& content : {"alice:" + password, "bearer " + password}) {
            auto client = client_of(server.url(), clock_, access(content), {.attempts = 2});
            NODE_OK(client);
            const node::JsonRpc rpc(*std::move(client));
            const node::RpcCall call{"getblockcount", "[]"};
            const Status failed = rpc.call({&call, 1},
                                           [](std::size_t, const JsonValue& result) {
                                               (void)result.whole();
                                               return Status();
                                           },
                                           {});
            const std::string message = message_of(failed);
            QVERIFY2(!message.empty(), "no error");
            QVERIFY2(!contains(message, password), message.c_str());
            QVERIFY2(!contains(message, basic.substr(6)), message.c_str());
            if (status == 401) QVERIFY(contains(message, "does not accept the credentials"));
        }
    }

    void urls_data() {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("shown");
        QTest::addColumn<QString>("fails");
        QTest::newRow("plain") << "http://Localhost:8080/"
                               << "http://localhost:8080" << QString();
        QTest::newRow("path") << "https://node.example/v4/x/"
                              << "https://node.example/v4/x" << QString();
        QTest::newRow("user") << "http://alice:S3cr3tOf7heNode@localhost"
                              << ""
                              << "no user name";
        QTest::newRow("user only") << "https://S3cr3tOf7heNode@localhost"
                                   << ""
                                   << "no user name";
        QTest::newRow("malformed user") << "http://alice:S3cr3tOf7heNode@[::1"
                                        << ""
                                        << "no user name";
        QTest::newRow("query") << "https://node.example/?key=S3cr3tOf7heNode"
                               << ""
                               << "none of ? and #";
        QTest::newRow("fragment") << "https://node.example/#S3cr3tOf7heNode"
                                  << ""
                                  << "none of ? and #";
        QTest::newRow("scheme") << "ftp://node.example"
                                << ""
                                << "http:// or https://";
        QTest::newRow("no host") << "http://"
                                 << ""
                                 << "expected a URL";
        QTest::newRow("port") << "http://node:99999"
                              << ""
                              << "expected a URL";
    }
    void urls() {
        QFETCH(QString, url);
        QFETCH(QString, shown);
        QFETCH(QString, fails);
        const auto address = node::node_address(url.toStdString());
        if (fails.isEmpty()) {
            NODE_OK(address);
            QCOMPARE(address->url, shown.toStdString());
            return;
        }
        QVERIFY2(contains(message_of(address), fails.toStdString()), message_of(address).c_str());
        QVERIFY(!contains(message_of(address), password));
    }
};

QTEST_GUILESS_MAIN(TestCredentials)
#include "test_credentials.moc"
