#include "alkanes/message.h"

#include "alkanes/balances.h"
#include "base/small_vector.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::alkanes {
namespace {

constexpr AlkaneId gasless_target{32, 0};

/// Whether the amounts of every token add up within 128 bits.
bool sums_fit(const Parcel& written) {
    if (written.size() < 2) return true;
    SmallVector<Transfer, 8> transfers;
    transfers.append(written);
    std::sort(transfers.begin(), transfers.end(),
              [](const Transfer& a, const Transfer& b) { return a.id < b.id; });
    u128 sum = 0;
    for (std::size_t i = 0; i < transfers.size(); ++i) {
        if (i == 0 || transfers[i].id != transfers[i - 1].id) sum = 0;
        const u128 before = sum;
        sum += transfers[i].value;
        if (sum < before) return false;
    }
    return true;
}

/// Everything up to and with the run; effects after it are `settle`'s.
class Attempt {
public:
    Attempt(MessageRun& run, const MessageRequest& request, Budget& budget)
        : run_(run), request_(request), budget_(budget) {}

    Result<MessageOutcome> perform() {
        const Result<Verdict> ready = prepare();
        if (!ready) return ready.error();
        outcome_.verdict = *ready;
        if (!outcome_.verdict.ok()) return std::move(outcome_);
        budget_.reach();
        const Result<Verdict> done = perform_call();
        budget_.note(run_, is_free());
        if (!done) return done.error();
        outcome_.verdict = *done;
        if (!outcome_.verdict.ok()) budget_.drain();
        return std::move(outcome_);
    }

private:
    /// What may fail without touching the tank.
    Result<Verdict> prepare() {
        if (!request_.cellpack) return Verdict{CallStatus::error, request_.cellpack_error};
        if (!run_.surroundings().rules.active)
            return Verdict{CallStatus::error, fmt::format("alkanes are not active at height {}",
                                                          run_.surroundings().height)};
        MessageRun::Target target;
        auto resolved = run_.resolve(request_.cellpack->target, target);
        outcome_.myself = target.myself;
        if (!resolved || !resolved->ok()) return resolved;
        outcome_.contract = std::move(target.contract);
        return credit(run_.overlay(), target.myself, request_.incoming);
    }

    [[nodiscard]] bool is_free() const {
        return run_.surroundings().rules.gasless && request_.cellpack->target == gasless_target;
    }

    Result<Verdict> perform_call() {
        const bool free = is_free();
        const std::uint64_t fuel = free ? gasless_fuel : budget_.left();
        const Calldata calldata{request_.cellpack->inputs, request_.incoming};
        Frame frame(run_, outcome_.myself, request_.caller, calldata, 0);
        auto called = run_.execute(frame, outcome_.contract, fuel);
        if (!called) return called.error();
        outcome_.call = *std::move(called);
        if (!run_.ejection.empty()) return Verdict{CallStatus::ejected, run_.ejection};
        if (!outcome_.call.verdict.ok()) return outcome_.call.verdict;
        // A contained failure of a nested call leaves no fuel: only a budget minds.
        if (!free && outcome_.call.gas > fuel) {
            run_.ran_out = true;
            return Verdict{CallStatus::out_of_fuel, fmt::format("all fuel consumed: {} used of {}",
                                                                outcome_.call.gas, fuel)};
        }
        if (!free) budget_.take(outcome_.call.gas);
        return settle();
    }

    /// Storage, then the transfers off the contract's balances.
    Result<Verdict> settle() {
        const Response& response = outcome_.call.response;
        run_.store(outcome_.myself, response.storage);
        if (!sums_fit(response.transfers))
            return Verdict{CallStatus::error, "transfers: a token's amounts pass 128 bits"};
        return debit(run_.overlay(), outcome_.myself, response.transfers);
    }

    MessageRun& run_;
    const MessageRequest& request_;
    Budget& budget_;
    MessageOutcome outcome_;
};

} // namespace

Result<MessageOutcome> run_message(MessageRun& run, const MessageRequest& request, Budget& budget,
                                   const Delivery& deliver) {
    run.overlay().checkpoint();
    auto outcome = Attempt(run, request, budget).perform();
    if (!outcome) return outcome;
    if (outcome->verdict.ok() && deliver)
        if (auto why = deliver(outcome->call.response.transfers))
            outcome->verdict = {CallStatus::error, *std::move(why)};
    if (outcome->verdict.ok())
        run.overlay().commit();
    else
        run.overlay().rollback();
    return outcome;
}

} // namespace blockloom::alkanes
