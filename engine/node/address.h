// The address of a node: an HTTP or HTTPS URL without anything secret in it.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace blockloom::node {

/// Nothing in it is secret: errors, records and titles may show `url`.
struct NodeAddress {
    std::string url;       ///< scheme, host, port if given, path without a slash at its end
    std::string origin;    ///< "https://host:port", with the port that is used
    bool secure = false;   ///< HTTPS
    bool loopback = false; ///< localhost, 127.0.0.0/8 or ::1

    [[nodiscard]] bool same_origin(const NodeAddress& other) const noexcept {
        return origin == other.origin;
    }
};

/// Whether `text` begins like a URL of the web.
[[nodiscard]] bool is_url(std::string_view text) noexcept;

/// Reads a URL. Refuses a user name or password in it, a query and a fragment, without repeating
/// the text, and says where credentials belong.
[[nodiscard]] Result<NodeAddress> node_address(std::string_view text);

/// The same for where an answer redirects to: a query is kept.
[[nodiscard]] Result<NodeAddress> redirect_address(std::string_view text);

} // namespace blockloom::node
