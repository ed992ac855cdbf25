// What all requests to one node share: address, credentials, limits, open connections.
#pragma once

#include "node/address.h"
#include "node/credentials.h"
#include "node/curl_handles.h"
#include "node/http_request.h"
#include "node/wait_clock.h"

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::node {

/// All members below the guard are used with it held.
struct HttpConnections {
    using Shared = std::shared_ptr<const Credentials>;

    HttpConnections(NodeAddress where, Credentials with, NodeAccess from, const HttpLimits& bounds,
                    WaitClock& time)
        : address(std::move(where)), access(std::move(from)), limits(bounds), clock(time),
          free_places(std::max(1U, bounds.parallel)) {
        credentials.push_back(std::make_shared<const Credentials>(std::move(with)));
    }

    [[nodiscard]] Shared current();
    /// Whether there are other credentials now than those that were `used`: reads the file again.
    /// Bitcoin Core makes a new cookie at each start.
    [[nodiscard]] bool renewed(const Shared& used);
    /// What the node said, for errors: one line, shortened, without secrets.
    [[nodiscard]] std::string quoted(std::string_view text);
    /// The error for an answer with a status that cannot be used, such as 401.
    [[nodiscard]] Error refused(const HttpAnswer& answer);

    NodeAddress address;
    NodeAccess access;
    HttpLimits limits;
    WaitClock& clock;

    std::mutex guard;                ///< of all below
    std::vector<Shared> credentials; ///< that were ever used, the present ones last
    std::condition_variable_any changed;
    unsigned free_places;                                   ///< of limits.parallel
    std::vector<std::unique_ptr<CURLM, MultiDeleter>> idle; ///< with their open connections
    HttpCounts counts;
    bool has_answered = false;
    Nanoseconds not_before = 0; ///< the node asked for a pause
    std::uint64_t pauses = 0;   ///< spreads them
};

} // namespace blockloom::node
