// One message from its cellpack to its effects (docs/alkanes-protocol.md#messages).
#pragma once

#include "alkanes/fuel_tank.h"
#include "alkanes/message_run.h"

#include <algorithm>
#include <functional>

namespace blockloom::alkanes {

/// The fuel of a transaction while its messages run.
class Budget {
public:
    explicit Budget(std::uint64_t assumed) : left_(assumed) { use_.assumed_budget = assumed; }

    [[nodiscard]] std::uint64_t left() const noexcept { return left_; }
    [[nodiscard]] const FuelUse& use() const noexcept { return use_; }

    /// A message reached the allotment of fuel.
    void reach() noexcept { use_.reached_tank = true; }
    /// A message succeeded and used `gas`, at most what is left.
    void take(std::uint64_t gas) noexcept {
        left_ -= gas;
        use_.gas += gas;
    }
    /// A message failed: nothing is left for later messages.
    void drain() noexcept {
        left_ = 0;
        use_.drained = true;
    }
    /// Records how a message used fuel. `free`: it did not run on this budget.
    void note(const MessageRun& run, bool free) noexcept {
        use_.fuel_read = use_.fuel_read || run.fuel_read;
        use_.ran_out = use_.ran_out || run.ran_out;
        if (!free && run.least_left <= use_.assumed_budget)
            use_.demand = std::max(use_.demand, use_.assumed_budget - run.least_left);
    }

private:
    std::uint64_t left_;
    FuelUse use_;
};

/// The request of a message, and the tokens that come with it.
struct MessageRequest {
    std::optional<Cellpack> cellpack; ///< absent: `cellpack_error` says why, and the message fails
    std::string cellpack_error;
    AlkaneId caller; ///< [0, 0] except in single calls
    Parcel incoming; ///< sorted by id, each id once, no zeros
};

/// What it returned lies in the memory of the run's overlay (Overlay::scratch), or in a copy's own.
struct MessageOutcome {
    Verdict verdict;
    AlkaneId myself; ///< the contract that the target refers to, possibly just created
    std::shared_ptr<const Contract> contract; ///< null: not found
    CallOutcome call;
};

/// Accepts the transfers of a successful message, or returns a text that says why it cannot.
using Delivery = std::function<std::optional<std::string>(const Parcel&)>;

/// A message that stops where its contract is to run, and continues from the run's end. It and
/// what it is made from must stay in place.
class MessageExecution {
public:
    MessageExecution(MessageRun& run, const MessageRequest& request, Budget& budget)
        : run_(run), request_(request), budget_(budget) {}
    MessageExecution(const MessageExecution&) = delete;
    MessageExecution& operator=(const MessageExecution&) = delete;

    /// Opens the message's checkpoint. True: `contract` is to run next, with all of `fuel`; false:
    /// the message failed before.
    [[nodiscard]] Result<bool> begin();
    [[nodiscard]] Frame& frame() noexcept { return *frame_; }
    [[nodiscard]] const std::shared_ptr<const Contract>& contract() const noexcept {
        return outcome_.contract;
    }
    [[nodiscard]] std::uint64_t fuel() const noexcept { return fuel_; }
    /// The contract has run.
    [[nodiscard]] Status end(ContractEnd ran);
    /// Commits or rolls back, as `run_message` says. Once.
    [[nodiscard]] MessageOutcome finish(const Delivery& deliver = {});

private:
    [[nodiscard]] Result<Verdict> prepare();
    [[nodiscard]] bool is_free() const;
    [[nodiscard]] Status called(Result<CallOutcome> call);
    [[nodiscard]] Result<Verdict> verdict_of_call();
    [[nodiscard]] Result<Verdict> settle();

    MessageRun& run_;
    const MessageRequest& request_;
    Budget& budget_;
    Calldata calldata_;
    std::optional<Frame> frame_;
    std::uint64_t fuel_ = 0;
    MessageOutcome outcome_;
};

/// Runs a message inside a checkpoint, which is committed with everything it did (storage, balances
/// debited by the transfers, created code) or rolled back. `deliver` receives its transfers before
/// that; if it cannot accept them, the message fails and is rolled back, but its fuel is charged as
/// for a success.
[[nodiscard]] Result<MessageOutcome> run_message(MessageRun& run, const MessageRequest& request,
                                                 Budget& budget, const Delivery& deliver = {});

} // namespace blockloom::alkanes
