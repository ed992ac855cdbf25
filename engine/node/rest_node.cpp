#include "node/block_node.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::node {
namespace {

class RestNode final : public BlockNode {
public:
    explicit RestNode(std::shared_ptr<HttpClient> http) : http_(std::move(http)) {}

    [[nodiscard]] Result<std::uint64_t> tip(const std::stop_token& stop) const override {
        const HttpRequest request{"/rest/chaininfo.json", {}, std::size_t{1} << 20};
        std::uint64_t height = 0;
        const Status done = get(
            {&request, 1},
            [&](std::size_t, const std::string& body) -> Taken {
                const auto document =
                    JsonDocument::parse(body, address().url + request.path, {.bytes = 1U << 20U});
                if (!document) return Taken::again(http_->quoted(document.error().message));
                height = document->root()["blocks"].required().whole(0, UINT32_MAX).value_or(0);
                if (const Status status = document->status(); !status)
                    return Taken::failed(
                        {status.error().code, http_->quoted(status.error().message)});
                return {};
            },
            stop);
        if (!done) return done.error();
        return height;
    }

    [[nodiscard]] Result<std::vector<NodeBlock>>
    hashes(std::uint64_t first, std::size_t count, const std::stop_token& stop) const override {
        std::vector<HttpRequest> requests;
        std::vector<NodeBlock> blocks;
        for (std::size_t i = 0; i < count; ++i) {
            requests.push_back(
                {fmt::format("/rest/blockhashbyheight/{}.bin", first + i), {}, sizeof(Hash256)});
            blocks.push_back({first + i, {}});
        }
        const Status done = get(
            requests,
            [&](std::size_t at, const std::string& body) -> Taken {
                if (body.size() != sizeof(Hash256))
                    return Taken::again(fmt::format("{}{}: expected a hash of {} bytes, found {}",
                                                    address().url, requests[at].path,
                                                    sizeof(Hash256), body.size()));
                std::copy(body.begin(), body.end(), blocks[at].hash.begin());
                return {};
            },
            stop);
        if (!done) return done.error();
        return blocks;
    }

    Status read(std::span<const NodeBlock> blocks, const TakeBlock& take,
                const std::stop_token& stop) const override {
        std::vector<HttpRequest> requests;
        for (const NodeBlock& block : blocks)
            requests.push_back({fmt::format("/rest/block/{}.bin", to_reversed_hex(block.hash)),
                                {},
                                most_block_bytes});
        return get(
            requests,
            [&](std::size_t at, const std::string& body) -> Taken {
                const Status taken = take(at, Bytes(body.begin(), body.end()));
                return taken ? Taken() : Taken::failed(taken.error());
            },
            stop);
    }

    [[nodiscard]] const NodeAddress& address() const noexcept override { return http_->address(); }

private:
    Status get(std::span<const HttpRequest> requests,
               const std::function<Taken(std::size_t, const std::string&)>& take,
               const std::stop_token& stop) const {
        return http_->perform(
            requests,
            [&](std::size_t at, const HttpAnswer& answer) -> Taken {
                if (answer.status == 200) return take(at, answer.body);
                Error error = http_->refused(answer);
                if (answer.status == 404)
                    error.message += fmt::format(" ({}: is the block there, and was the node "
                                                 "started with -rest?)",
                                                 requests[at].path);
                return answer.status == 500 ? Taken::again(error.message)
                                            : Taken::failed(std::move(error));
            },
            stop);
    }

    std::shared_ptr<HttpClient> http_;
};

} // namespace

std::unique_ptr<BlockNode> rest_node(std::shared_ptr<HttpClient> http) {
    return std::make_unique<RestNode>(std::move(http));
}

} // namespace blockloom::node
