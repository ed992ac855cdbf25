// A server of the tests' own, over HTTP or TLS on the loopback interface: answers as a test wants,
// and misbehaves on demand. Plain sockets and a thread for each connection: no event loop is
// needed.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

struct ssl_ctx_st;

namespace blockloom::test {

struct ServedRequest {
    std::string method, path, body;
    std::map<std::string, std::string> headers; ///< names in lower case
    std::string head;                           ///< as it came
};

/// Opened once; whoever waits for it continues.
class Gate {
public:
    void open();
    void wait();

private:
    std::mutex guard_;
    std::condition_variable changed_;
    bool open_ = false;
};

struct Reply {
    int status = 200;
    std::string body{};
    std::vector<std::pair<std::string, std::string>> headers{};

    std::optional<std::uint64_t> claimed_length{}; ///< Content-Length instead of the body's
    std::optional<std::size_t> cut_after{};        ///< then the connection is closed
    bool silent = false;                           ///< never answers
    bool endless = false;                          ///< the body again and again
    bool endless_headers = false;
    Gate* before_second_half = nullptr; ///< waits there until it is open

    // Not inline: GCC 12 warns of the moved string where it is.
    static Reply with_status(int status, std::string body = {});
    static Reply with_body(std::string body);
};

/// A certificate that signs itself, and its key, both as PEM.
struct Certificate {
    std::string certificate, key;
    /// `names` as X.509's subjectAltName has them: "DNS:localhost,IP:127.0.0.1".
    static Certificate make(const std::string& names, bool expired = false);
};

class NodeServer {
public:
    /// Called on the connections' threads, several at once.
    using Answer = std::function<Reply(const ServedRequest&)>;

    explicit NodeServer(Answer answer, const std::optional<Certificate>& certificate = {});
    ~NodeServer();
    NodeServer(const NodeServer&) = delete;
    NodeServer& operator=(const NodeServer&) = delete;

    [[nodiscard]] std::string url(const std::string& host = "127.0.0.1") const;
    [[nodiscard]] int port() const noexcept { return port_; }

    [[nodiscard]] std::vector<ServedRequest> requests() const;
    [[nodiscard]] std::size_t count() const;
    /// The most requests that were being answered at a time.
    [[nodiscard]] std::size_t most_at_once() const;
    /// Returns once so many requests have come.
    void wait_for(std::size_t requests) const;

private:
    class Connection;
    void accept_all();
    void serve(int socket);
    Reply answer_counted(const ServedRequest& request);

    Answer answer_;
    ssl_ctx_st* tls_ = nullptr;
    int listener_ = -1, port_ = 0;
    std::atomic<bool> stopping_ = false;
    mutable std::mutex guard_;
    mutable std::condition_variable changed_;
    std::vector<ServedRequest> requests_;
    std::size_t at_once_ = 0, most_at_once_ = 0;
    std::vector<int> sockets_; ///< open ones
    std::vector<std::jthread> threads_;
    std::jthread accepting_;
};

} // namespace blockloom::test
