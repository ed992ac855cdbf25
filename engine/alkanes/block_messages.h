// The Alkanes content of a block: runestones, protostones, messages and envelopes in block order.
#pragma once

#include "alkanes/cellpack.h"
#include "alkanes/envelope.h"
#include "alkanes/protostone.h"
#include "alkanes/runestone.h"
#include "base/arena.h"
#include "chain/block.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockloom::alkanes {

/// The vout that represents a protostone: they start one past the pseudo output `outputs` ("spread
/// to all"), in the order of all protostones of the transaction
/// (docs/alkanes-protocol.md#shadow-outputs).
[[nodiscard]] constexpr std::uint32_t shadow_vout(std::uint32_t outputs,
                                                  std::uint32_t place) noexcept {
    return outputs + 1 + place;
}

/// A protostone of any tag, and its position.
struct PlacedProtostone {
    std::uint32_t transaction = 0; ///< in the block
    std::uint32_t place = 0;       ///< among the protostones of its transaction
    std::uint32_t vout = 0;        ///< its shadow vout
    Protostone protostone;
    std::optional<std::uint32_t> message; ///< in BlockMessages::messages
};

/// A protostone of tag 1 with calldata: a task of an execution.
struct Message {
    std::uint32_t transaction = 0; ///< in the block
    std::uint32_t protostone = 0;  ///< in BlockMessages::protostones
    /// Absent: the calldata is not a cellpack; the message fails and its funds are refunded.
    std::optional<Cellpack> cellpack;
    std::string error;      ///< why there is no cellpack
    bool candidate = false; ///< had the (8, 8) prefix, which was removed (block_context.h)
};

/// A transaction with a runestone. The others only spend their inputs.
struct RunestoneTransaction {
    std::uint32_t transaction = 0; ///< in the block
    std::uint32_t output = 0;      ///< the output that carries it
    Runestone runestone;           ///< a cenotaph if it has a flaw
    /// Why the protocol field cannot be decoded. The transaction is then void: no protostone runs,
    /// but its inputs are spent all the same.
    std::optional<std::string> void_reason;
    std::uint32_t first_protostone = 0, protostone_count = 0; ///< in BlockMessages::protostones
    std::uint32_t first_message = 0, message_count = 0;       ///< in BlockMessages::messages
    /// The size that determines its share of the block's fuel: 0 without a message that has a
    /// cellpack.
    std::uint64_t vfsize = 0;
};

struct PlacedEnvelope {
    std::uint32_t transaction = 0; ///< in the block
    Envelope envelope;
};

/// Everything in block order.
struct BlockMessages {
    Arena memory; ///< where the lists of everything below lie
    std::vector<RunestoneTransaction> transactions;
    /// By transaction of the block: 1 + its place in `transactions`; 0: it has no runestone.
    std::vector<std::uint32_t> places;
    std::vector<PlacedProtostone> protostones;
    std::vector<Message> messages;
    std::vector<PlacedEnvelope> envelopes; ///< of all transactions, with or without a runestone
    std::uint64_t vfsize = 0;              ///< the sum over the transactions: the tank's size
    std::uint64_t mint_transactions =
        0;                   ///< with a message to [2, 0] whose first input is 77: precompile 2
    u128 coinbase_total = 0; ///< satoshi in all coinbase outputs: precompile 3

    [[nodiscard]] std::span<const PlacedProtostone>
    protostones_of(const RunestoneTransaction& tx) const noexcept {
        return {protostones.data() + tx.first_protostone, tx.protostone_count};
    }
    [[nodiscard]] std::span<const Message>
    messages_of(const RunestoneTransaction& tx) const noexcept {
        return {messages.data() + tx.first_message, tx.message_count};
    }
};

/// Decodes a block. Never fails: invalid parts state the reason in their place, and decoding
/// continues. Only transactions with an output that starts with 6a5d, or with "BIN" in a witness,
/// cost more than a quick check. `pointer_anywhere`: see Rules::rune_pointer_anywhere.
[[nodiscard]] BlockMessages decode_messages(const chain::Block& block, bool pointer_anywhere);

/// Index into `transactions` of the one at `transaction` in the block, if it has a runestone.
[[nodiscard]] std::optional<std::size_t> find_transaction(const BlockMessages& messages,
                                                          std::uint32_t transaction) noexcept;

/// The first envelope of the transaction at `transaction` in the block, which it deploys. Null:
/// none.
[[nodiscard]] const Envelope* first_envelope(const BlockMessages& messages,
                                             std::uint32_t transaction) noexcept;

} // namespace blockloom::alkanes
