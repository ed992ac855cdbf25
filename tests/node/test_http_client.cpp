// Requests to a server that misbehaves: nothing is lost, limits hold, and nothing depends on the
// machine's clock.
#include "node/fixtures.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

using namespace blockloom;
using namespace blockloom::test;
using node::HttpAnswer;
using node::HttpClient;
using node::HttpLimits;
using node::HttpRequest;
using node::Taken;

namespace {

constexpr Nanoseconds second = JumpingClock::second;

std::vector<HttpRequest> gets(std::size_t count, std::size_t most = 1 << 20) {
    std::vector<HttpRequest> requests;
    for (std::size_t i = 0; i < count; ++i) requests.push_back({"/" + std::to_string(i), {}, most});
    return requests;
}

/// The bodies that were taken, each once.
struct Received {
    std::vector<std::string> bodies;
    std::size_t twice = 0;

    explicit Received(std::size_t count) : bodies(count) {}
    node::TakeAnswer take() {
        return [this](std::size_t at, HttpAnswer answer) -> Taken {
            if (!bodies[at].empty()) ++twice;
            bodies[at] = std::to_string(answer.status) + " " + answer.body;
            return {};
        };
    }
    [[nodiscard]] std::size_t missing() const {
        return static_cast<std::size_t>(std::count(bodies.begin(), bodies.end(), std::string()));
    }
};

Reply echo(const ServedRequest& request) {
    return Reply::with_body("of " + request.path + " " + request.body);
}

} // namespace

class TestHttpClient : public QObject {
    Q_OBJECT

    JumpingClock clock_;

private Q_SLOTS:
    void many_requests_over_few_connections() {
        NodeServer server(echo);
        const auto client = client_of(server.url(), clock_, {}, {.parallel = 4});
        NODE_OK(client);
        Received received(300);
        NODE_OK((*client)->perform(gets(300), received.take(), {}));
        for (std::size_t i = 0; i < 300; ++i)
            QCOMPARE(received.bodies[i], "200 of /" + std::to_string(i) + " ");
        QCOMPARE(received.twice, std::size_t{0});
        QCOMPARE(server.count(), std::size_t{300});
        QVERIFY(server.most_at_once() <= 4);
        QCOMPARE((*client)->counts().requests, std::uint64_t{300});
        QCOMPARE((*client)->counts().repeated, std::uint64_t{0});
        QVERIFY(clock_.slept().empty());
    }

    /// The bound is that of all threads together.
    void threads_share_the_bound() {
        std::atomic<int> under_way = 0, most = 0;
        NodeServer server([&](const ServedRequest& request) {
            const int now = ++under_way;
            int before = most;
            while (before < now && !most.compare_exchange_weak(before, now)) {
            }
            Reply reply = echo(request);
            --under_way;
            return reply;
        });
        const auto client = client_of(server.url(), clock_, {}, {.parallel = 3});
        NODE_OK(client);
        std::atomic<int> failures = 0;
        {
            std::vector<std::jthread> threads;
            for (int t = 0; t < 6; ++t)
                threads.emplace_back([&] {
                    Received received(40);
                    if (!(*client)->perform(gets(40), received.take(), {}) || received.missing())
                        ++failures;
                });
        }
        QCOMPARE(failures.load(), 0);
        QVERIFY2(most <= 3, std::to_string(most).c_str());
        QCOMPARE(server.count(), std::size_t{240});
    }

    void what_fails_is_repeated_data() {
        QTest::addColumn<int>("how");
        QTest::addColumn<int>("status");
        QTest::newRow("429") << 0 << 429;
        QTest::newRow("503") << 0 << 503;
        QTest::newRow("502") << 0 << 502;
        QTest::newRow("cut") << 1 << 200;
        QTest::newRow("cut at once") << 2 << 200;
        QTest::newRow("longer than it says") << 3 << 200;
        QTest::newRow("not HTTP") << 4 << 200;
    }
    /// Every third request fails twice before it succeeds; all arrive, each once.
    void what_fails_is_repeated() {
        QFETCH(int, how);
        QFETCH(int, status);
        std::mutex guard;
        std::map<std::string, int> failed;
        NodeServer server([&](const ServedRequest& request) {
            Reply reply = echo(request);
            const std::lock_guard lock(guard);
            if (std::stoi(request.path.substr(1)) % 3 != 0 || failed[request.path]++ >= 2)
                return reply;
            if (how == 0) return Reply::with_status(status, "busy");
            if (how == 1) reply.cut_after = 3;
            if (how == 2) reply.cut_after = 0;
            if (how == 3) reply.claimed_length = reply.body.size() + 7;
            if (how == 4) reply.status = 99999999;
            return reply;
        });
        const auto client = client_of(server.url(), clock_);
        NODE_OK(client);
        const std::size_t slept = clock_.slept().size();
        Received received(30);
        NODE_OK((*client)->perform(gets(30), received.take(), {}));
        for (std::size_t i = 0; i < 30; ++i)
            QCOMPARE(received.bodies[i], "200 of /" + std::to_string(i) + " ");
        QCOMPARE(received.twice, std::size_t{0});
        QCOMPARE(server.count(), std::size_t{30 + 2 * 10});
        QCOMPARE((*client)->counts().repeated, std::uint64_t{20});
        QVERIFY(clock_.slept().size() > slept);
    }

    void pauses_grow_and_are_those_that_the_node_asks_for() {
        std::atomic<int> asked = 0;
        NodeServer server([&](const ServedRequest&) {
            Reply reply = Reply::with_status(429);
            if (++asked == 7) reply.headers = {{"Retry-After", "77"}};
            return asked == 8 ? Reply::with_body("at last") : reply;
        });
        JumpingClock clock;
        const HttpLimits limits{.attempts = 8, .first_pause = second, .longest_pause = 16 * second};
        const auto client = client_of(server.url(), clock, {}, limits);
        NODE_OK(client);
        Received received(1);
        NODE_OK((*client)->perform(gets(1), received.take(), {}));
        QCOMPARE(received.bodies[0], std::string("200 at last"));
        const auto slept = clock.slept();
        QCOMPARE(slept.size(), std::size_t{7});
        for (std::size_t i = 0; i < 6; ++i) {
            const Nanoseconds longest = std::min(second << i, 16 * second);
            QVERIFY(slept[i] >= longest / 2 && slept[i] <= longest);
        }
        QCOMPARE(slept[6], 77 * second);
    }

    /// Who asks for a pause is asked nothing at all until then.
    void a_pause_is_one_of_all_requests() {
        JumpingClock clock;
        const Nanoseconds begin = clock.now();
        std::mutex guard;
        std::vector<Nanoseconds> asked;
        NodeServer server([&](const ServedRequest& request) {
            const std::lock_guard lock(guard);
            asked.push_back(clock.now() - begin);
            if (asked.size() != 3) return echo(request);
            Reply reply = Reply::with_status(429);
            reply.headers = {{"Retry-After", "50"}};
            return reply;
        });
        const auto client = client_of(server.url(), clock, {}, {.parallel = 1});
        NODE_OK(client);
        Received received(10);
        NODE_OK((*client)->perform(gets(10), received.take(), {}));
        QCOMPARE(received.missing(), std::size_t{0});
        QCOMPARE(asked.size(), std::size_t{11});
        for (std::size_t i = 0; i < 11; ++i) QCOMPARE(asked[i], i < 3 ? 0 : 50 * second);
    }

    void it_ends_when_attempts_are_used_up_and_resumes() {
        std::atomic<bool> down = true;
        NodeServer server([&](const ServedRequest& request) {
            if (down && request.path == "/5") return Reply::with_status(500, "overloaded");
            if (down && request.path == "/6") return Reply::with_status(503, "overloaded");
            return echo(request);
        });
        const auto client = client_of(server.url(), clock_, {}, {.parallel = 1, .attempts = 3});
        NODE_OK(client);
        Received received(10);
        auto requests = gets(10);
        // 500 is for the caller to judge.
        const Status failed = (*client)->perform(requests, received.take(), {});
        QVERIFY2(contains(message_of(failed), "HTTP 503: overloaded (tried 3 times)"),
                 message_of(failed).c_str());
        QCOMPARE(received.bodies[5], std::string("500 overloaded"));
        // What is missing is asked for, and nothing else.
        down = false;
        std::vector<HttpRequest> rest;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < 10; ++i)
            if (received.bodies[i].empty()) {
                rest.push_back(requests[i]);
                places.push_back(i);
            }
        QVERIFY(!rest.empty());
        const std::size_t before = server.count();
        const Status resumed = (*client)->perform(rest,
                                                  [&](std::size_t at, HttpAnswer answer) -> Taken {
                                                      received.bodies[places[at]] = answer.body;
                                                      return {};
                                                  },
                                                  {});
        NODE_OK(resumed);
        QCOMPARE(server.count() - before, rest.size());
        QCOMPARE(received.missing(), std::size_t{0});
    }

    void answers_that_are_too_large_are_refused_data() {
        QTest::addColumn<bool>("endless");
        QTest::addColumn<bool>("headers");
        QTest::newRow("length is too large") << false << false;
        QTest::newRow("says so and sends little") << false << false;
        QTest::newRow("endless") << true << false;
        QTest::newRow("endless headers") << false << true;
    }
    void answers_that_are_too_large_are_refused() {
        QFETCH(bool, endless);
        QFETCH(bool, headers);
        const bool says_so = qstrcmp(QTest::currentDataTag(), "says so and sends little") == 0;
        NodeServer server([&](const ServedRequest&) {
            Reply reply = Reply::with_body(std::string(5000, 'x'));
            reply.endless = endless;
            if (says_so) {
                reply.body = "x";
                reply.claimed_length = 1'000'000'000'000;
            }
            reply.endless_headers = headers;
            return reply;
        });
        const auto client = client_of(server.url(), clock_);
        NODE_OK(client);
        Received received(1);
        const Status failed = (*client)->perform(gets(1, 4999), received.take(), {});
        QVERIFY2(contains(message_of(failed),
                          headers ? "endless headers" : "one of more than 4999 bytes"),
                 message_of(failed).c_str());
        QCOMPARE(server.count(), std::size_t{1}); // there to stay: not repeated
        QCOMPARE(received.missing(), std::size_t{1});
        if (!endless && !headers && !says_so) {
            NODE_OK((*client)->perform(gets(1, 5000), received.take(), {}));
            QCOMPARE(received.bodies[0].size(), std::size_t{5004});
        }
    }

    /// Neither silence nor a slow answer lasts for ever; the clock is the client's.
    void silence_ends() {
        std::atomic<int> asked = 0;
        Gate gate;
        NodeServer server([&](const ServedRequest& request) {
            Reply reply = echo(request);
            const int number = ++asked;
            if (number == 1) reply.silent = true;
            if (number == 2) reply.before_second_half = &gate;
            return reply;
        });
        JumpingClock clock;
        const auto client =
            client_of(server.url(), clock, {}, {.silence = 10 * second, .whole = 60 * second});
        NODE_OK(client);
        Received received(1);
        Status done;
        std::jthread asking([&] { done = (*client)->perform(gets(1), received.take(), {}); });
        server.wait_for(1);
        clock.advance(11 * second);
        server.wait_for(2); // asked again; half an answer comes, before or after this
        clock.advance(61 * second);
        server.wait_for(3);
        asking.join();
        gate.open();
        NODE_OK(done);
        QCOMPARE(received.bodies[0], std::string("200 of /0 "));
        QCOMPARE((*client)->counts().repeated, std::uint64_t{2});
    }

    void a_stop_ends_it_at_once() {
        NodeServer server([&](const ServedRequest& request) {
            Reply reply = echo(request);
            reply.silent = request.path != "/0";
            return reply;
        });
        const auto client = client_of(server.url(), clock_);
        NODE_OK(client);
        Received received(3);
        std::stop_source stop;
        Status done;
        std::jthread asking(
            [&] { done = (*client)->perform(gets(3), received.take(), stop.get_token()); });
        server.wait_for(3);
        stop.request_stop();
        asking.join();
        QVERIFY(!done);
        QCOMPARE(done.error().code, ErrorCode::cancelled);
        QVERIFY(!(*client)->perform(gets(3), received.take(), stop.get_token()));
        QCOMPARE(server.count(), std::size_t{3});
    }

    void nobody_answers() {
        std::string url;
        {
            NodeServer server(echo);
            url = server.url();
        }
        const auto client = client_of(url, clock_);
        NODE_OK(client);
        Received received(2);
        const Status failed = (*client)->perform(gets(2), received.take(), {});
        QVERIFY2(contains(message_of(failed), "(tried 2 times)"), message_of(failed).c_str());
        QVERIFY(contains(message_of(failed), url));
    }

    void redirects_data() {
        QTest::addColumn<int>("status");
        QTest::addColumn<bool>("post");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("fails");
        QTest::newRow("here, GET") << 302 << false << "/moved" << QString();
        QTest::newRow("here, POST") << 307 << true << "/moved" << QString();
        QTest::newRow("here, POST that becomes GET") << 302 << true << "/moved"
                                                     << "drops the question";
        QTest::newRow("elsewhere") << 308 << true << "OTHER/moved" << QString();
        QTest::newRow("round and round") << 302 << false << "/0"
                                         << "more than 5 redirects";
        QTest::newRow("to a file") << 302 << false << "file:///etc/passwd"
                                   << "leads nowhere";
        QTest::newRow("nowhere") << 302 << false << ""
                                 << "leads nowhere";
    }
    void redirects() {
        QFETCH(int, status);
        QFETCH(bool, post);
        QFETCH(QString, to);
        QFETCH(QString, fails);
        NodeServer other(echo);
        NodeServer server([&](const ServedRequest& request) {
            if (request.path == "/moved") return echo(request);
            Reply reply = Reply::with_status(status);
            if (!to.isEmpty())
                reply.headers = {{"Location", QString(to)
                                                  .replace(QStringLiteral("OTHER"),
                                                           QString::fromStdString(other.url()))
                                                  .toStdString()}};
            return reply;
        });
        const auto client = client_of(server.url(), clock_);
        NODE_OK(client);
        auto requests = gets(1);
        if (post) requests[0].body = "{}";
        Received received(1);
        const Status done = (*client)->perform(requests, received.take(), {});
        if (fails.isEmpty()) {
            NODE_OK(done);
            QCOMPARE(received.bodies[0], std::string("200 of /moved ") + (post ? "{}" : ""));
        } else {
            QVERIFY2(contains(message_of(done), fails.toStdString()), message_of(done).c_str());
        }
        QCOMPARE(other.count(), std::size_t{to.startsWith(QStringLiteral("OTHER")) ? 1U : 0U});
    }

    void encrypted() {
        const QTemporaryDir folder;
        const Certificate own = Certificate::make("DNS:localhost,IP:127.0.0.1");
        NodeServer server(echo, own);
        node::NodeAccess access;
        access.ca_file = written(folder, "ca.pem", own.certificate);
        Received received(20);
        const auto client = client_of(server.url(), clock_, access);
        NODE_OK(client);
        NODE_OK((*client)->perform(gets(20), received.take(), {}));
        QCOMPARE(received.missing(), std::size_t{0});
        // The same server, but nothing vouches for it.
        const auto stranger = client_of(server.url(), clock_);
        NODE_OK(stranger);
        const Status failed = (*stranger)->perform(gets(1), received.take(), {});
        QVERIFY2(contains(message_of(failed), "expected a certificate that is trusted"),
                 message_of(failed).c_str());
        QCOMPARE(server.count(), std::size_t{20});
        // A folder, and what is no certificate.
        access.ca_file = folder.path().toStdString();
        QVERIFY(!client_of(server.url(), clock_, access));
        access.ca_file = written(folder, "no.pem", "nothing\n");
        const auto wrong = client_of(server.url(), clock_, access);
        if (wrong) QVERIFY(!(*wrong)->perform(gets(1), received.take(), {}));
    }

    void certificates_of_others_are_refused_data() {
        QTest::addColumn<QString>("names");
        QTest::addColumn<bool>("expired");
        QTest::newRow("another name") << "DNS:node.example" << false;
        QTest::newRow("expired") << "DNS:localhost,IP:127.0.0.1" << true;
    }
    void certificates_of_others_are_refused() {
        QFETCH(QString, names);
        QFETCH(bool, expired);
        const QTemporaryDir folder;
        const Certificate own = Certificate::make(names.toStdString(), expired);
        NodeServer server(echo, own);
        node::NodeAccess access;
        access.ca_file = written(folder, "ca.pem", own.certificate);
        const auto client = client_of(server.url("localhost"), clock_, access);
        NODE_OK(client);
        Received received(1);
        const Status failed = (*client)->perform(gets(1), received.take(), {});
        QVERIFY2(contains(message_of(failed), "expected a certificate that is trusted"),
                 message_of(failed).c_str());
        QCOMPARE(server.count(), std::size_t{0});
    }

    void no_way_from_encrypted_to_plain() {
        const QTemporaryDir folder;
        const Certificate own = Certificate::make("IP:127.0.0.1");
        NodeServer plain(echo);
        NodeServer server(
            [&](const ServedRequest&) {
                Reply reply = Reply::with_status(307);
                reply.headers = {{"Location", plain.url() + "/"}};
                return reply;
            },
            own);
        node::NodeAccess access;
        access.ca_file = written(folder, "ca.pem", own.certificate);
        const auto client = client_of(server.url(), clock_, access);
        NODE_OK(client);
        Received received(1);
        const Status failed = (*client)->perform(gets(1), received.take(), {});
        QVERIFY2(contains(message_of(failed), "not encrypted"), message_of(failed).c_str());
        QCOMPARE(plain.count(), std::size_t{0});
    }
};

QTEST_GUILESS_MAIN(TestHttpClient)
#include "test_http_client.moc"
