#include "node/rpc_answer.h"

#include <fmt/format.h>

namespace blockloom::node {
namespace {

constexpr std::size_t longest_message = std::size_t{64} << 10;

RpcAnswer malformed(std::string what) {
    RpcAnswer answer;
    answer.message = std::move(what);
    return answer;
}

} // namespace

RpcAnswer read_rpc_answer(std::string_view text, std::uint64_t id, const std::string& place,
                          std::size_t most_bytes) {
    auto document = JsonDocument::parse(text, place, {.bytes = most_bytes});
    if (!document) return malformed(document.error().message);
    const JsonValue root = document->root();
    if (!root.is_object()) return malformed("JSON that is no object");
    // Anything but our number, whatever its type, is another call's.
    if (root["id"].shown(32) != fmt::format("{}", id))
        return malformed(fmt::format("an answer to another call, {}", root["id"].shown(32)));
    RpcAnswer answer;
    if (const JsonValue error = root["error"]; !error.is_absent()) {
        if (error.is_object()) {
            answer.code = error["code"].integer().value_or(0);
            answer.message = error["message"].text(longest_message).value_or("");
        } else if (error.is_text()) {
            answer.message = error.text(longest_message).value_or("");
        }
        if (answer.message.empty()) answer.message = error.shown(200);
        answer.kind = RpcAnswer::Kind::error;
        return answer;
    }
    answer.kind = RpcAnswer::Kind::result;
    answer.document = *std::move(document);
    return answer;
}

} // namespace blockloom::node
