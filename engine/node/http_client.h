// Requests to one node over HTTP or HTTPS: several in parallel, repeated where that may help, with
// limits on time and size.
#pragma once

#include "node/address.h"
#include "node/credentials.h"
#include "node/wait_clock.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace blockloom::node {

struct HttpRequest {
    std::string path;                               ///< after the address's own path
    std::string body;                               ///< JSON, sent by POST; empty: GET
    std::size_t most_bytes = std::size_t{64} << 20; ///< of the answer's body
};

struct HttpAnswer {
    long status = 0;
    std::string body;
};

/// What is to be done after an answer.
struct Taken {
    enum class How { done, again, failed };
    How how = How::done;
    Error error; ///< again: why, for the case that it never gets better; failed: the end

    [[nodiscard]] static Taken again(std::string why, ErrorCode code = ErrorCode::bad_input) {
        return {How::again, {code, std::move(why)}};
    }
    [[nodiscard]] static Taken failed(Error error) { return {How::failed, std::move(error)}; }
};

/// Receives the answers in any order, each once, on the calling thread.
using TakeAnswer = std::function<Taken(std::size_t request, HttpAnswer answer)>;

struct HttpLimits {
    unsigned parallel = 8;       ///< requests at a time, of all threads together
    unsigned attempts = 7;       ///< of a request
    unsigned first_attempts = 2; ///< to connect, as long as the node has never answered
    Nanoseconds first_pause = 250'000'000, longest_pause = 30'000'000'000;
    Nanoseconds silence = 60'000'000'000; ///< without a byte of an answer
    Nanoseconds whole = 600'000'000'000;  ///< for an answer
};

/// What was done so far.
struct HttpCounts {
    std::uint64_t requests = 0, repeated = 0, bytes = 0;
};

/// May be used by several threads.
class HttpClient {
public:
    /// Reads the credentials. Fails if they would be sent unencrypted to another machine, or if the
    /// certificates cannot be read. Connects to nothing. `clock` must outlive it.
    [[nodiscard]] static Result<std::unique_ptr<HttpClient>>
    open(NodeAddress address, const NodeAccess& access, const HttpLimits& limits = {},
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
    struct Inside;
    class Work;
    explicit HttpClient(std::unique_ptr<Inside> inside) noexcept;

    std::unique_ptr<Inside> inside_;
};

} // namespace blockloom::node
