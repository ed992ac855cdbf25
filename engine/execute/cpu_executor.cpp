#include "execute/cpu_executor.h"

#include "alkanes/host_functions.h"
#include "alkanes/transaction_run.h"
#include "base/progress.h"
#include "execute/live_run.h"

#include <atomic>
#include <utility>

namespace blockloom::execute {

CpuExecutor::CpuExecutor(WorkerPool& pool, const std::shared_ptr<alkanes::Contracts>& contracts,
                         alkanes::Engine engine, bool wait_for_code)
    : pool_(pool) {
    using MachineCode = alkanes::Runtime::MachineCode;
    for (unsigned worker = 0; worker < pool.workers(); ++worker)
        runtimes_.push_back(std::make_unique<alkanes::Runtime>(
            alkanes::host_imports, contracts, engine,
            wait_for_code ? MachineCode::awaited : MachineCode::when_ready));
    spans_.resize(runtimes_.size());
    busy_.resize(runtimes_.size());
}

void CpuExecutor::record_on(Recording* recording, unsigned first_worker) {
    recording_ = recording;
    first_worker_ = first_worker;
    for (std::size_t worker = 0; worker < runtimes_.size(); ++worker)
        runtimes_[worker]->tasks = recording == nullptr ? nullptr : &spans_[worker];
}

Result<Attempted> CpuExecutor::run_one(unsigned worker, const Attempt& attempt,
                                       const alkanes::TransactionOptions& options) {
    if (live_ != nullptr) live_->gate().pass(options.stop);
    const Nanoseconds begin_ns = now_ns();
    if (recording_ != nullptr) spans_[worker].begin();
    auto ran = options.stop.stop_requested()
                   ? Result<alkanes::TransactionResult>(cancelled_error())
                   : alkanes::execute_transaction(*runtimes_[worker], *attempt.context,
                                                  attempt.transaction, *attempt.view,
                                                  attempt.budget, options);
    if (recording_ != nullptr)
        spans_[worker].end(recording_->worker(first_worker_ + worker), attempt.context->height,
                           attempt.transaction, ran, options.dry_run || attempt.trial);
    const Nanoseconds took = now_ns() - begin_ns;
    busy_[worker].ns += took;
    ++busy_[worker].attempts;
    if (live_ != nullptr) {
        live_->tried(worker, took);
        live_->gate().worked();
    }
    if (!ran) return ran.error();
    return Attempted{*std::move(ran), {}};
}

Status CpuExecutor::run(std::span<const Attempt> attempts,
                        const alkanes::TransactionOptions& options, const AttemptDone& done) {
    std::atomic<bool> enough{false};
    pool_.each(attempts.size(), 1, [&](unsigned worker, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end && !enough.load(std::memory_order_relaxed); ++i) {
            if (i + 1 < attempts.size()) expect(attempts[i + 1]);
            if (!done(worker, i, run_one(worker, attempts[i], options)))
                enough.store(true, std::memory_order_relaxed);
        }
    });
    return {};
}

void CpuExecutor::run_source(AttemptSource& source, const alkanes::TransactionOptions& options) {
    pool_.open([&](unsigned worker) {
        AttemptSource::Next next = AttemptSource::Next::over;
        try {
            for (Attempt attempt;
                 (next = source.next(worker, attempt)) == AttemptSource::Next::attempt;)
                source.done(worker, run_one(worker, attempt, options));
        } catch (...) { // such as a lack of memory: the pool reports it once nobody works any more
            source.abandon();
            throw;
        }
        return next == AttemptSource::Next::over;
    });
}

Executor::Busy CpuExecutor::take_busy() noexcept {
    Busy sum;
    for (OwnBusy& own : busy_) {
        sum.ns += std::exchange(own.ns, 0);
        sum.attempts += std::exchange(own.attempts, 0);
    }
    return sum;
}

} // namespace blockloom::execute
