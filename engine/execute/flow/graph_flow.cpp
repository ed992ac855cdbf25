#include "execute/flow/graph_flow.h"

#include "execute/flow/seeded_versions.h"
#include "execute/flow/wait_span.h"

#include <algorithm>
#include <functional>

namespace blockloom::execute {
namespace {

/// Tasks that nobody waits for, which a worker takes at once while there are many: their results
/// then lie side by side in memory, and few claims meet.
constexpr std::size_t most_at_once = 8;

} // namespace

bool GraphFlow::OwnRanks::add(std::uint32_t rank) noexcept {
    const std::lock_guard lock(guard_);
    if (count_ == most) return false;
    std::uint32_t at = count_++;
    for (; at != 0 && ranks_[at - 1] < rank; --at) ranks_[at] = ranks_[at - 1];
    ranks_[at] = rank;
    best_.store(ranks_[count_ - 1]);
    return true;
}

std::uint32_t GraphFlow::OwnRanks::take() noexcept {
    if (best_.load(std::memory_order_relaxed) == none) return none;
    const std::lock_guard lock(guard_);
    if (count_ == 0) return none;
    const std::uint32_t rank = ranks_[--count_];
    best_.store(count_ == 0 ? none : ranks_[count_ - 1], std::memory_order_release);
    return rank;
}

void GraphFlow::begin(const FlowStart& start) {
    start_.emplace(start);
    seed_versions(versions_, start, {});
    const unsigned workers = start.pool.workers();
    for (unsigned worker = 0; worker < workers; ++worker)
        workers_.emplace_back(versions_, start.below);
    steps_ = std::make_unique<std::atomic<std::uint8_t>[]>(workers);
    waits_ = std::make_unique<std::atomic<std::uint32_t>[]>(start.tasks);
    for (std::uint32_t place = 0; place < start.tasks; ++place)
        waits_[place].store(graph_.waits_for(place), std::memory_order_relaxed);
    if (!in_turn_.empty()) has_run_ = std::make_unique<std::atomic<bool>[]>(start.tasks);
    for (const std::uint32_t place : in_turn_) waits_[place].fetch_add(1);
    for (std::uint32_t rank = 0; rank < start.tasks; ++rank) {
        const std::uint32_t place = graph_.at_rank(rank);
        if (waits_[place].load(std::memory_order_relaxed) != 0) continue;
        ready_at_start_.push_back(rank);
        if (!graph_.successors_of(place).empty()) first_leaf_ = ready_at_start_.size();
    }
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
    const std::size_t next = next_at_start_.load();
    return next < ready_at_start_.size() ? ready_at_start_[next] : none;
}

void GraphFlow::push(std::uint32_t rank) {
    released_.push_back(rank);
    std::push_heap(released_.begin(), released_.end(), std::greater<>());
    best_released_.store(released_.front());
}

/// The most urgent of those that are for all workers. `none`: there is none.
std::uint32_t GraphFlow::take_released(Worker& own) {
    const std::lock_guard lock(guard_);
    if (released_.empty()) return none;
    std::pop_heap(released_.begin(), released_.end(), std::greater<>());
    const std::uint32_t rank = released_.back();
    released_.pop_back();
    best_released_.store(released_.empty() ? none : released_.front());
    if (own.kept != none && !own.ready.add(own.kept)) push(own.kept);
    own.kept = none;
    if (!released_.empty()) news_.pass_on();
    return rank;
}

/// Of those that are ready from the start, and maybe some more for later. `none`: there is none.
std::uint32_t GraphFlow::take_at_start(Worker& own) {
    const std::size_t all = ready_at_start_.size(), next = next_at_start_.load();
    std::size_t wanted = 1;
    if (next >= first_leaf_ && next < all)
        wanted = std::clamp<std::size_t>((all - next) / (4 * workers_.size()), 1, most_at_once);
    const std::size_t mine = next_at_start_.fetch_add(wanted);
    const std::size_t end = std::min(mine + wanted, all);
    own.first_at_start = end < all ? ready_at_start_[end] : none;
    if (mine >= all) return none;
    for (std::size_t at = mine + 1; at < end; ++at)
        if (!own.ready.add(ready_at_start_[at])) {
            const std::lock_guard lock(guard_);
            push(ready_at_start_[at]);
        }
    return ready_at_start_[mine];
}

/// The most urgent of what other workers keep, nearly. `none`: there is none.
std::uint32_t GraphFlow::take_from_others() {
    for (;;) {
        Worker* best = nullptr;
        std::uint32_t lowest = none;
        for (Worker& each : workers_)
            if (const std::uint32_t rank = each.ready.best(); rank < lowest)
                lowest = rank, best = &each;
        if (best == nullptr) return none;
        const std::uint32_t rank = best->ready.take();
        if (rank == none) continue;
        if (best->ready.best() != none) news_.pass_on();
        return rank;
    }
}

/// The most urgent of those that this worker may take, nearly: two workers that look at the same
/// time may take each other's. `none`: there is none.
std::uint32_t GraphFlow::take(Worker& own) {
    for (;;) {
        const std::uint32_t mine = std::min(own.kept, own.ready.best());
        if (own.first_at_start < mine) own.first_at_start = first_rank();
        if (best_released_.load() < std::min(mine, own.first_at_start)) {
            if (const std::uint32_t rank = take_released(own); rank != none) return rank;
            continue;
        }
        if (own.first_at_start < mine) {
            if (const std::uint32_t rank = take_at_start(own); rank != none) return rank;
            continue;
        }
        if (mine == none) return take_from_others();
        if (mine == own.kept) return std::exchange(own.kept, none);
        const std::uint32_t rank = own.ready.take();
        if (rank == none) continue; // another worker was faster
        if (own.kept != none && own.ready.add(own.kept)) own.kept = none;
        return rank;
    }
}

/// A task whose probes were left to others.
std::optional<GraphFlow::Unprobed> GraphFlow::take_unprobed() {
    if (!any_unprobed_.load(std::memory_order_acquire)) return std::nullopt;
    const std::lock_guard lock(unprobed_guard_);
    if (unprobed_.empty()) return std::nullopt;
    const Unprobed found = unprobed_.back();
    unprobed_.pop_back();
    any_unprobed_.store(!unprobed_.empty(), std::memory_order_release);
    if (!unprobed_.empty()) news_.pass_on();
    return found;
}

void GraphFlow::make_probes(Worker& own, const Unprobed& of) {
    if (!start_->round.make_probes(of.place, of.on_start)) return abandon();
    ++own.probed;
}

/// A worker's count is passed on when it has nothing to run: others then look for the end.
void GraphFlow::count_probed(Worker& own) noexcept {
    const std::uint32_t probed = std::exchange(own.probed, 0);
    if (probed != 0 && left_.fetch_sub(probed, std::memory_order_acq_rel) == probed)
        news_.announce_end();
}

/// For a worker that others know to wait.
bool GraphFlow::any_ready() const noexcept {
    return best_released_.load() != none || first_rank() != none || any_unprobed_.load() ||
           std::any_of(workers_.begin(), workers_.end(),
                       [](const Worker& each) { return each.ready.best() != none; });
}

Flow::Next GraphFlow::next(unsigned worker, Attempt& attempt) {
    Worker& own = workers_[worker];
    WaitSpan waiting(start_->recording, worker);
    for (;;) {
        const std::uint32_t seen = news_.now();
        if (abandoned_.load(std::memory_order_acquire)) return Next::over;
        const std::uint32_t rank = take(own);
        if (rank != none) {
            own.running = graph_.at_rank(rank);
            if (const std::uint32_t step = graph_.step_at(rank); step != own.step) {
                own.step = step;
                steps_[worker].store(static_cast<std::uint8_t>(step), std::memory_order_relaxed);
            }
            own.view.restart(start_->round.task(own.running));
            attempt = start_->round.attempt(own.running, own.view);
            return Next::attempt;
        }
        if (const auto unprobed = take_unprobed()) {
            waiting.ends();
            make_probes(own, *unprobed);
            continue;
        }
        count_probed(own);
        if (is_complete()) return Next::over;
        waiting.begins();
        if (!news_.wait(seen, start_->pool, worker, [this] { return any_ready(); }))
            return Next::later;
    }
}

/// The most urgent of those that now have to wait for nobody is for this worker's next turn.
void GraphFlow::release_successors(Worker& own, std::uint32_t place) {
    for (const std::uint32_t after : graph_.successors_of(place)) {
        const bool waits_for_this = in_turn_.empty() && graph_.waits_for(after) == 1;
        if (!waits_for_this && waits_[after].fetch_sub(1, std::memory_order_acq_rel) != 1) continue;
        std::uint32_t rank = graph_.rank_of(after);
        if (rank < own.kept) std::swap(rank, own.kept);
        if (rank == none || own.ready.add(rank)) continue;
        const std::lock_guard lock(guard_);
        push(rank);
    }
}

/// Gives away what this worker would do later than another one does less urgent things.
void GraphFlow::share(unsigned worker) {
    Worker& own = workers_[worker];
    const std::uint32_t best = own.ready.best();
    if (best == none) return;
    const std::uint32_t step = graph_.step_at(best);
    for (unsigned other = 0; other < workers_.size(); ++other) {
        if (other == worker || steps_[other].load(std::memory_order_relaxed) <= step + 1) continue;
        const std::uint32_t rank = own.ready.take();
        if (rank == none) return;
        const std::lock_guard lock(guard_);
        return push(rank);
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
    release_successors(own, place);
    share(worker);
    const Unprobed unprobed{place, !own.view.found_version()};
    const bool leaves_probes = own.kept != none && news_.anybody_waits();
    if (leaves_probes) {
        const std::lock_guard lock(unprobed_guard_);
        unprobed_.push_back(unprobed);
        any_unprobed_.store(true);
    }
    if (leaves_probes || own.ready.best() != none || best_released_.load() != none)
        news_.announce_if_awaited();
    if (!leaves_probes) make_probes(own, unprobed);
}

void GraphFlow::abandon() noexcept {
    abandoned_.store(true, std::memory_order_release);
    news_.announce_end();
}

} // namespace blockloom::execute
