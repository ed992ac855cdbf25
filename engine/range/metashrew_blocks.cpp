#include "range/metashrew_blocks.h"

#include "node/metashrew_node.h"
#include "range/indexer_views.h"

#include <fmt/format.h>

namespace blockloom::range {
namespace {

class MetashrewBlocks final : public node::BlockNode {
public:
    explicit MetashrewBlocks(std::shared_ptr<node::HttpClient> http) : node_(std::move(http)) {}

    /// Of version 8 the node's figure is one more than its last block: then that one has no hash.
    [[nodiscard]] Result<std::uint64_t> tip(const std::stop_token& stop) const override {
        const auto height = node_.height(stop);
        if (!height || *height == 0) return height;
        const auto hash = node_.block_hash(*height, stop);
        if (!hash) return hash.error();
        return *hash ? *height : *height - 1;
    }

    [[nodiscard]] Result<std::vector<node::NodeBlock>>
    hashes(std::uint64_t first, std::size_t count, const std::stop_token& stop) const override {
        std::vector<node::NodeBlock> blocks;
        for (std::size_t i = 0; i < count; ++i) {
            const auto hash = node_.block_hash(first + i, stop);
            if (!hash) return hash.error();
            if (!*hash)
                return Error{ErrorCode::bad_input,
                             fmt::format("{}: expected block {}, found that the node has not "
                                         "indexed it",
                                         address().url, first + i)};
            blocks.push_back({first + i, **hash});
        }
        return blocks;
    }

    Status read(std::span<const node::NodeBlock> blocks, const node::TakeBlock& take,
                const std::stop_token& stop) const override {
        std::vector<node::ViewCall> calls;
        for (const node::NodeBlock& block : blocks)
            calls.push_back({"getblock", block_question(static_cast<std::uint32_t>(block.height)),
                             block.height, node::most_block_bytes});
        return node_.views(
            calls,
            [&](std::size_t at, const std::string& answer) -> Status {
                const auto bytes = block_answer(answer);
                if (!bytes || bytes->empty())
                    return Error{ErrorCode::bad_input,
                                 fmt::format("{}: getblock of {}: expected a block, found {}",
                                             address().url, blocks[at].height,
                                             bytes ? "none" : "other bytes")};
                return take(at, Bytes(bytes->begin(), bytes->end()));
            },
            stop);
    }

    [[nodiscard]] const node::NodeAddress& address() const noexcept override {
        return node_.address();
    }

private:
    node::MetashrewNode node_;
};

} // namespace

std::unique_ptr<node::BlockNode> metashrew_blocks(std::shared_ptr<node::HttpClient> http) {
    return std::make_unique<MetashrewBlocks>(std::move(http));
}

} // namespace blockloom::range
