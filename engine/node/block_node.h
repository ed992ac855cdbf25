// A node that has blocks by height: Bitcoin Core over JSON-RPC or REST.
#pragma once

#include "base/bytes.h"
#include "node/json_rpc.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace blockloom::node {

struct NodeBlock {
    std::uint64_t height = 0;
    Hash256 hash{};
};

/// A block on the network has at most 4 MB; blocks of test networks are no larger.
inline constexpr std::size_t most_block_bytes = std::size_t{8} << 20;

/// Receives the bytes of each block, in any order, on the calling thread. They are as the node sent
/// them: whether they are this block is for the receiver to check.
using TakeBlock = std::function<Status(std::size_t block, Bytes bytes)>;

/// May be used by several threads.
class BlockNode {
public:
    virtual ~BlockNode() = default;

    /// The height of the last block of the best chain.
    [[nodiscard]] virtual Result<std::uint64_t> tip(const std::stop_token& stop) const = 0;
    /// The hashes of `count` blocks of the best chain from `first` on. Fails if one is not there.
    [[nodiscard]] virtual Result<std::vector<NodeBlock>>
    hashes(std::uint64_t first, std::size_t count, const std::stop_token& stop) const = 0;
    /// Reads the blocks.
    virtual Status read(std::span<const NodeBlock> blocks, const TakeBlock& take,
                        const std::stop_token& stop) const = 0;

    [[nodiscard]] virtual const NodeAddress& address() const noexcept = 0;
};

/// Over JSON-RPC (getblockcount, getblockhash, getblock).
[[nodiscard]] std::unique_ptr<BlockNode> core_node(std::shared_ptr<HttpClient> http);
/// Over REST (Bitcoin Core ≥ 0.21 started with -rest).
[[nodiscard]] std::unique_ptr<BlockNode> rest_node(std::shared_ptr<HttpClient> http);

} // namespace blockloom::node
