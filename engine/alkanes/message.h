// One message from its cellpack to its effects (docs/alkanes-protocol.md#messages).
#pragma once

#include "alkanes/fuel_tank.h"
#include "alkanes/message_run.h"

#include <algorithm>
#include <functional>

namespace blockloom::alkanes {

/// The fuel of a transaction while its messages use it up.
class Budget {
public:
    explicit Budget(std::uint64_t assumed) : left_(assumed) { use_.assumed_budget = assumed; }

    [[nodiscard]] std::uint64_t left() const noexcept { return left_; }
    [[nodiscard]] const FuelUse& use() const noexcept { return use_; }

    /// A message came as far as the allotment.
    void reach() noexcept { use_.reached_tank = true; }
    /// It succeeded and used `gas`, at most what is left.
    void take(std::uint64_t gas) noexcept {
        left_ -= gas;
        use_.gas += gas;
    }
    /// It failed: nothing is left for the messages after it.
    void drain() noexcept {
        left_ = 0;
        use_.drained = true;
    }
    /// What a message did with fuel. `free`: it did not run on this budget.
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

/// What a message asks for and what comes with it.
struct MessageRequest {
    std::optional<Cellpack> cellpack; ///< absent: `cellpack_error` says why, and the message fails
    std::string cellpack_error;
    AlkaneId caller; ///< [0, 0] but in single calls
    Parcel incoming; ///< sorted by id, each id once, no zeros
};

struct MessageOutcome {
    Verdict verdict;
    AlkaneId myself;                          ///< whom the target named, also when it was created
    std::shared_ptr<const Contract> contract; ///< null: none was found
    CallOutcome call;
};

/// Takes the transfers of a message that succeeded; a text: why it could not.
using Delivery = std::function<std::optional<std::string>(const Parcel&)>;

/// Runs a message inside a checkpoint, which is committed with everything it did (storage, balances
/// debited by the transfers, created code) or rolled back. `deliver` gets its transfers before
/// that; where it cannot take them, the message is an error that is rolled back, and its fuel is
/// spent as that of a success.
[[nodiscard]] Result<MessageOutcome> run_message(MessageRun& run, const MessageRequest& request,
                                                 Budget& budget, const Delivery& deliver = {});

} // namespace blockloom::alkanes
