#include "node/http_client.h"

#include "base/contain.h"
#include "base/file.h"
#include "node/http_work.h"

#include <fmt/format.h>

#include <cstdlib>

namespace blockloom::node {
namespace {

/// Once in a process; libcurl says that it is thread-safe since 7.84.
bool start_curl() {
    static const bool started = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    return started;
}

} // namespace

HttpClient::HttpClient(std::unique_ptr<HttpConnections> inside) noexcept
    : inside_(std::move(inside)) {}
HttpClient::~HttpClient() = default;

Result<std::unique_ptr<HttpClient>> HttpClient::open(NodeAddress address, NodeAccess access,
                                                     const HttpLimits& limits, WaitClock& clock) {
    return contain("preparing requests", [&]() -> Result<std::unique_ptr<HttpClient>> {
        auto credentials = Credentials::read(access);
        if (!credentials) return credentials.error();
        if (credentials->kind() != Credentials::Kind::none && !address.secure && !address.loopback)
            return Error{ErrorCode::wrong_usage,
                         fmt::format("{}: expected https:// to send credentials to another "
                                     "machine, found http://, which anybody on the way can read",
                                     address.url)};
        // As OpenSSL's own programs do; libcurl does not.
        if (const char* const file = std::getenv("SSL_CERT_FILE");
            access.ca_file.empty() && file != nullptr)
            access.ca_file = file;
        if (!access.ca_file.empty())
            if (const auto readable = FileContent::read(access.ca_file, std::uint64_t{16} << 20);
                !readable)
                return readable.error();
        if (!start_curl()) return Error{ErrorCode::system, "libcurl did not start"};
        auto inside = std::make_unique<HttpConnections>(std::move(address), *std::move(credentials),
                                                        access, limits, clock);
        return std::unique_ptr<HttpClient>(new HttpClient(std::move(inside)));
    });
}

Status HttpClient::perform(std::span<const HttpRequest> requests, const TakeAnswer& take,
                           const std::stop_token& stop) {
    if (requests.empty()) return {};
    return contain(inside_->address.url,
                   [&]() -> Status { return HttpWork(*inside_, requests, take, stop).run(); });
}

Error HttpClient::refused(const HttpAnswer& answer) const {
    return inside_->refused(answer);
}

const NodeAddress& HttpClient::address() const noexcept {
    return inside_->address;
}

std::string HttpClient::quoted(std::string_view text) const {
    return inside_->quoted(text);
}

HttpCounts HttpClient::counts() const noexcept {
    const std::lock_guard lock(inside_->guard);
    return inside_->counts;
}

WaitClock& HttpClient::clock() const noexcept {
    return inside_->clock;
}

} // namespace blockloom::node
