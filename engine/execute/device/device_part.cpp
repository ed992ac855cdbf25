#include "execute/device/device_part.h"

#include "alkanes/host_functions.h"
#include "base/contain.h"
#include "base/prefetch.h"
#include "execute/device/device_batch.h"
#include "execute/device/host_reasons.h"
#include "execute/live_run.h"

namespace blockloom::execute {

/// To the next call that the device can make, or the end.
template <typename Work> void DeviceTransaction::step(Work work) {
    auto waiting = contain("transaction", [&]() -> Result<bool> {
        auto stopped = work();
        while (stopped && *stopped) {
            auto refused = refusal();
            if (!refused) return refused.error();
            if (!*refused) break;
            stopped = transaction_->answer(**std::move(refused));
        }
        if (stopped && *stopped) ask();
        return stopped;
    });
    waits = waiting && *waiting;
    if (waits) return;
    if (waiting)
        result.emplace(transaction_->take());
    else
        result.emplace(waiting.error());
}

void DeviceTransaction::begin(std::size_t at, const Attempt& attempt,
                              const alkanes::TransactionOptions& options,
                              const DeviceCalls& device) {
    place = at;
    attempt_ = &attempt;
    device_ = &device;
    transaction_.emplace(part.runtime, *attempt.context, attempt.transaction, *attempt.view,
                         attempt.budget, options);
    step([this] { return transaction_->begin(); });
}

void DeviceTransaction::prefetch(std::size_t later) const noexcept {
    if (later == 3) prefetch_lines(this, 1);
    if (later == 2 && transaction_) prefetch_lines(&transaction_->overlay(), 1);
    if (later == 1 && transaction_) transaction_->overlay().prefetch();
}

void DeviceTransaction::resume() {
    if (!call.has_run) {
        waits = false;
        ejection = call.ejection;
        result.emplace(Error{ErrorCode::unavailable, "device: ejected: " + ejection});
        return;
    }
    step([this]() -> Result<bool> {
        if (const Status logged = call.log_reads(); !logged) return logged.error();
        return transaction_->answer(call.ran);
    });
}

void DeviceTransaction::show(AccessPrediction::Lessons& lessons) {
    waits = false;
    not_offered = host_reasons::first_of_kind;
    const auto ended = contain("transaction", [&]() -> Result<bool> {
        for (;;) {
            auto end = [&] {
                const CallReads watch(call, lessons);
                return transaction_->run_call();
            }();
            if (!end) return end.error();
            lessons.met.push_back(call.kind);
            const auto stopped = transaction_->answer(*std::move(end));
            if (!stopped || !*stopped) return stopped;
            ask();
        }
    });
    if (ended)
        result.emplace(transaction_->take());
    else
        result.emplace(ended.error());
}

void DeviceTransaction::end() {
    transaction_.reset();
    not_offered = nullptr;
    result.reset();
    ejection.clear();
    call.contract.reset();
    call.batch = nullptr;
    call.has_run = false;
    call.submission = gpuvm::no_submission;
}

/// What no engine may run no device may. The instance goes back: thousands may wait.
Result<std::optional<alkanes::ContractEnd>> DeviceTransaction::refusal() {
    std::optional<alkanes::ContractEnd> end;
    if (transaction_->contract() == part.runnable) return end;
    auto acquired = part.runtime.acquire(transaction_->contract(), transaction_->stop_token());
    if (!acquired) return acquired.error();
    if (auto* const refused = std::get_if<alkanes::Runtime::Refusal>(&*acquired))
        end.emplace().refusal = std::move(*refused);
    else
        part.runnable = transaction_->contract();
    return end;
}

void DeviceTransaction::ask() {
    call.runtime = &part.runtime;
    call.frame = &transaction_->frame();
    call.contract = transaction_->contract();
    call.fuel = transaction_->fuel();
    call.reader = {attempt_->context->block->txids[attempt_->transaction],
                   attempt_->context->height, call.frame->myself};
    call.transaction = attempt_->transaction;
    call.has_run = false;
    call.reads.clear();
    call.logged = 0;
    call.has_logged = 0;
    call.ejection.clear();
    device_->expect_keys(call);
}

DevicePart::DevicePart(const std::shared_ptr<alkanes::Contracts>& contracts, alkanes::Engine engine,
                       std::size_t most)
    : runtime(alkanes::host_imports, contracts, engine, alkanes::Runtime::MachineCode::when_ready) {
    runtime.overlays.keep(most);
}

void DevicePart::clear() noexcept {
    flight.reset();
    state = State::idle;
    waiting.clear();
    left.clear();
    has_unmet = false;
    for (auto& wave : asked) wave.clear();
    ejected.clear();
}

std::unique_ptr<DeviceTransaction> DevicePart::take_transaction() {
    if (idle_.empty()) return std::make_unique<DeviceTransaction>(*this);
    std::unique_ptr<DeviceTransaction> run = std::move(idle_.back());
    idle_.pop_back();
    return run;
}

void DevicePart::look(std::unique_ptr<DeviceTransaction> run, unsigned worker,
                      const AttemptDone& done, std::atomic<bool>& enough) {
    if (run->waits) {
        has_unmet |= run->call.kind_number == AccessPrediction::unmet;
        waiting.push_back(std::move(run));
        const std::size_t count = waiting.size();
        if (count >= 2) waiting[count - 2]->expect_values();
        if (count >= 3) waiting[count - 3]->fetch_values();
        return;
    }
    if (!run->ejection.empty()) {
        ejected.push_back({run->place, std::move(run->ejection)});
    } else {
        if (live != nullptr) live->tried(worker, 0);
        auto& result = *run->result;
        const bool more =
            result ? done(worker, run->place,
                          Attempted{*std::move(result), {}, run->not_offered, run->call.submission})
                   : done(worker, run->place, result.error());
        if (!more) enough.store(true, std::memory_order_relaxed);
    }
    run->end();
    idle_.push_back(std::move(run));
}

void DevicePart::fetch_rest() {
    for (std::size_t i = waiting.size(); i > 0 && !waiting[i - 1]->call.is_fetched; --i)
        waiting[i - 1]->fetch_values();
}

void DevicePart::resume(unsigned wave, unsigned worker, const AttemptDone& done,
                        std::atomic<bool>& enough) {
    auto& runs = asked[wave];
    std::optional<DeviceBatch::Taker> taker;
    std::size_t unanswered = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        for (std::size_t later = 1; later <= 3 && i + later < runs.size(); ++later)
            runs[i + later]->prefetch(later);
        std::unique_ptr<DeviceTransaction>& run = runs[i];
        DeviceCall& call = run->call;
        if (call.batch != nullptr) {
            if (!taker) taker.emplace(*call.batch);
            taker->take(call);
        }
        if (!call.has_ended()) {
            std::swap(runs[unanswered++], run);
            continue;
        }
        run->resume();
        look(std::move(run), worker, done, enough);
    }
    if (taker) taker->finish();
    fetch_rest();
    runs.resize(unanswered);
}

} // namespace blockloom::execute
