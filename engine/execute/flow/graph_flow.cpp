#include "execute/flow/graph_flow.h"

#include "execute/flow/seeded_versions.h"

#include <algorithm>
#include <functional>

namespace blockloom::execute {

void GraphFlow::begin(const FlowStart& start) {
    start_.emplace(start);
    seed_versions(versions_, start, {});
    views_.clear();
    views_.reserve(start.tasks);
    waits_ = std::make_unique<std::atomic<std::uint32_t>[]>(start.tasks);
    for (std::uint32_t place = 0; place < start.tasks; ++place) {
        views_.emplace_back(versions_, start.below, start.round.task(place));
        waits_[place].store(graph_.waits_for(place), std::memory_order_relaxed);
        const std::uint32_t by_rank = graph_.at_rank(place);
        if (graph_.waits_for(by_rank) == 0) ready_at_start_.push_back(place);
    }
    workers_.resize(start.pool.workers());
    left_ = start.tasks;
}

std::uint32_t GraphFlow::first_rank() const noexcept {
    const std::size_t next = next_at_start_.load(std::memory_order_relaxed);
    return next < ready_at_start_.size() ? ready_at_start_[next] : none;
}

void GraphFlow::push(std::uint32_t rank) {
    released_.push_back(rank);
    std::push_heap(released_.begin(), released_.end(), std::greater<>());
    best_released_.store(released_.front(), std::memory_order_release);
}

/// The most urgent of the ready ones, nearly: two workers that look at the same time may take each
/// other's. `none`: there is none.
std::uint32_t GraphFlow::take(Worker& own) {
    for (;;) {
        const std::uint32_t at_start = first_rank();
        if (best_released_.load(std::memory_order_acquire) < std::min(own.kept, at_start)) {
            const std::lock_guard lock(guard_);
            if (released_.empty()) continue;
            std::pop_heap(released_.begin(), released_.end(), std::greater<>());
            const std::uint32_t rank = released_.back();
            released_.pop_back();
            best_released_.store(released_.empty() ? none : released_.front(),
                                 std::memory_order_release);
            if (own.kept != none) push(std::exchange(own.kept, none));
            return rank;
        }
        if (own.kept <= at_start) return std::exchange(own.kept, none);
        const std::size_t mine = next_at_start_.fetch_add(1, std::memory_order_relaxed);
        if (mine < ready_at_start_.size()) return ready_at_start_[mine];
    }
}

bool GraphFlow::next(unsigned worker, Attempt& attempt) {
    Worker& own = workers_[worker];
    for (;;) {
        const std::uint32_t seen = news_.now();
        if (abandoned_.load(std::memory_order_acquire) || is_complete()) return false;
        const std::uint32_t rank = take(own);
        if (rank != none) {
            own.running = graph_.at_rank(rank);
            views_[own.running].restart();
            attempt = start_->round.attempt(own.running, views_[own.running]);
            return true;
        }
        news_.wait(seen, start_->pool, worker);
    }
}

void GraphFlow::done(unsigned worker, Result<Attempted> attempted) {
    Worker& own = workers_[worker];
    const std::uint32_t place = own.running;
    const ExecutionResult* const made =
        start_->round.take(worker, place, !views_[place].found_version(), std::move(attempted));
    if (made == nullptr) return abandon();
    const std::uint32_t task = start_->round.task(place);
    const auto& earlier = start_->executions[task];
    versions_.publish(task, made->result.log.writes,
                      earlier == nullptr ? nullptr : &earlier->result.log.writes);
    bool any_pushed = false;
    for (const std::uint32_t after : graph_.successors_of(place)) {
        if (waits_[after].fetch_sub(1, std::memory_order_acq_rel) != 1) continue;
        std::uint32_t rank = graph_.rank_of(after);
        if (rank < own.kept) std::swap(rank, own.kept);
        if (rank == none) continue;
        const std::lock_guard lock(guard_);
        push(rank);
        any_pushed = true;
    }
    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1 || any_pushed) news_.announce();
}

void GraphFlow::abandon() noexcept {
    abandoned_.store(true, std::memory_order_release);
    news_.announce();
}

} // namespace blockloom::execute
