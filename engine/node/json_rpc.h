// Calls of JSON-RPC to a node, several in parallel.
#pragma once

#include "base/json.h"
#include "node/http_client.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace blockloom::node {

struct RpcCall {
    std::string method;
    std::string parameters;                        ///< a JSON array
    std::size_t most_bytes = std::size_t{1} << 20; ///< of the answer
};

/// Receives the result of each call, in any order, on the calling thread; absent if it is null. The
/// value is valid during the call. An error, also one of the value's document, ends the work.
using TakeResult = std::function<Status(std::size_t call, const JsonValue& result)>;

/// An error that the node itself reports.
struct RpcFailure {
    std::int64_t code = 0;
    std::string message; ///< without secrets
};

/// May be used by several threads.
class JsonRpc {
public:
    explicit JsonRpc(std::shared_ptr<HttpClient> http) noexcept : http_(std::move(http)) {}

    /// Makes all calls; what cannot be read is asked for again, as is what a node cannot answer for
    /// now. Ends with the first error that a node reports.
    Status call(std::span<const RpcCall> calls, const TakeResult& take,
                const std::stop_token& stop) const;
    /// One call, whose failure may be an answer. Fails if there was none.
    [[nodiscard]] Result<std::optional<RpcFailure>>
    call_one(const RpcCall& call, const std::function<Status(const JsonValue&)>& take,
             const std::stop_token& stop) const;

    [[nodiscard]] const NodeAddress& address() const noexcept { return http_->address(); }

private:
    using TakeFailure = std::function<Status(const RpcFailure&)>;
    Status perform(std::span<const RpcCall> calls, const TakeResult& take,
                   const TakeFailure& take_failure, const std::stop_token& stop) const;

    std::shared_ptr<HttpClient> http_;
    mutable std::atomic<std::uint64_t> next_id_{1};
};

} // namespace blockloom::node
