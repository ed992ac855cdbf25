#include "execute/flow/block_order_flow.h"

#include "execute/flow/changed_read.h"
#include "execute/flow/seeded_versions.h"

namespace blockloom::execute {

void BlockOrderFlow::begin(const FlowStart& start) {
    start_.emplace(start);
    seed_versions(versions_, start, {});
    view_.emplace(versions_, start.below);
}

/// Why the task that comes next has to run again; nothing: it does not.
std::optional<Rejection> BlockOrderFlow::why_not(const ExecutionResult& earlier,
                                                 std::uint64_t budget) const {
    if (!earlier.result.fuel.holds_for(budget))
        return Rejection{.reason = trace::AbortReason::wrong_budget};
    return changed_read(earlier, start_->round.task(next_), versions_, *start_);
}

Flow::Next BlockOrderFlow::next(unsigned worker, Attempt& attempt) {
    unsigned owner = nobody;
    if (!owner_.compare_exchange_strong(owner, worker) && owner != worker) return Next::over;
    for (;; ++next_) {
        if (abandoned_.load(std::memory_order_acquire) || is_complete()) return Next::over;
        view_->restart(start_->round.task(next_));
        start_->round.settle(next_);
        attempt = start_->round.attempt(next_, *view_);
        if (!keep_[next_]) return Next::attempt;
        const ExecutionResult& earlier = *start_->executions[attempt.task];
        if (const auto why = why_not(earlier, attempt.budget)) {
            start_->round.aborted(worker, next_, *why);
            return Next::attempt;
        }
    }
}

void BlockOrderFlow::done(unsigned worker, Result<Attempted> attempted) {
    const ExecutionResult* const made = start_->round.take(worker, next_, std::move(attempted));
    if (made == nullptr) return abandon();
    const std::uint32_t task = start_->round.task(next_);
    const auto& earlier = start_->executions[task];
    versions_.publish(task, made->result.log.writes,
                      earlier == nullptr ? nullptr : &earlier->result.log.writes);
    if (!start_->round.make_probes(next_, !view_->found_version())) return abandon();
    ++next_;
}

} // namespace blockloom::execute
