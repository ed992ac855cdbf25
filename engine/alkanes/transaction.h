// One transaction: its protostones in order, tokens in, tokens out
// (docs/alkanes-protocol.md#where-tokens-go).
#pragma once

#include "alkanes/block_context.h"
#include "alkanes/message.h"
#include "state/task_log.h"

namespace blockloom::alkanes {

struct StorageChange {
    state::Key key;
    state::Value before, after;
};

/// What one protostone of tag 1 did: a task.
struct MessageRecord {
    std::uint32_t transaction = 0; ///< in the block
    std::uint32_t protostone = 0;  ///< among those of its transaction, of any tag
    std::uint32_t shadow_vout = 0;
    bool is_message = false;    ///< else it only has edicts
    bool candidate = false;     ///< carried the (8, 8) prefix
    AlkaneId target, myself;    ///< myself: also what a create made
    Hash256 code{};             ///< of the stored code; zeros: none ran
    std::optional<u128> opcode; ///< the first input
    std::vector<u128> inputs;
    CallStatus status = CallStatus::success;
    std::string text; ///< why not
    std::uint64_t fuel_budget = 0, fuel_used = 0, steps = 0;
    std::string fuel_doubt; ///< why `fuel_used` is not certain (docs/fuel.md); empty: it is
    Parcel incoming, transfers;
    StorageMap storage; ///< the returned map
    std::string data;
    std::uint64_t touched_pages = 0; ///< of 4 KiB
    std::uint32_t final_pages = 0;   ///< of 64 KiB
    Engine engine = Engine::interpreter;
    std::vector<HostCallRecord> host_calls; ///< where recording is on
    std::vector<StorageChange> changes;     ///< every key that it wrote; where recording is on

    [[nodiscard]] bool ok() const noexcept { return status == CallStatus::success; }
};

struct TransactionResult {
    std::uint32_t transaction = 0; ///< in the block
    /// One task a protostone of tag 1; a transaction without one has a single host task.
    state::TransactionLog log;
    std::vector<MessageRecord> records; ///< one a task; none for a host task
    FuelUse fuel;
    std::string void_reason; ///< empty: it is not void

    /// Moves or strands balances without being a task.
    [[nodiscard]] bool is_host_task() const noexcept {
        return records.empty() && !log.writes.empty();
    }
    [[nodiscard]] bool is_empty() const noexcept {
        return records.empty() && log.reads.empty() && log.writes.empty();
    }
};

struct TransactionOptions {
    bool record = false;  ///< host calls and state before and after
    bool dry_run = false; ///< told to contracts that ask; the result must be thrown away
    std::stop_token stop;
};

/// Runs a transaction on `before`, the state that the transactions before it left, with an assumed
/// fuel budget. Commits nothing. Fails where the state fails or the work is cancelled.
[[nodiscard]] Result<TransactionResult>
execute_transaction(Runtime& runtime, const BlockContext& context, std::uint32_t transaction,
                    const state::StateView& before, std::uint64_t budget,
                    const TransactionOptions& options = {});

/// Whether a transaction can do anything: it has protostones, or spends an outpoint that carries
/// tokens or may come to do so inside the window; the first one also where the indexer writes by
/// itself.
[[nodiscard]] Result<bool> concerns_alkanes(const BlockContext& context, std::uint32_t transaction,
                                            const state::StateView& before);

} // namespace blockloom::alkanes
