#include "node/address.h"

#include <fmt/format.h>

#include <curl/curl.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace blockloom::node {
namespace {

struct UrlDeleter {
    void operator()(CURLU* url) const noexcept { curl_url_cleanup(url); }
};
using Url = std::unique_ptr<CURLU, UrlDeleter>;

std::optional<std::string> part_of(const Url& url, CURLUPart part, unsigned flags = 0) {
    char* text = nullptr;
    if (curl_url_get(url.get(), part, &text, flags) != CURLUE_OK) return std::nullopt;
    std::string copy(text);
    curl_free(text);
    return copy;
}

bool is_loopback(const std::string& host) {
    return host == "localhost" || host == "[::1]" ||
           (host.starts_with("127.") && std::count(host.begin(), host.end(), '.') == 3 &&
            host.find_first_not_of("0123456789.") == std::string::npos);
}

/// Text that may hold a password is not repeated.
std::string shown(std::string_view text) {
    return text.find_first_of("@?#") == std::string_view::npos ? std::string(text)
                                                               : std::string("another form");
}

Error wrong(std::string what) {
    return {ErrorCode::wrong_usage, std::move(what)};
}

Result<NodeAddress> read_address(std::string_view text, bool of_user) {
    if (text.find('\0') != std::string_view::npos || !is_url(text))
        return wrong(fmt::format("expected a URL that begins with http:// or https://, found {}",
                                 shown(text)));
    const Url url(curl_url());
    if (!url) return Error{ErrorCode::system, "reading a URL: out of memory"};
    const CURLUcode parsed =
        curl_url_set(url.get(), CURLUPART_URL, std::string(text).c_str(), CURLU_DISALLOW_USER);
    if (parsed == CURLUE_USER_NOT_ALLOWED ||
        (parsed != CURLUE_OK && text.find('@') != std::string_view::npos))
        return wrong("a URL: expected no user name and no password in it, found some: they would "
                     "be visible in records and in the list of processes. Put them into a file, "
                     "user:password on one line, and name it (--node-credentials, "
                     "--state-credentials)");
    if (parsed != CURLUE_OK)
        return wrong(fmt::format("expected a URL of a node, found {}: {}", shown(text),
                                 curl_url_strerror(parsed)));
    if (of_user && (part_of(url, CURLUPART_QUERY) || part_of(url, CURLUPART_FRAGMENT)))
        return wrong("a URL of a node: expected none of ? and #, found one: what follows is "
                     "visible in records. Credentials belong into a file (--node-credentials, "
                     "--state-credentials)");
    const auto scheme = part_of(url, CURLUPART_SCHEME);
    auto host = part_of(url, CURLUPART_HOST);
    const auto port = part_of(url, CURLUPART_PORT, CURLU_DEFAULT_PORT);
    if (!scheme || !host || host->empty() || !port)
        return wrong(fmt::format("expected a URL of a node, found {}", shown(text)));
    std::transform(host->begin(), host->end(), host->begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    NodeAddress address;
    address.secure = *scheme == "https";
    address.loopback = is_loopback(*host);
    address.origin = fmt::format("{}://{}:{}", *scheme, *host, *port);
    address.url = fmt::format("{}://{}", *scheme, *host);
    if (const auto given = part_of(url, CURLUPART_PORT)) address.url += ":" + *given;
    std::string path = part_of(url, CURLUPART_PATH).value_or("");
    const auto query = part_of(url, CURLUPART_QUERY);
    if (of_user)
        while (path.ends_with('/')) path.pop_back();
    address.url += path;
    if (query) address.url += "?" + *query;
    return address;
}

} // namespace

bool is_url(std::string_view text) noexcept {
    return text.starts_with("http://") || text.starts_with("https://");
}

Result<NodeAddress> node_address(std::string_view text) {
    return read_address(text, true);
}

Result<NodeAddress> redirect_address(std::string_view text) {
    return read_address(text, false);
}

} // namespace blockloom::node
