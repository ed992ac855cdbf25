#include "execute/flow/optimistic_flow.h"

#include "execute/flow/changed_read.h"
#include "execute/flow/seeded_versions.h"
#include "execute/flow/wait_span.h"
#include "execute/worker_pool.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace blockloom::execute {
namespace {

constexpr std::size_t reads_a_part = 64;

constexpr std::uint32_t low_half(std::uint64_t index) noexcept {
    return static_cast<std::uint32_t>(index);
}

/// The index `to`, in the generation of `now` or the next one.
constexpr std::uint64_t index_at(std::uint32_t to, std::uint64_t now, bool lowered) noexcept {
    return (((now >> 32U) + (lowered ? 1 : 0)) << 32U) | to;
}

} // namespace

void OptimisticFlow::begin(const FlowStart& start) {
    start_.emplace(start);
    count_ = start.tasks;
    keep_.resize(count_);
    std::vector<bool> runs(start.executions.size() - start.accepted);
    for (std::uint32_t place = 0; place < count_; ++place)
        if (!keep_[place]) runs[start.round.task(place) - start.accepted] = true;
    seed_versions(versions_, start, runs);
    expect_writes();
    tasks_ = std::make_unique<Task[]>(count_);
    for (unsigned worker = 0; worker < start.pool.workers(); ++worker)
        workers_.emplace_back(versions_, start.below);
    readers_.begin(count_);
    const auto keep = [&](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (!keep_[i]) continue;
            const auto place = static_cast<std::uint32_t>(i);
            tasks_[place].stage = Stage::executed;
            tasks_[place].made = start.executions[start.round.task(place)].get();
            add_reads(place, *tasks_[place].made);
        }
    };
    if (std::find(keep_.begin(), keep_.end(), true) != keep_.end())
        start.pool.each(count_, reads_a_part, keep);
    to_validate_ = count_;
    for (std::uint32_t place = 0; place < count_; ++place)
        if (const auto& ran = start.executions[start.round.task(place)];
            !keep_[place] && ran != nullptr)
            suspect_readers(place, ran->result.log.writes, nullptr);
    finished_ = count_ == 0;
}

/// A key's estimates at once: their list is searched for once, and grows in block order.
void OptimisticFlow::expect_writes() {
    std::vector<std::uint32_t> ends(expected_.lists.size() + 1);
    for (const std::uint32_t list : expected_.list_of) ++ends[list + std::size_t{1}];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<std::uint32_t> next(ends.begin(), ends.end() - 1), tasks(expected_.list_of.size());
    for (std::uint32_t place = 0; place < tasks.size(); ++place)
        tasks[next[expected_.list_of[place]]++] = start_->round.task(place);
    for (std::size_t list = 0; list < expected_.lists.size(); ++list) {
        const auto of_list =
            std::span<const std::uint32_t>(tasks).subspan(ends[list], ends[list + 1] - ends[list]);
        for (const state::Key* const key : expected_.lists[list]) versions_.estimate(*key, of_list);
    }
}

void OptimisticFlow::add_reads(std::uint32_t place, const ExecutionResult& made) {
    for (const Probe& probe : made.probes) readers_.prefetch(probe.hash); // of writes, too
    for (const Probe& probe : made.probes) {
        if (probe.kind == Probe::Kind::write) break; // they are the last
        readers_.add(probe.hash, place);
    }
}

/// Nothing is left to give out; what was given out may add more.
bool OptimisticFlow::is_idle() const noexcept {
    return to_execute_.load() >= count_ && low_half(to_validate_.load()) >= count_ &&
           best_released_.load() == none;
}

void OptimisticFlow::check_whether_finished() noexcept {
    const std::uint32_t added = added_.load();
    const bool any_active = std::any_of(workers_.begin(), workers_.end(),
                                        [](const Worker& each) { return each.active.load(); });
    // Whoever ended a job since the first look either added nothing, or is seen here.
    if (!is_idle() || any_active || added != added_.load()) return;
    finished_.store(true, std::memory_order_release);
    news_.announce_end();
}

/// No job if the task is not ready.
OptimisticFlow::Job OptimisticFlow::try_begin(Worker& own, std::uint32_t place) {
    if (place < count_) {
        Task& task = tasks_[place];
        const std::lock_guard lock(task.guard);
        if (task.stage == Stage::ready) {
            task.stage = Stage::executing;
            return {place, task.incarnation, false};
        }
    }
    own.active.store(false);
    return {};
}

/// `none`: there is none.
std::uint32_t OptimisticFlow::take_released() {
    if (best_released_.load() == none) return none;
    const std::lock_guard lock(released_guard_);
    if (released_.empty()) return none;
    std::pop_heap(released_.begin(), released_.end(), std::greater<>());
    const std::uint32_t place = released_.back();
    released_.pop_back();
    best_released_.store(released_.empty() ? none : released_.front());
    return place;
}

OptimisticFlow::Job OptimisticFlow::next_to_execute(Worker& own) {
    if (to_execute_.load() >= count_ && best_released_.load() == none) {
        check_whether_finished();
        return {};
    }
    own.active.store(true); // before it takes anything
    std::uint32_t place = take_released();
    if (place == none) place = to_execute_.fetch_add(1);
    return try_begin(own, place);
}

/// The lowest suspect, if there is one and nobody else takes it. One that is not executed now will
/// be validated when it is.
OptimisticFlow::Job OptimisticFlow::next_to_validate(Worker& own) {
    std::uint64_t seen = to_validate_.load();
    own.active.store(true);
    std::uint32_t place = low_half(seen);
    while (place < count_ && !tasks_[place].suspect.load()) ++place;
    const std::uint32_t after = std::min(place + 1, count_);
    if (to_validate_.compare_exchange_strong(seen, index_at(after, seen, false)) &&
        place < count_ && tasks_[place].suspect.exchange(false)) {
        Task& task = tasks_[place];
        const std::lock_guard lock(task.guard);
        if (task.stage == Stage::executed) return {place, task.incarnation, true};
    }
    own.active.store(false);
    return {};
}

OptimisticFlow::Job OptimisticFlow::next_job(Worker& own) {
    return low_half(to_validate_.load()) < count_ ? next_to_validate(own) : next_to_execute(own);
}

/// Nothing: the latest execution is valid.
std::optional<Rejection> OptimisticFlow::why_not(std::uint32_t place) const {
    return changed_read(*tasks_[place].made.load(std::memory_order_acquire),
                        start_->round.task(place), versions_, *start_);
}

OptimisticFlow::Job OptimisticFlow::validated(unsigned worker, const Job& job) {
    Task& task = tasks_[job.place];
    const std::optional<Rejection> why = why_not(job.place);
    bool aborted = false;
    if (why) {
        const std::lock_guard lock(task.guard);
        // Only the first to find it aborts it.
        aborted = task.stage == Stage::executed && task.incarnation == job.incarnation;
        if (aborted) task.stage = Stage::aborting;
    }
    if (!aborted) {
        workers_[worker].active.store(false);
        return {};
    }
    start_->round.aborted(worker, job.place, *why);
    // Who read these values is to wait for those that take their place.
    const state::WriteSet& writes = task.made.load(std::memory_order_acquire)->result.log.writes;
    versions_.estimate(start_->round.task(job.place), writes);
    suspect_readers(job.place, writes, nullptr);
    {
        const std::lock_guard lock(task.guard);
        task.stage = Stage::ready;
        ++task.incarnation;
    }
    return try_begin(workers_[worker], job.place);
}

void OptimisticFlow::suspect(std::uint32_t place) {
    tasks_[place].suspect.store(true);
    std::uint64_t now = to_validate_.load();
    while (!to_validate_.compare_exchange_weak(
        now, index_at(std::min(place, low_half(now)), now, true))) {
    }
    added_.fetch_add(1);
}

/// Those above that read what the task at `place` has changed: up to the next one that writes the
/// key, whose own value those above it read.
void OptimisticFlow::suspect_readers(std::uint32_t place, const state::WriteSet& writes,
                                     const state::WriteSet* before) {
    bool any = false;
    std::vector<std::uint32_t> above;
    const auto look = [&](const state::Key& key) {
        above.clear();
        readers_.each_above(place, key.hash(),
                            [&](std::uint32_t reader) { above.push_back(reader); });
        if (above.empty()) return;
        const std::uint32_t last = versions_.next_writer_above(start_->round.task(place), key);
        for (const std::uint32_t reader : above)
            if (start_->round.task(reader) <= last) {
                suspect(reader);
                any = true;
            }
    };
    for (const auto& [key, value] : writes) {
        const state::Value* const earlier =
            before == nullptr ? nullptr : state::written(*before, key);
        if (earlier == nullptr || !(*earlier == value)) look(key);
    }
    if (before != nullptr)
        for (const auto& [key, value] : *before)
            if (state::written(writes, key) == nullptr) look(key);
    if (any) news_.announce();
}

/// The lowest of those that waited is returned, for the worker that ends the wait; the others are
/// for anybody.
std::uint32_t OptimisticFlow::resume(std::vector<std::uint32_t>& waiting) {
    if (waiting.empty()) return none;
    for (const std::uint32_t place : waiting) {
        Task& task = tasks_[place];
        const std::lock_guard lock(task.guard);
        task.stage = Stage::ready;
        ++task.incarnation;
    }
    const auto lowest = std::min_element(waiting.begin(), waiting.end());
    const std::uint32_t own = *lowest;
    waiting.erase(lowest);
    if (waiting.empty()) return own;
    {
        const std::lock_guard lock(released_guard_);
        for (const std::uint32_t place : waiting) {
            released_.push_back(place);
            std::push_heap(released_.begin(), released_.end(), std::greater<>());
        }
        best_released_.store(released_.front());
        added_.fetch_add(1);
    }
    news_.announce();
    return own;
}

OptimisticFlow::Job OptimisticFlow::finish_execution(Worker& own, const Job& job) {
    Task& task = tasks_[job.place];
    std::vector<std::uint32_t> waiting;
    {
        const std::lock_guard lock(task.guard);
        task.stage = Stage::executed;
        waiting.swap(task.waiting);
    }
    const std::uint32_t lowest = resume(waiting);
    // What it read may have changed before its reads were known.
    if (lowest == none) return {job.place, job.incarnation, true};
    suspect(job.place);
    news_.hint();
    return try_begin(own, lowest);
}

/// The attempt met an estimate. False: its writer has executed by now.
bool OptimisticFlow::wait_for(unsigned worker) {
    const LiveView& view = workers_[worker].view;
    const std::uint32_t place = workers_[worker].job.place;
    start_->round.aborted(worker, place,
                          {trace::AbortReason::estimate, view.blocked_by(), view.blocked_on()});
    Task& other = tasks_[place_of(view.blocked_on())];
    const std::lock_guard lock(other.guard);
    if (other.stage == Stage::executed) return false;
    {
        const std::lock_guard own(tasks_[place].guard); // always of the higher place
        tasks_[place].stage = Stage::aborting;
    }
    other.waiting.push_back(place);
    workers_[worker].active.store(false);
    return true;
}

std::uint32_t OptimisticFlow::place_of(std::uint32_t task) const noexcept {
    std::uint32_t low = 0, high = count_;
    while (low < high) {
        const std::uint32_t middle = (low + high) / 2;
        if (start_->round.task(middle) < task)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

Flow::Next OptimisticFlow::next(unsigned worker, Attempt& attempt) {
    Worker& own = workers_[worker];
    Job& job = own.job;
    WaitSpan waiting(start_->recording, worker);
    for (;;) {
        const std::uint32_t seen = news_.now();
        if (abandoned_.load(std::memory_order_acquire) || is_complete()) return Next::over;
        if (job.place == none) job = next_job(own);
        if (job.place != none) waiting.ends();
        while (job.place != none && job.validate) job = validated(worker, job);
        if (job.place != none) {
            own.view.restart(start_->round.task(job.place));
            attempt = start_->round.attempt(job.place, own.view);
            if (news_.anybody_waits() && !is_idle()) news_.pass_on();
            return Next::attempt;
        }
        if (!is_idle()) continue;
        // Of those that found nothing, the last one to leave has to see that all is done.
        check_whether_finished();
        if (is_complete()) continue;
        waiting.begins();
        if (!news_.wait(seen, start_->pool, worker)) return Next::later;
    }
}

void OptimisticFlow::done(unsigned worker, Result<Attempted> attempted) {
    Worker& own = workers_[worker];
    Job& job = own.job;
    const LiveView& view = own.view;
    if (!attempted && view.blocked_on() != LiveVersions::nobody) {
        // The same worker tries again at once if the writer has executed meanwhile.
        if (wait_for(worker)) job = {};
        return;
    }
    Task& task = tasks_[job.place];
    const ExecutionResult* const before = task.made.load(std::memory_order_relaxed);
    const ExecutionResult* const made = start_->round.take(worker, job.place, std::move(attempted));
    if (made == nullptr || !start_->round.make_probes(job.place, !view.found_version()))
        return abandon();
    const auto number = start_->round.task(job.place);
    const state::WriteSet* earlier = before == nullptr ? nullptr : &before->result.log.writes;
    if (earlier == nullptr && start_->executions[number] != nullptr)
        earlier = &start_->executions[number]->result.log.writes;
    task.made.store(made, std::memory_order_release);
    add_reads(job.place, *made);
    (void)versions_.publish(number, made->result.log.writes, earlier);
    if (before == nullptr)
        for (const state::Key* const key : expected_.of(job.place))
            if (state::written(made->result.log.writes, *key) == nullptr)
                versions_.withdraw(number, *key);
    suspect_readers(job.place, made->result.log.writes, earlier);
    job = finish_execution(own, job);
}

void OptimisticFlow::abandon() noexcept {
    abandoned_.store(true, std::memory_order_release);
    news_.announce_end();
}

} // namespace blockloom::execute
