// Shared by all messages of a block: its bytes, its decoded messages, the rules at its height.
#pragma once

#include "alkanes/block_messages.h"
#include "alkanes/built_in_code.h"
#include "alkanes/rule_table.h"
#include "alkanes/txid_set.h"
#include "chain/block.h"
#include "state/view.h"
#include "state/write_set.h"

#include <memory>

namespace blockloom::alkanes {

/// The transactions of a block window: one block, or several that are tried together.
struct Window {
    TxidSet txids;       ///< outpoints of these may be created inside the window
    TxidSet with_stones; ///< those with protostones: only their outpoints can carry tokens
};

/// Immutable once made; shared by threads.
struct BlockContext {
    std::shared_ptr<const chain::Block> block;
    BlockMessages messages;
    std::uint64_t height = 0;
    Rules rules;
    std::shared_ptr<const BuiltInCode> built_ins; ///< null: all code is in the state
    std::shared_ptr<const Window> window;
    u128 window_sequence = 0; ///< the counter before the window
    /// What the indexer writes before the first transaction; counted as part of that transaction.
    state::WriteSet forced;
    /// Transactions with a message that has the prefix, ascending; those that spend an output of
    /// another candidate are left out and counted.
    std::vector<std::uint32_t> candidates;
    std::uint32_t demoted = 0;
};

struct BlockOptions {
    Network network = Network::mainnet;
    std::optional<std::uint64_t> height; ///< overrides the block's own height
    RuleLine line = RuleLine::released;
    /// Code by height, and the genesis; null: all code is in the state.
    std::shared_ptr<const BuiltInCode> built_ins{};
    wasm::FuelRule fuel =
        wasm::FuelRule::counted; ///< the rule with which the built-ins were loaded
};

/// Decodes a block's messages; if the network has the (8, 8) prefix, it is removed, and messages
/// that had it become candidates. The window is the block alone. Needs no state: `begin_on` adds
/// what does, before the block can be executed. Fails without a height.
[[nodiscard]] Result<BlockContext> decode_block(std::shared_ptr<const chain::Block> block,
                                                const BlockOptions& options);

/// Looks up what a block needs of the state before it: the writes of the first block, and the
/// counter. Fails if reading the state fails.
Status begin_on(BlockContext& context, const state::StateView& before);

/// Both of the above.
[[nodiscard]] Result<BlockContext> open_block(std::shared_ptr<const chain::Block> block,
                                              const BlockOptions& options,
                                              const state::StateView& before);

/// Joins several blocks, in their order, to one window on the state before the first of them.
void join_windows(std::span<BlockContext> blocks);

/// The fuel that a transaction would get if those before it used all of theirs and returned
/// nothing: assumed while the true budget is unknown. Takes an index into
/// BlockMessages::transactions.
[[nodiscard]] std::uint64_t likely_budget(const BlockContext& context, std::size_t transaction);

} // namespace blockloom::alkanes
