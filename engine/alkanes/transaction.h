// What a transaction leaves: its log, and a record of each of its tasks.
#pragma once

#include "alkanes/block_context.h"
#include "alkanes/message.h"
#include "state/task_log.h"

namespace blockloom::alkanes {

struct StorageChange {
    state::Key key;
    state::Value before, after;
};

/// The result of one protostone of tag 1: a task.
struct MessageRecord {
    std::uint32_t transaction = 0; ///< in the block
    std::uint32_t protostone = 0;  ///< index among all protostones of its transaction, of any tag
    std::uint32_t shadow_vout = 0;
    bool is_message = false;    ///< false: it only has edicts
    bool candidate = false;     ///< had the (8, 8) prefix
    AlkaneId target, myself;    ///< myself: also a contract that was just created
    Hash256 code{};             ///< of the stored code; zeros: none ran
    std::optional<u128> opcode; ///< the first input
    FlatList<u128> inputs;
    CallStatus status = CallStatus::success;
    std::string text; ///< why it failed
    std::uint64_t fuel_budget = 0, fuel_used = 0, steps = 0;
    std::string fuel_doubt; ///< why `fuel_used` is uncertain (docs/fuel.md); empty: it is certain
    Parcel incoming, transfers;
    StorageMap storage; ///< the returned map
    FlatText data;
    std::uint64_t touched_pages = 0; ///< of 4 KiB
    std::uint32_t final_pages = 0;   ///< of 64 KiB
    Engine engine = Engine::interpreter;
    std::vector<HostCallRecord> host_calls; ///< if recording is on
    std::vector<StorageChange> changes;     ///< every key that it wrote, if recording is on
    /// If they are noted; none for a message whose contract did not come to run. What becomes of
    /// the message afterwards changes them no more.
    std::vector<CallEvent> events;

    [[nodiscard]] bool ok() const noexcept { return status == CallStatus::success; }
};
/// Whether it owns no memory (FlatList).
[[nodiscard]] bool lies_flat(const MessageRecord& record) noexcept;

struct TransactionResult {
    std::uint32_t transaction = 0; ///< in the block
    /// One task per protostone of tag 1; a transaction without one has a single host task. The
    /// records lie in its memory, too.
    state::TransactionLog log;
    FlatList<MessageRecord> records; ///< one per task; none for a host task
    FuelUse fuel;
    std::string void_reason; ///< empty: it is not void

    /// Whether it moves or loses tokens without being a task.
    [[nodiscard]] bool is_host_task() const noexcept {
        return records.empty() && !log.writes.empty();
    }
    [[nodiscard]] bool is_empty() const noexcept {
        return records.empty() && log.reads.empty() && log.writes.empty();
    }
};

struct TransactionOptions {
    bool record = false;  ///< record host calls and state before and after
    bool events = false;  ///< note the events of calls
    bool dry_run = false; ///< reported to contracts that ask; the result must be discarded
    std::stop_token stop;
    /// Where results lie that will all be kept, and dropped together; null: each is an allocation
    /// of its own (docs/state.md#memory-of-a-log).
    ArenaSlabs* memory = nullptr;
};

/// Whether a transaction can have any effect: it has protostones, or spends an outpoint that
/// carries tokens or may get some inside the window; also the first transaction if the indexer
/// itself writes before it.
[[nodiscard]] Result<bool> concerns_alkanes(const BlockContext& context, std::uint32_t transaction,
                                            const state::StateView& before);
/// True: it can, whatever the state before it is.
[[nodiscard]] bool surely_concerns_alkanes(const BlockContext& context, std::uint32_t transaction);

/// The transaction will run soon. What it spends and calls lies anywhere in the state: brings that
/// into the cache.
void expect_transaction(const BlockContext& context, std::uint32_t transaction,
                        const state::StateView& before);

} // namespace blockloom::alkanes
