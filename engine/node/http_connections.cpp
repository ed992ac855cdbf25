#include "node/http_connections.h"

#include "base/utf8.h"

#include <fmt/format.h>

namespace blockloom::node {
namespace {

constexpr std::size_t longest_quote = 300;

} // namespace

HttpConnections::Shared HttpConnections::current() {
    const std::lock_guard lock(guard);
    return credentials.back();
}

bool HttpConnections::renewed(const Shared& used) {
    const std::lock_guard lock(guard);
    if (credentials.back() != used) return true; // by another request
    if (access.credentials_file.empty()) return false;
    auto read = Credentials::read(access);
    if (!read || read->header() == used->header()) return false;
    credentials.push_back(std::make_shared<const Credentials>(*std::move(read)));
    return true;
}

Error HttpConnections::refused(const HttpAnswer& answer) {
    const std::string& url = address.url;
    if (answer.status == 401 || answer.status == 403)
        return {ErrorCode::bad_input,
                fmt::format("{}: the node {} (HTTP {})", url,
                            current()->kind() == Credentials::Kind::none
                                ? "wants credentials, none were given (--node-credentials, "
                                  "--state-credentials)"
                                : "does not accept the credentials",
                            answer.status)};
    const std::string said = quoted(answer.body);
    return {ErrorCode::bad_input, fmt::format("{}: expected an answer, found HTTP {}{}{}", url,
                                              answer.status, said.empty() ? "" : ": ", said)};
}

std::string HttpConnections::quoted(std::string_view text) {
    // Shortened last: a secret that is cut in two would not be found.
    std::string line(text.substr(0, 1U << 16U));
    {
        const std::lock_guard lock(guard);
        for (const Shared& each : credentials) line = each->without_secret(std::move(line));
    }
    std::replace_if(
        line.begin(), line.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
    while (line.ends_with(' ')) line.pop_back();
    if (line.size() > longest_quote) line.resize(longest_quote);
    return valid_utf8(line);
}

} // namespace blockloom::node
