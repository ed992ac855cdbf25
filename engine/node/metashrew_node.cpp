#include "node/metashrew_node.h"

#include "base/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

namespace blockloom::node {
namespace {

constexpr std::size_t longest_number = 20, longest_hash = 66;

std::optional<std::uint64_t> number_of(const JsonValue& value) {
    if (!value.is_text()) return value.whole();
    const auto text = value.text(longest_number);
    if (!text) return std::nullopt;
    std::uint64_t number = 0;
    const auto read = std::from_chars(text->data(), text->data() + text->size(), number);
    if (read.ec == std::errc() && read.ptr == text->data() + text->size() && !text->empty())
        return number;
    value.refuse("a decimal number");
    return std::nullopt;
}

} // namespace

std::optional<std::string> bytes_of_hex(std::string_view text) {
    if (text.starts_with("0x")) text.remove_prefix(2);
    const auto bytes = from_hex(text);
    if (!bytes) return std::nullopt;
    return std::string(bytes->begin(), bytes->end());
}

Result<std::uint64_t> MetashrewNode::height(const std::stop_token& stop) const {
    const RpcCall call{"metashrew_height", "[]"};
    std::uint64_t height = 0;
    const Status done = rpc_.call(
        {&call, 1},
        [&](std::size_t, const JsonValue& result) {
            if (const auto number = number_of(result.required())) height = *number;
            return Status();
        },
        stop);
    if (!done) return done.error();
    return height;
}

Result<std::optional<Hash256>> MetashrewNode::block_hash(std::uint64_t height,
                                                         const std::stop_token& stop) const {
    const RpcCall call{"metashrew_getblockhash", fmt::format("[{}]", height)};
    std::optional<Hash256> hash;
    const auto done = rpc_.call_one(
        call,
        [&](const JsonValue& result) {
            const auto text = result.text(longest_hash);
            if (!text || text->empty() || *text == "0x") return Status();
            hash = hash_from_reversed_hex(text->starts_with("0x") ? text->substr(2) : *text);
            if (!hash) result.refuse("a block's hash, 64 hexadecimal digits");
            return Status();
        },
        stop);
    if (!done) return done.error();
    return hash; // a failure: it has no such block
}

Status MetashrewNode::views(std::span<const ViewCall> calls,
                            const std::function<Status(std::size_t, std::string)>& take,
                            const std::stop_token& stop) const {
    std::vector<RpcCall> asked;
    asked.reserve(calls.size());
    for (const ViewCall& call : calls)
        asked.push_back({"metashrew_view",
                         fmt::format(R"([{},"0x{}",{}])", json_string(call.view),
                                     to_hex(as_bytes(call.input)), call.height),
                         2 * call.most_bytes + 4096});
    return rpc_.call(
        asked,
        [&](std::size_t at, const JsonValue& result) -> Status {
            const auto text = result.required().text(2 * calls[at].most_bytes + 2);
            if (!text) return {}; // the document's error
            auto bytes = bytes_of_hex(*text);
            if (!bytes) {
                result.refuse(
                    fmt::format("hexadecimal digits as the answer of {}", calls[at].view));
                return {};
            }
            return take(at, *std::move(bytes));
        },
        stop);
}

Result<std::string> MetashrewNode::view(const ViewCall& call, const std::stop_token& stop) const {
    std::string answer;
    const Status done = views(
        {&call, 1},
        [&](std::size_t, std::string bytes) {
            answer = std::move(bytes);
            return Status();
        },
        stop);
    if (!done) return done.error();
    return answer;
}

} // namespace blockloom::node
