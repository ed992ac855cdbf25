// Blocks by height from a node, as a source of a range (docs/nodes.md).
#pragma once

#include "base/progress.h"
#include "chain/block_ref.h"
#include "node/block_node.h"
#include "node/credentials.h"
#include "range/fetched_answers.h"
#include "range/range.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::range {

/// The most blocks of one range; they are kept in memory.
inline constexpr std::size_t most_node_blocks = 10'000;
inline constexpr std::uint64_t most_node_bytes = std::uint64_t{4} << 30;

/// Whether a source has the form of a URL, with "core:", "rest:", "metashrew:" before it or not.
[[nodiscard]] bool is_node_source(std::string_view source) noexcept;

/// Whether a source with the form of a URL can be the one of a node: nothing is opened or read.
Status check_node_source(std::string_view source);

/// A source as it may be shown and recorded: a URL that is refused, because there may be a password
/// in it, is not repeated.
[[nodiscard]] std::string shown_source(std::string_view source);

/// Opens the node of a source. Connects to nothing yet. Its errors never repeat a password in a
/// URL.
[[nodiscard]] Result<std::unique_ptr<node::BlockNode>> open_node(std::string_view source,
                                                                 const node::NodeAccess& access);

/// Reads the blocks from `first` to `last` of a node's best chain, several at a time. Each must be
/// the block that the node named: its header has the hash, its transactions have the header's
/// merkle root; and each must be the child of the one before. If the chain changes meanwhile it is
/// read again. `source` names them in messages. Blocks that `fetched` has are not asked for, and
/// the others are kept there; null: none are.
[[nodiscard]] Result<std::vector<chain::BlockRef>>
read_node_blocks(const node::BlockNode& node, const std::string& source, std::uint64_t first,
                 std::uint64_t last, ProgressSink& progress, const std::stop_token& stop,
                 FetchedAnswers* fetched = nullptr);

/// The blocks that a source has within the heights. Without `first` it fails and says what to give;
/// without `last` the node's last block is the last one.
[[nodiscard]] Result<std::vector<chain::BlockRef>>
node_blocks(const std::string& source, const node::NodeAccess& access,
            const std::optional<std::uint64_t>& first, const std::optional<std::uint64_t>& last,
            ProgressSink& progress, const std::stop_token& stop);

/// If the only source is a node, gives the range definite heights: what is missing is the node's
/// last block.
Status choose_heights(RangeOptions& options, const std::stop_token& stop);

} // namespace blockloom::range
