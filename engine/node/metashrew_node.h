// The JSON-RPC of an indexer, metashrew's rockshrew-mono (docs/metashrew.md#over-json-rpc). Nothing
// that writes to its database is ever called.
#pragma once

#include "base/bytes.h"
#include "node/json_rpc.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace blockloom::node {

/// A question to the indexer's program: what it answers depends on nothing but this and the blocks
/// up to `height`.
struct ViewCall {
    std::string view;
    std::string input; ///< bytes
    std::uint64_t height = 0;
    std::size_t most_bytes = std::size_t{1} << 20; ///< of what is answered
};

/// May be used by several threads.
class MetashrewNode {
public:
    explicit MetashrewNode(std::shared_ptr<HttpClient> http) noexcept : rpc_(std::move(http)) {}

    /// What the node says; of version 8 it is one more than the height of the last indexed block.
    [[nodiscard]] Result<std::uint64_t> height(const std::stop_token& stop) const;
    /// As the indexer recorded it; nothing: it has none at this height.
    [[nodiscard]] Result<std::optional<Hash256>> block_hash(std::uint64_t height,
                                                            const std::stop_token& stop) const;
    /// Asks all questions. `take` receives the bytes of each answer, in any order, on the calling
    /// thread; its error ends the work.
    Status views(std::span<const ViewCall> calls,
                 const std::function<Status(std::size_t call, std::string bytes)>& take,
                 const std::stop_token& stop) const;
    [[nodiscard]] Result<std::string> view(const ViewCall& call, const std::stop_token& stop) const;

    [[nodiscard]] const NodeAddress& address() const noexcept { return rpc_.address(); }

private:
    JsonRpc rpc_;
};

/// The bytes of hexadecimal text, with or without "0x" before it.
[[nodiscard]] std::optional<std::string> bytes_of_hex(std::string_view text);

} // namespace blockloom::node
