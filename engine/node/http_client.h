// Requests to one node over HTTP or HTTPS: several in parallel, repeated where that may help, with
// limits on time and size.
#pragma once

#include "node/address.h"
#include "node/credentials.h"
#include "node/http_request.h"
#include "node/wait_clock.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace blockloom::node {

struct HttpConnections;

/// May be used by several threads.
class HttpClient {
public:
    /// Reads the credentials. Fails if they would be sent unencrypted to another machine, or if the
    /// certificates cannot be read. Connects to nothing. `clock` must outlive it.
    [[nodiscard]] static Result<std::unique_ptr<HttpClient>>
    open(NodeAddress address, NodeAccess access, const HttpLimits& limits = {},
         WaitClock& clock = steady_wait_clock());
    ~HttpClient();

    /// Sends the requests until `take` has accepted an answer of each. After 429, 5xx, a connection
    /// that was cut or a time-out it pauses, longer each time or as long as the node asks for, and
    /// repeats what is missing. Ends with the first error of `take`, an error that is there to
    /// stay, or once attempts are used up; what was taken until then stays taken. Other statuses
    /// than these are given to `take`. Redirects are followed within the node's origin, and beyond
    /// it only without credentials and never from HTTPS to HTTP.
    Status perform(std::span<const HttpRequest> requests, const TakeAnswer& take,
                   const std::stop_token& stop);

    /// The error for an answer with a status that cannot be used, such as 401.
    [[nodiscard]] Error refused(const HttpAnswer& answer) const;

    [[nodiscard]] const NodeAddress& address() const noexcept;
    /// What the node said, for errors: one line, shortened, without secrets.
    [[nodiscard]] std::string quoted(std::string_view text) const;
    [[nodiscard]] HttpCounts counts() const noexcept;
    [[nodiscard]] WaitClock& clock() const noexcept;

private:
    explicit HttpClient(std::unique_ptr<HttpConnections> inside) noexcept;

    std::unique_ptr<HttpConnections> inside_;
};

} // namespace blockloom::node
