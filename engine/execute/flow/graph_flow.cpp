#include "execute/flow/graph_flow.h"

#include "execute/flow/seeded_versions.h"
#include "execute/flow/wait_span.h"

#include <algorithm>
#include <functional>

namespace blockloom::execute {

void GraphFlow::begin(const FlowStart& start) {
    start_.emplace(start);
    seed_versions(versions_, start, {});
    views_.reserve(start.tasks);
    waits_ = std::make_unique<std::atomic<std::uint32_t>[]>(start.tasks);
    for (std::uint32_t place = 0; place < start.tasks; ++place) {
        views_.emplace_back(versions_, start.below, start.round.task(place));
        waits_[place].store(graph_.waits_for(place), std::memory_order_relaxed);
    }
    if (!in_turn_.empty()) has_run_ = std::make_unique<std::atomic<bool>[]>(start.tasks);
    for (const std::uint32_t place : in_turn_) waits_[place].fetch_add(1);
    for (std::uint32_t rank = 0; rank < start.tasks; ++rank)
        if (waits_[graph_.at_rank(rank)].load(std::memory_order_relaxed) == 0)
            ready_at_start_.push_back(rank);
    workers_.resize(start.pool.workers());
    left_ = start.tasks;
    (void)release_in_turn();
}

/// The next task that waits for its turn, if that has come. True: it is ready now.
bool GraphFlow::release_in_turn() {
    if (next_in_turn_ == in_turn_.size() || in_turn_[next_in_turn_] != first_to_run_.load())
        return false;
    const std::uint32_t place = in_turn_[next_in_turn_++];
    start_->round.settle(place);
    if (waits_[place].fetch_sub(1, std::memory_order_acq_rel) != 1) return false;
    const std::lock_guard lock(guard_);
    push(graph_.rank_of(place));
    return true;
}

/// Whoever runs the first of the tasks that had not run looks how many after it have. Either it
/// sees that another one has run, or that one's worker sees that it became the first.
void GraphFlow::note_run(std::uint32_t place) {
    has_run_[place].store(true);
    if (first_to_run_.load() != place) return;
    bool any_pushed = false;
    {
        const std::lock_guard lock(turn_guard_);
        for (std::uint32_t first = first_to_run_.load();
             first < start_->tasks && has_run_[first].load();) {
            first_to_run_.store(++first);
            any_pushed = release_in_turn() || any_pushed;
        }
    }
    if (any_pushed) news_.announce();
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
            if (!released_.empty()) news_.pass_on();
            return rank;
        }
        if (own.kept <= at_start) return std::exchange(own.kept, none);
        const std::size_t mine = next_at_start_.fetch_add(1, std::memory_order_relaxed);
        if (mine < ready_at_start_.size()) return ready_at_start_[mine];
    }
}

/// The place of a task whose probes were left to others. `none`: there is none.
std::uint32_t GraphFlow::take_unprobed() {
    if (!any_unprobed_.load(std::memory_order_acquire)) return none;
    const std::lock_guard lock(unprobed_guard_);
    if (unprobed_.empty()) return none;
    const std::uint32_t place = unprobed_.back();
    unprobed_.pop_back();
    any_unprobed_.store(!unprobed_.empty(), std::memory_order_release);
    if (!unprobed_.empty()) news_.pass_on();
    return place;
}

void GraphFlow::make_probes(std::uint32_t place) {
    if (!start_->round.make_probes(place, !views_[place].found_version())) return abandon();
    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) news_.announce_end();
}

Flow::Next GraphFlow::next(unsigned worker, Attempt& attempt) {
    Worker& own = workers_[worker];
    WaitSpan waiting(start_->recording, worker);
    for (;;) {
        const std::uint32_t seen = news_.now();
        if (abandoned_.load(std::memory_order_acquire) || is_complete()) return Next::over;
        const std::uint32_t rank = take(own);
        if (rank != none) {
            own.running = graph_.at_rank(rank);
            views_[own.running].restart();
            attempt = start_->round.attempt(own.running, views_[own.running]);
            return Next::attempt;
        }
        if (const std::uint32_t place = take_unprobed(); place != none) {
            waiting.ends();
            make_probes(place);
            continue;
        }
        waiting.begins();
        if (!news_.wait(seen, start_->pool, worker)) return Next::later;
    }
}

void GraphFlow::done(unsigned worker, Result<Attempted> attempted) {
    Worker& own = workers_[worker];
    const std::uint32_t place = own.running;
    const ExecutionResult* const made = start_->round.take(worker, place, std::move(attempted));
    if (made == nullptr) return abandon();
    const std::uint32_t task = start_->round.task(place);
    const auto& earlier = start_->executions[task];
    versions_.publish(task, made->result.log.writes,
                      earlier == nullptr ? nullptr : &earlier->result.log.writes);
    if (has_run_ != nullptr) note_run(place);
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
    if (own.kept == none || !news_.anybody_waits()) {
        if (any_pushed) news_.announce();
        return make_probes(place);
    }
    {
        const std::lock_guard lock(unprobed_guard_);
        unprobed_.push_back(place);
        any_unprobed_.store(true, std::memory_order_release);
    }
    news_.announce();
}

void GraphFlow::abandon() noexcept {
    abandoned_.store(true, std::memory_order_release);
    news_.announce_end();
}

} // namespace blockloom::execute
