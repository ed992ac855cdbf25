// The block and the transaction that a single contract call sees.
#pragma once

#include "alkanes/message_run.h"
#include "chain/block.h"

#include <string>

namespace blockloom::cli {

/// Decoded; if the given block does not contain the transaction, the transaction gets its own
/// block.
struct CallWorld {
    chain::Block block, carrier;
    std::uint32_t transaction = 0; ///< in `carrier`
    std::uint64_t mint_transactions = 0;
    u128 coinbase_total = 0;
    std::optional<Bytes> deployed; ///< content of an envelope in the transaction
    bool own_block = false;        ///< no block was given

    [[nodiscard]] ByteView transaction_bytes() const noexcept;
    [[nodiscard]] std::uint32_t outputs() const noexcept {
        return carrier.transactions[transaction].output_count;
    }
    /// Views into this; rules, height and recording are the caller's.
    void describe(alkanes::Surroundings& surroundings) const;
};

/// `transaction` and `block` are a file (raw or hex) or hex digits; empty: a minimal valid one is
/// made. A block without a transaction: its first that is not the coinbase, else the coinbase.
[[nodiscard]] Result<CallWorld> open_call_world(const std::string& transaction,
                                                const std::string& block, std::uint64_t height,
                                                const alkanes::Rules& rules);

} // namespace blockloom::cli
