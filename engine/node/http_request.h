// A request over HTTP, its answer, and what becomes of it.
#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <cstdint>
#include <functional>
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

} // namespace blockloom::node
