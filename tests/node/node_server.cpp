#include "node/node_server.h"

#include <arpa/inet.h>
#include <csignal>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace blockloom::test {
namespace {

std::string lower(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    return text;
}

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "NodeServer: %s: %s\n", what, std::strerror(errno));
    std::abort();
}

ServedRequest request_of(const std::string& head) {
    ServedRequest request;
    request.head = head;
    const std::size_t line = head.find("\r\n");
    const std::string first = head.substr(0, line);
    const std::size_t space = first.find(' '), second = first.find(' ', space + 1);
    request.method = first.substr(0, space);
    request.path = first.substr(space + 1, second - space - 1);
    for (std::size_t at = line + 2; at < head.size();) {
        const std::size_t end = std::min(head.find("\r\n", at), head.size());
        const std::size_t colon = head.find(':', at);
        if (colon < end) {
            std::string value = head.substr(colon + 1, end - colon - 1);
            value.erase(0, value.find_first_not_of(' '));
            request.headers[lower(head.substr(at, colon - at))] = value;
        }
        at = end + 2;
    }
    return request;
}

std::string pem_of(const std::function<int(BIO*)>& write) {
    BIO* const memory = BIO_new(BIO_s_mem());
    require(write(memory) == 1, "PEM");
    char* text = nullptr;
    const long size = BIO_get_mem_data(memory, &text);
    std::string pem(text, static_cast<std::size_t>(size));
    BIO_free(memory);
    return pem;
}

} // namespace

Reply Reply::with_status(int status, std::string body) {
    Reply reply;
    reply.status = status;
    reply.body = std::move(body);
    return reply;
}

Reply Reply::with_body(std::string body) {
    return with_status(200, std::move(body));
}

void Gate::open() {
    const std::lock_guard lock(guard_);
    open_ = true;
    changed_.notify_all();
}

void Gate::wait() {
    std::unique_lock lock(guard_);
    changed_.wait(lock, [this] { return open_; });
}

Certificate Certificate::make(const std::string& names, bool expired) {
    EVP_PKEY* const key = EVP_EC_gen("P-256");
    X509* const x509 = X509_new();
    require(key != nullptr && x509 != nullptr, "certificate");
    constexpr long day = 86400;
    X509_set_version(x509, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(x509), 1);
    X509_gmtime_adj(X509_getm_notBefore(x509), -10 * day);
    X509_gmtime_adj(X509_getm_notAfter(x509), expired ? -5 * day : 10 * day);
    X509_set_pubkey(x509, key);
    X509_NAME* const name = X509_get_subject_name(x509);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("blockloom test"), -1, -1, 0);
    X509_set_issuer_name(x509, name);
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, x509, x509, nullptr, nullptr, 0);
    for (const auto& [kind, value] : {std::pair<int, std::string>{NID_subject_alt_name, names},
                                      {NID_basic_constraints, "critical,CA:TRUE"}}) {
        X509_EXTENSION* const extension =
            X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
        require(extension != nullptr, "extension");
        X509_add_ext(x509, extension, -1);
        X509_EXTENSION_free(extension);
    }
    require(X509_sign(x509, key, EVP_sha256()) != 0, "signature");
    Certificate made;
    made.certificate = pem_of([&](BIO* to) { return PEM_write_bio_X509(to, x509); });
    made.key = pem_of([&](BIO* to) {
        return PEM_write_bio_PrivateKey(to, key, nullptr, nullptr, 0, nullptr, nullptr);
    });
    X509_free(x509);
    EVP_PKEY_free(key);
    return made;
}

/// One socket, encrypted or not.
class NodeServer::Connection {
public:
    Connection(int socket, ssl_ctx_st* tls) : socket_(socket) {
        if (tls == nullptr) return;
        ssl_ = SSL_new(tls);
        SSL_set_fd(ssl_, socket);
        if (SSL_accept(ssl_) != 1) failed_ = true;
        ERR_clear_error();
    }
    ~Connection() {
        if (ssl_ != nullptr) {
            if (!failed_ && !broken_) SSL_shutdown(ssl_);
            SSL_free(ssl_);
        }
        ERR_clear_error();
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    [[nodiscard]] bool usable() const noexcept { return !failed_; }
    /// Appends what comes; false at the end.
    bool receive(std::string& to) {
        char bytes[16384];
        const auto size = ssl_ != nullptr
                              ? static_cast<ssize_t>(SSL_read(ssl_, bytes, sizeof bytes))
                              : ::recv(socket_, bytes, sizeof bytes, 0);
        if (size <= 0) return false;
        to.append(bytes, static_cast<std::size_t>(size));
        return true;
    }
    bool send(std::string_view bytes) {
        while (!bytes.empty()) {
            const std::size_t piece = std::min<std::size_t>(bytes.size(), 1U << 20U);
            const auto size =
                ssl_ != nullptr
                    ? static_cast<ssize_t>(SSL_write(ssl_, bytes.data(), static_cast<int>(piece)))
                    : ::send(socket_, bytes.data(), piece, MSG_NOSIGNAL);
            if (size <= 0) {
                broken_ = true;
                return false;
            }
            bytes.remove_prefix(static_cast<std::size_t>(size));
        }
        return true;
    }

private:
    int socket_;
    SSL* ssl_ = nullptr;
    bool failed_ = false, broken_ = false;
};

namespace {

/// False: nothing more can be sent here.
template <typename Connection> bool send_reply(Connection& connection, const Reply& reply) {
    if (reply.silent) {
        std::string ignored;
        while (connection.receive(ignored)) ignored.clear(); // until the other side leaves
        return false;
    }
    std::string head = "HTTP/1.1 " + std::to_string(reply.status) + " Status\r\n";
    for (const auto& [name, value] : reply.headers) head += name + ": " + value + "\r\n";
    if (reply.endless_headers) {
        while (connection.send(head)) head = "X-More: " + std::string(1000, 'x') + "\r\n";
        return false;
    }
    if (reply.endless) {
        if (!connection.send(head + "Connection: close\r\n\r\n")) return false;
        while (connection.send(reply.body)) {
        }
        return false;
    }
    head += "Content-Length: " + std::to_string(reply.claimed_length.value_or(reply.body.size())) +
            "\r\n\r\n";
    std::string_view body = reply.body;
    if (reply.cut_after) body = body.substr(0, *reply.cut_after);
    if (reply.before_second_half != nullptr) {
        const std::string first = head + std::string(body.substr(0, body.size() / 2));
        if (!connection.send(first)) return false;
        reply.before_second_half->wait();
        return connection.send(body.substr(body.size() / 2));
    }
    const bool sent = connection.send(head + std::string(body));
    return sent && !reply.cut_after && !reply.claimed_length;
}

} // namespace

NodeServer::NodeServer(Answer answer, const std::optional<Certificate>& certificate)
    : answer_(std::move(answer)) {
    std::signal(SIGPIPE, SIG_IGN);
    if (certificate) {
        tls_ = SSL_CTX_new(TLS_server_method());
        BIO* const bytes = BIO_new_mem_buf(certificate->certificate.data(),
                                           static_cast<int>(certificate->certificate.size()));
        X509* const x509 = PEM_read_bio_X509(bytes, nullptr, nullptr, nullptr);
        BIO* const key_bytes =
            BIO_new_mem_buf(certificate->key.data(), static_cast<int>(certificate->key.size()));
        EVP_PKEY* const key = PEM_read_bio_PrivateKey(key_bytes, nullptr, nullptr, nullptr);
        require(SSL_CTX_use_certificate(tls_, x509) == 1 && SSL_CTX_use_PrivateKey(tls_, key) == 1,
                "certificate");
        X509_free(x509);
        EVP_PKEY_free(key);
        BIO_free(bytes);
        BIO_free(key_bytes);
    }
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    require(listener_ >= 0, "socket");
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    require(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0, "bind");
    require(::listen(listener_, 64) == 0, "listen");
    socklen_t size = sizeof address;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    accepting_ = std::jthread([this] { accept_all(); });
}

NodeServer::~NodeServer() {
    stopping_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    accepting_.join();
    ::close(listener_);
    {
        const std::lock_guard lock(guard_);
        for (const int socket : sockets_) ::shutdown(socket, SHUT_RDWR);
    }
    threads_.clear(); // joins
    if (tls_ != nullptr) SSL_CTX_free(tls_);
}

void NodeServer::accept_all() {
    while (!stopping_) {
        const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (socket < 0) {
            if (stopping_ || errno == EINVAL) return;
            continue;
        }
        const std::lock_guard lock(guard_);
        sockets_.push_back(socket);
        threads_.emplace_back([this, socket] { serve(socket); });
    }
}

Reply NodeServer::answer_counted(const ServedRequest& request) {
    {
        const std::lock_guard lock(guard_);
        requests_.push_back(request);
        most_at_once_ = std::max(most_at_once_, ++at_once_);
        changed_.notify_all();
    }
    return answer_(request);
}

void NodeServer::serve(int socket) {
    {
        Connection connection(socket, tls_);
        std::string received;
        while (connection.usable() && !stopping_) {
            std::size_t end = std::string::npos;
            while ((end = received.find("\r\n\r\n")) == std::string::npos)
                if (!connection.receive(received)) break;
            if (end == std::string::npos) break;
            ServedRequest request = request_of(received.substr(0, end));
            received.erase(0, end + 4);
            const auto length = request.headers.find("content-length");
            const std::size_t body =
                length == request.headers.end() ? 0 : std::stoul(length->second);
            while (received.size() < body && connection.receive(received)) {
            }
            if (received.size() < body) break;
            request.body = received.substr(0, body);
            received.erase(0, body);
            const bool more = send_reply(connection, answer_counted(request));
            {
                const std::lock_guard lock(guard_);
                --at_once_;
            }
            if (!more) break;
        }
    }
    const std::lock_guard lock(guard_);
    std::erase(sockets_, socket);
    ::close(socket);
}

std::string NodeServer::url(const std::string& host) const {
    return (tls_ != nullptr ? "https://" : "http://") + host + ":" + std::to_string(port_);
}

std::vector<ServedRequest> NodeServer::requests() const {
    const std::lock_guard lock(guard_);
    return requests_;
}

std::size_t NodeServer::count() const {
    const std::lock_guard lock(guard_);
    return requests_.size();
}

std::size_t NodeServer::most_at_once() const {
    const std::lock_guard lock(guard_);
    return most_at_once_;
}

void NodeServer::wait_for(std::size_t requests) const {
    std::unique_lock lock(guard_);
    changed_.wait(lock, [&] { return requests_.size() >= requests; });
}

} // namespace blockloom::test
