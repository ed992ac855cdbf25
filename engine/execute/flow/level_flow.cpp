#include "execute/flow/level_flow.h"

#include "execute/flow/seeded_versions.h"
#include "execute/flow/wait_span.h"

namespace blockloom::execute {

LevelFlow::LevelFlow(const std::vector<std::vector<std::uint32_t>>& levels, LiveVersions& versions)
    : versions_(versions) {
    for (const std::vector<std::uint32_t>& level : levels) {
        order_.insert(order_.end(), level.begin(), level.end());
        ends_.push_back(order_.size());
    }
}

void LevelFlow::begin(const FlowStart& start) {
    start_.emplace(start);
    seed_versions(versions_, start, {});
    workers_.assign(start.pool.workers(), {LiveView(versions_, start.below)});
    left_ = order_.size();
    open_ = ends_.empty() ? 0 : ends_.front();
}

Flow::Next LevelFlow::next(unsigned worker, Attempt& attempt) {
    Worker& own = workers_[worker];
    WaitSpan waiting(start_->recording, worker);
    for (;;) {
        const std::uint32_t seen = news_.now();
        if (abandoned_.load(std::memory_order_acquire) || is_complete()) return Next::over;
        // What lies before the end of the open level may run; the versions of those below it are
        // published before that end moves.
        std::size_t mine = next_.load(std::memory_order_relaxed);
        while (mine < open_.load(std::memory_order_acquire)) {
            if (!next_.compare_exchange_weak(mine, mine + 1, std::memory_order_relaxed)) continue;
            own.running = order_[mine];
            own.view.restart(start_->round.task(own.running));
            attempt = start_->round.attempt(own.running, own.view);
            if (mine + 1 < open_.load(std::memory_order_relaxed)) news_.pass_on();
            return Next::attempt;
        }
        waiting.begins();
        if (!news_.wait(seen, start_->pool, worker)) return Next::later;
    }
}

void LevelFlow::done(unsigned worker, Result<Attempted> attempted) {
    const Worker& own = workers_[worker];
    const std::uint32_t place = own.running;
    const ExecutionResult* const made = start_->round.take(worker, place, std::move(attempted));
    if (made == nullptr) return abandon();
    const std::uint32_t task = start_->round.task(place);
    const auto& earlier = start_->executions[task];
    versions_.publish(task, made->result.log.writes,
                      earlier == nullptr ? nullptr : &earlier->result.log.writes);
    // Whoever runs the last task of the open level opens the next one.
    if (ran_.fetch_add(1, std::memory_order_acq_rel) + 1 == open_.load(std::memory_order_acquire) &&
        level_ + 1 < ends_.size()) {
        open_.store(ends_[++level_], std::memory_order_release);
        news_.announce();
    }
    if (!start_->round.make_probes(place, !own.view.found_version())) return abandon();
    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) news_.announce_end();
}

void LevelFlow::abandon() noexcept {
    abandoned_.store(true, std::memory_order_release);
    news_.announce_end();
}

} // namespace blockloom::execute
