#include "node/http_client.h"

#include "base/contain.h"
#include "base/file.h"
#include "base/utf8.h"
#include "node/http_work.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::node {
namespace {

constexpr std::size_t longest_quote = 300;

/// Once in a process; libcurl says that it is thread-safe since 7.84.
bool start_curl() {
    static const bool started = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    return started;
}

} // namespace

HttpClient::Inside::Shared HttpClient::Inside::current() {
    const std::lock_guard lock(guard);
    return credentials.back();
}

bool HttpClient::Inside::renewed(const Shared& used) {
    const std::lock_guard lock(guard);
    if (credentials.back() != used) return true; // by another request
    if (access.credentials_file.empty()) return false;
    auto read = Credentials::read(access);
    if (!read || read->header() == used->header()) return false;
    credentials.push_back(std::make_shared<const Credentials>(*std::move(read)));
    return true;
}

std::string HttpClient::Inside::without_secrets(std::string text) {
    const std::lock_guard lock(guard);
    for (const Shared& each : credentials) text = each->without_secret(std::move(text));
    return text;
}

HttpClient::HttpClient(std::unique_ptr<Inside> inside) noexcept : inside_(std::move(inside)) {}
HttpClient::~HttpClient() = default;

Result<std::unique_ptr<HttpClient>> HttpClient::open(NodeAddress address, const NodeAccess& access,
                                                     const HttpLimits& limits, WaitClock& clock) {
    return contain("preparing requests", [&]() -> Result<std::unique_ptr<HttpClient>> {
        auto credentials = Credentials::read(access);
        if (!credentials) return credentials.error();
        if (credentials->kind() != Credentials::Kind::none && !address.secure && !address.loopback)
            return Error{ErrorCode::wrong_usage,
                         fmt::format("{}: expected https:// to send credentials to another "
                                     "machine, found http://, which anybody on the way can read",
                                     address.url)};
        if (!access.ca_file.empty())
            if (const auto readable = FileContent::read(access.ca_file, std::uint64_t{16} << 20);
                !readable)
                return readable.error();
        if (!start_curl()) return Error{ErrorCode::system, "libcurl did not start"};
        auto inside = std::make_unique<Inside>(std::move(address), *std::move(credentials), access,
                                               limits, clock);
        return std::unique_ptr<HttpClient>(new HttpClient(std::move(inside)));
    });
}

Status HttpClient::perform(std::span<const HttpRequest> requests, const TakeAnswer& take,
                           const std::stop_token& stop) {
    if (requests.empty()) return {};
    return contain(inside_->address.url,
                   [&]() -> Status { return Work(*this, requests, take, stop).run(); });
}

Error HttpClient::refused(const HttpAnswer& answer) const {
    const std::string& url = inside_->address.url;
    if (answer.status == 401 || answer.status == 403)
        return {ErrorCode::bad_input,
                fmt::format("{}: the node {} (HTTP {})", url,
                            inside_->current()->kind() == Credentials::Kind::none
                                ? "wants credentials, none were given (--node-credentials, "
                                  "--state-credentials)"
                                : "does not accept the credentials",
                            answer.status)};
    const std::string said = quoted(answer.body);
    return {ErrorCode::bad_input, fmt::format("{}: expected an answer, found HTTP {}{}{}", url,
                                              answer.status, said.empty() ? "" : ": ", said)};
}

const NodeAddress& HttpClient::address() const noexcept {
    return inside_->address;
}

std::string HttpClient::quoted(std::string_view text) const {
    // Shortened last: a secret that is cut in two would not be found.
    std::string line = inside_->without_secrets(std::string(text.substr(0, 1U << 16U)));
    std::replace_if(
        line.begin(), line.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
    while (line.ends_with(' ')) line.pop_back();
    if (line.size() > longest_quote) line.resize(longest_quote);
    return valid_utf8(line);
}

HttpCounts HttpClient::counts() const noexcept {
    const std::lock_guard lock(inside_->guard);
    return inside_->counts;
}

WaitClock& HttpClient::clock() const noexcept {
    return inside_->clock;
}

} // namespace blockloom::node
