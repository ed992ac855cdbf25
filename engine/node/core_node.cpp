#include "node/block_node.h"

#include <fmt/format.h>

namespace blockloom::node {
namespace {

class CoreNode final : public BlockNode {
public:
    explicit CoreNode(std::shared_ptr<HttpClient> http) : rpc_(std::move(http)) {}

    [[nodiscard]] Result<std::uint64_t> tip(const std::stop_token& stop) const override {
        const RpcCall call{"getblockcount", "[]"};
        std::uint64_t height = 0;
        const Status done = rpc_.call(
            {&call, 1},
            [&](std::size_t, const JsonValue& result) {
                height = result.required().whole(0, UINT32_MAX).value_or(0);
                return Status();
            },
            stop);
        if (!done) return done.error();
        return height;
    }

    [[nodiscard]] Result<std::vector<NodeBlock>>
    hashes(std::uint64_t first, std::size_t count, const std::stop_token& stop) const override {
        std::vector<RpcCall> calls;
        std::vector<NodeBlock> blocks;
        for (std::size_t i = 0; i < count; ++i) {
            calls.push_back({"getblockhash", fmt::format("[{}]", first + i)});
            blocks.push_back({first + i, {}});
        }
        const Status done = rpc_.call(
            calls,
            [&](std::size_t at, const JsonValue& result) {
                const auto text = result.required().text(64);
                if (!text) return Status();
                if (const auto hash = hash_from_reversed_hex(*text))
                    blocks[at].hash = *hash;
                else
                    result.refuse("a block's hash, 64 hexadecimal digits");
                return Status();
            },
            stop);
        if (!done) return done.error();
        return blocks;
    }

    Status read(std::span<const NodeBlock> blocks, const TakeBlock& take,
                const std::stop_token& stop) const override {
        std::vector<RpcCall> calls;
        for (const NodeBlock& block : blocks)
            calls.push_back({"getblock", fmt::format(R"(["{}",0])", to_reversed_hex(block.hash)),
                             2 * most_block_bytes + 4096});
        return rpc_.call(
            calls,
            [&](std::size_t at, const JsonValue& result) -> Status {
                const auto text = result.required().text(2 * most_block_bytes);
                if (!text) return {};
                auto bytes = from_hex(*text);
                if (bytes) return take(at, *std::move(bytes));
                result.refuse("a block in hexadecimal digits");
                return {};
            },
            stop);
    }

    [[nodiscard]] const NodeAddress& address() const noexcept override { return rpc_.address(); }

private:
    JsonRpc rpc_;
};

} // namespace

std::unique_ptr<BlockNode> core_node(std::shared_ptr<HttpClient> http) {
    return std::make_unique<CoreNode>(std::move(http));
}

} // namespace blockloom::node
