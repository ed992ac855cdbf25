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

} // namespace

Result<bool> MessageExecution::begin() {
    run_.overlay().checkpoint();
    const Result<Verdict> ready = prepare();
    if (!ready) return ready.error();
    outcome_.verdict = *ready;
    if (!outcome_.verdict.ok()) {
        run_.events.clear(); // an indexer keeps no trace of what did not come to run
        return false;
    }
    budget_.reach();
    fuel_ = is_free() ? gasless_fuel : budget_.left();
    calldata_ = {request_.cellpack->inputs, request_.incoming};
    frame_.emplace(run_, outcome_.myself, request_.caller, calldata_, 0U);
    run_.note_enter(NestedKind::call, *frame_, fuel_);
    auto ended = run_.begin_call(*frame_, *outcome_.contract, fuel_);
    if (!ended) return true;
    if (const Status done = called(*std::move(ended)); !done) return done.error();
    return false;
}

/// What may fail without touching the tank.
Result<Verdict> MessageExecution::prepare() {
    if (!request_.cellpack) return Verdict{CallStatus::error, request_.cellpack_error};
    if (!run_.surroundings().rules.active)
        return Verdict{CallStatus::error, fmt::format("alkanes are not active at height {}",
                                                      run_.surroundings().height)};
    MessageRun::Target target;
    auto resolved = run_.resolve(request_.cellpack->target, target);
    outcome_.myself = target.myself;
    if (!resolved || !resolved->ok()) return resolved;
    run_.note_created(target);
    outcome_.contract = std::move(target.contract);
    return credit(run_.overlay(), target.myself, request_.incoming);
}

bool MessageExecution::is_free() const {
    return run_.surroundings().rules.gasless && request_.cellpack->target == gasless_target;
}

Status MessageExecution::end(ContractEnd ran) {
    return called(run_.end_call(*frame_, fuel_, std::move(ran)));
}

Status MessageExecution::called(Result<CallOutcome> call) {
    Result<Verdict> done = Verdict{};
    if (call) {
        outcome_.call = *std::move(call);
        done = verdict_of_call();
    } else {
        done = call.error();
    }
    budget_.note(run_, is_free());
    if (!done) return done.error();
    outcome_.verdict = *std::move(done);
    // Before its transfers are delivered, as upstream: what happens there is not in a trace.
    const Response& response = outcome_.call.response;
    if (outcome_.verdict.ok()) {
        run_.note_success(response.transfers, response.storage, response.data);
    } else {
        run_.note_failure(outcome_.verdict.text);
        budget_.drain();
    }
    return {};
}

Result<Verdict> MessageExecution::verdict_of_call() {
    const bool free = is_free();
    if (!run_.ejection.empty()) return Verdict{CallStatus::ejected, run_.ejection};
    if (!outcome_.call.verdict.ok()) return outcome_.call.verdict;
    // A contained failure of a nested call leaves no fuel: only a budget minds.
    if (!free && outcome_.call.gas > fuel_) {
        run_.ran_out = true;
        return Verdict{CallStatus::out_of_fuel,
                       fmt::format("all fuel consumed: {} used of {}", outcome_.call.gas, fuel_)};
    }
    if (!free) budget_.take(outcome_.call.gas);
    return settle();
}

/// Storage, then the transfers off the contract's balances.
Result<Verdict> MessageExecution::settle() {
    const Response& response = outcome_.call.response;
    run_.store(outcome_.myself, response.storage);
    if (!sums_fit(response.transfers))
        return Verdict{CallStatus::error, "transfers: a token's amounts pass 128 bits"};
    return debit(run_.overlay(), outcome_.myself, response.transfers);
}

MessageOutcome MessageExecution::finish(const Delivery& deliver) {
    if (outcome_.verdict.ok() && deliver)
        if (auto why = deliver(outcome_.call.response.transfers))
            outcome_.verdict = {CallStatus::error, *std::move(why)};
    if (outcome_.verdict.ok())
        run_.overlay().commit();
    else
        run_.overlay().rollback();
    return std::move(outcome_);
}

Result<MessageOutcome> run_message(MessageRun& run, const MessageRequest& request, Budget& budget,
                                   const Delivery& deliver) {
    MessageExecution execution(run, request, budget);
    const auto waits = execution.begin();
    if (!waits) return waits.error();
    if (*waits) {
        auto ran = run.run_call(execution.frame(), execution.contract(), execution.fuel());
        if (!ran) return ran.error();
        if (const Status ended = execution.end(*std::move(ran)); !ended) return ended.error();
    }
    return execution.finish(deliver);
}

} // namespace blockloom::alkanes
