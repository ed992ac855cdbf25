#include "node/json_rpc.h"

#include "node/rpc_answer.h"

#include <fmt/format.h>

#include <vector>

namespace blockloom::node {
namespace {

/// The node says that it cannot answer yet: metashrew has too much to do (-32001), Bitcoin Core is
/// starting (-28).
bool passes(std::int64_t code) noexcept {
    return code == -32001 || code == -28;
}

/// Statuses under which servers send errors of calls; Bitcoin Core does with 500 and 404.
bool may_have_answer(long status) noexcept {
    return status == 200 || status == 400 || status == 404 || status == 500;
}

} // namespace

Status JsonRpc::perform(std::span<const RpcCall> calls, const TakeResult& take,
                        const TakeFailure& take_failure, const std::stop_token& stop) const {
    const std::string& url = address().url;
    std::vector<HttpRequest> requests;
    std::vector<std::uint64_t> ids;
    requests.reserve(calls.size());
    for (const RpcCall& call : calls) {
        ids.push_back(next_id_.fetch_add(1));
        requests.push_back(
            {.path = {},
             .body = fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":{},"params":{}}})",
                                 ids.back(), json_string(call.method), call.parameters),
             .most_bytes = call.most_bytes});
    }
    const auto taken = [&](std::size_t at, const HttpAnswer& answer) -> Taken {
        const std::string place = fmt::format("{}: {}", url, calls[at].method);
        if (!may_have_answer(answer.status)) return Taken::failed(http_->refused(answer));
        const RpcAnswer read = read_rpc_answer(answer.body, ids[at], place, calls[at].most_bytes);
        if (read.kind == RpcAnswer::Kind::malformed) {
            // Something before the node may have cut or replaced the answer.
            if (answer.status == 200)
                return Taken::again(fmt::format("{}: expected an answer in JSON, found {}", place,
                                                http_->quoted(read.message)));
            const Error error = http_->refused(answer);
            return answer.status == 500 ? Taken::again(error.message) : Taken::failed(error);
        }
        if (read.kind == RpcAnswer::Kind::error) {
            const RpcFailure failure{read.code, http_->quoted(read.message)};
            if (passes(read.code))
                return Taken::again(
                    fmt::format("{}: {} (error {})", place, failure.message, failure.code));
            if (take_failure) {
                const Status status = take_failure(failure);
                return status ? Taken() : Taken::failed(status.error());
            }
            return Taken::failed(
                {ErrorCode::bad_input, fmt::format("{}: the node reports error {}: {}", place,
                                                   failure.code, failure.message)});
        }
        Status status = take(at, read.document->root()["result"]);
        if (status) status = read.document->status();
        if (status) return {};
        Error error = status.error();
        error.message = http_->quoted(error.message);
        return Taken::failed(std::move(error));
    };
    return http_->perform(requests, taken, stop);
}

Status JsonRpc::call(std::span<const RpcCall> calls, const TakeResult& take,
                     const std::stop_token& stop) const {
    return perform(calls, take, {}, stop);
}

Result<std::optional<RpcFailure>>
JsonRpc::call_one(const RpcCall& call, const std::function<Status(const JsonValue&)>& take,
                  const std::stop_token& stop) const {
    std::optional<RpcFailure> failed;
    const Status done = perform(
        {&call, 1}, [&](std::size_t, const JsonValue& result) { return take(result); },
        [&](const RpcFailure& failure) {
            failed = failure;
            return Status();
        },
        stop);
    if (!done) return done.error();
    return failed;
}

} // namespace blockloom::node
