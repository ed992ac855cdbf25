// A transaction that is being executed: its protostones in order, tokens in, tokens out
// (docs/alkanes-protocol.md#where-tokens-go). It stops at each contract call of a message and
// continues from the call's end, so that neither a thread nor a stack waits for who makes the call
// (docs/execution.md#a-transaction-that-stops).
#pragma once

#include "alkanes/ledger.h"
#include "alkanes/message.h"
#include "alkanes/transaction.h"
#include "base/small_vector.h"

#include <optional>
#include <span>
#include <string>

namespace blockloom::alkanes {

/// `execute_transaction` in steps. Nested calls belong to a call's run and are no stops. What it is
/// made from must outlive it; it may be dropped at any stop. One thread at a time, not always the
/// same one, but always with the same runtime.
class TransactionRun {
public:
    TransactionRun(Runtime& runtime, const BlockContext& context, std::uint32_t index,
                   const state::StateView& before, std::uint64_t budget,
                   const TransactionOptions& options);
    TransactionRun(const TransactionRun&) = delete;
    TransactionRun& operator=(const TransactionRun&) = delete;

    /// Runs to the first stop, or to the end. True: a contract call is to be made, then `answer`;
    /// false: it has ended, `take` has the result. An error ends it without a result.
    [[nodiscard]] Result<bool> begin();

    // The call to be made, valid until the answer.
    [[nodiscard]] Frame& frame() noexcept { return open_->execution.frame(); }
    [[nodiscard]] const std::shared_ptr<const Contract>& contract() const noexcept {
        return open_->execution.contract();
    }
    [[nodiscard]] std::uint64_t fuel() const noexcept { return open_->execution.fuel(); }

    [[nodiscard]] const state::Overlay& overlay() const noexcept { return overlay_; }

    [[nodiscard]] const std::stop_token& stop_token() const noexcept { return options_.stop; }

    /// Makes the call here (MessageRun::run_call).
    [[nodiscard]] Result<ContractEnd> run_call() {
        return open_->run.run_call(frame(), contract(), fuel());
    }
    /// Continues from the end of the call; returns as `begin` does.
    [[nodiscard]] Result<bool> answer(ContractEnd end);
    [[nodiscard]] Result<bool> answer(const MachineRun& ran) {
        return answer(open_->run.end_of(ran));
    }

    /// Once, after the end.
    [[nodiscard]] TransactionResult take() { return std::move(result_); }

private:
    using Fault = Ledger::Fault;

    /// The message whose contract call is to be made.
    struct Open {
        Open(TransactionRun& of, const PlacedProtostone& at, MessageRequest what)
            : placed(at), request(std::move(what)),
              run(of.runtime_, of.surroundings_, of.overlay_, at.vout),
              execution(run, request, of.budget_) {}
        const PlacedProtostone& placed;
        MessageRequest request;
        MessageRun run;
        MessageExecution execution;
        /// Taken from the vout in exchange for the transfers: what a refund gives back.
        std::optional<Sheet> brought;
    };
    /// How a message ended for the ledger.
    struct Ran {
        Fault fault;
        bool ok = false;
    };

    void look_around(std::uint32_t index);
    void force_writes();
    [[nodiscard]] std::span<const PlacedProtostone> stones() const;
    [[nodiscard]] Status load_inputs();
    [[nodiscard]] Result<bool> proceed();
    [[nodiscard]] Status begin_task(const PlacedProtostone& placed);
    [[nodiscard]] Result<std::optional<Ran>> open(const PlacedProtostone& placed);
    [[nodiscard]] Ran close();
    [[nodiscard]] Fault settle(const PlacedProtostone& placed, Ran ran);
    [[nodiscard]] Fault move(const PlacedProtostone& placed, Sheet source);
    [[nodiscard]] Fault deliver(const Parcel& transfers);
    [[nodiscard]] Ran unsound(const PlacedProtostone& placed);
    [[nodiscard]] Status skip_rest();
    [[nodiscard]] Result<bool> end(Fault fault);
    void save_outputs();
    [[nodiscard]] Status note_changes();
    [[nodiscard]] std::size_t room_of_records() const;
    void keep_records();

    Runtime& runtime_;
    const BlockContext& context_;
    const chain::Block& block_;
    const chain::Transaction& tx_;
    const TransactionOptions& options_;
    const state::StateView& before_;
    const RunestoneTransaction* at_ = nullptr;
    state::OverlayPool::Lease lease_;
    state::Overlay& overlay_;
    Ledger ledger_;
    Budget budget_;
    Surroundings surroundings_;
    Sheet incoming_;
    bool overflow_ = false;
    SmallVector<state::Key, 4> spent_; ///< the sheets of the inputs that carried one
    std::uint32_t next_ = 0;           ///< the protostone whose turn is next
    SmallVector<MessageRecord, 1> records_;
    std::optional<Open> open_;
    TransactionResult result_;
};

/// Runs a transaction on `before`, the state that the transactions before it left, with an assumed
/// fuel budget. Commits nothing. Fails if reading the state fails or the work is cancelled.
[[nodiscard]] Result<TransactionResult>
execute_transaction(Runtime& runtime, const BlockContext& context, std::uint32_t transaction,
                    const state::StateView& before, std::uint64_t budget,
                    const TransactionOptions& options = {});

} // namespace blockloom::alkanes
