#include "execute/flow/optimistic_flow.h"

#include "execute/flow/seeded_versions.h"

#include <algorithm>
#include <utility>

namespace blockloom::execute {

void OptimisticFlow::begin(const FlowStart& start) {
    start_.emplace(start);
    count_ = start.tasks;
    keep_.resize(count_);
    std::vector<bool> runs(start.executions.size() - start.accepted);
    for (std::uint32_t place = 0; place < count_; ++place)
        if (!keep_[place]) runs[start.round.task(place) - start.accepted] = true;
    seed_versions(versions_, start, runs);
    for (std::uint32_t place = 0; place < count_; ++place)
        for (const state::Key* const key : expected_.of(place))
            versions_.estimate(start.round.task(place), *key);
    tasks_ = std::make_unique<Task[]>(count_);
    views_.clear();
    views_.reserve(count_);
    for (std::uint32_t place = 0; place < count_; ++place) {
        if (!keep_[place]) continue;
        tasks_[place].stage = Stage::executed;
        tasks_[place].made = start.executions[start.round.task(place)].get();
    }
    for (std::uint32_t place = 0; place < count_; ++place)
        views_.emplace_back(versions_, start.below, start.round.task(place));
    workers_.resize(start.pool.workers());
    finished_ = count_ == 0;
}

void OptimisticFlow::lower(std::atomic<std::uint32_t>& index, std::uint32_t to) noexcept {
    std::uint32_t now = index.load();
    while (now > to && !index.compare_exchange_weak(now, to)) {
    }
    lowered_.fetch_add(1);
    news_.announce();
}

void OptimisticFlow::check_whether_finished() noexcept {
    const std::uint32_t lowered = lowered_.load();
    if (std::min(to_execute_.load(), to_validate_.load()) < count_ || active_.load() != 0 ||
        lowered != lowered_.load())
        return;
    finished_.store(true, std::memory_order_release);
    news_.announce();
}

/// A job is over and led to no other.
void OptimisticFlow::leave() noexcept {
    active_.fetch_sub(1);
}

bool OptimisticFlow::try_begin(std::uint32_t place, Job& job) {
    if (place < count_) {
        Task& task = tasks_[place];
        const std::lock_guard lock(task.guard);
        if (task.stage == Stage::ready) {
            task.stage = Stage::executing;
            job = {place, task.incarnation, false};
            return true;
        }
    }
    leave();
    return false;
}

OptimisticFlow::Job OptimisticFlow::next_to_execute() {
    if (to_execute_.load() >= count_) {
        check_whether_finished();
        return {};
    }
    active_.fetch_add(1);
    Job job;
    (void)try_begin(to_execute_.fetch_add(1), job);
    return job;
}

OptimisticFlow::Job OptimisticFlow::next_to_validate() {
    if (to_validate_.load() >= count_) {
        check_whether_finished();
        return {};
    }
    active_.fetch_add(1);
    const std::uint32_t place = to_validate_.fetch_add(1);
    if (place < count_) {
        Task& task = tasks_[place];
        const std::lock_guard lock(task.guard);
        if (task.stage == Stage::executed) return {place, task.incarnation, true};
    }
    leave();
    return {};
}

OptimisticFlow::Job OptimisticFlow::next_job() {
    return to_validate_.load() < to_execute_.load() ? next_to_validate() : next_to_execute();
}

/// Whether everything that the latest execution read still has the value that it was given.
bool OptimisticFlow::is_valid(std::uint32_t place) const {
    const ExecutionResult& made = *tasks_[place].made.load(std::memory_order_acquire);
    const std::uint32_t task = start_->round.task(place);
    for (const Probe& probe : made.probes) {
        if (probe.kind == Probe::Kind::write) break; // they are the last
        const auto found = versions_.latest_below(task, key_of(made, probe));
        if (found.writer == LiveVersions::nobody) {
            if (start_->accepted == 0) { // below is the state before the block window
                if (!probe.holds_before) return false;
                continue;
            }
            const auto below = start_->below.get(key_of(made, probe));
            if (!below || !holds(made, probe, *below)) return false;
            continue;
        }
        if (found.value == nullptr || !holds(made, probe, *found.value)) return false;
    }
    return true;
}

OptimisticFlow::Job OptimisticFlow::validated(const Job& job) {
    Task& task = tasks_[job.place];
    const bool valid = is_valid(job.place);
    bool aborted = false;
    if (!valid) {
        const std::lock_guard lock(task.guard);
        // Only the first to find it aborts it.
        aborted = task.stage == Stage::executed && task.incarnation == job.incarnation;
        if (aborted) task.stage = Stage::aborting;
    }
    if (!aborted) {
        leave();
        return {};
    }
    versions_.estimate(start_->round.task(job.place),
                       task.made.load(std::memory_order_acquire)->result.log.writes);
    {
        const std::lock_guard lock(task.guard);
        task.stage = Stage::ready;
        ++task.incarnation;
    }
    lower(to_validate_, job.place + 1);
    Job next;
    if (to_execute_.load() > job.place)
        (void)try_begin(job.place, next);
    else
        leave();
    return next;
}

void OptimisticFlow::resume(std::vector<std::uint32_t>& waiting) {
    if (waiting.empty()) return;
    for (const std::uint32_t place : waiting) {
        Task& task = tasks_[place];
        const std::lock_guard lock(task.guard);
        task.stage = Stage::ready;
        ++task.incarnation;
    }
    lower(to_execute_, *std::min_element(waiting.begin(), waiting.end()));
}

OptimisticFlow::Job OptimisticFlow::finish_execution(const Job& job, bool wrote_new) {
    Task& task = tasks_[job.place];
    std::vector<std::uint32_t> waiting;
    {
        const std::lock_guard lock(task.guard);
        task.stage = Stage::executed;
        waiting.swap(task.waiting);
    }
    resume(waiting);
    if (to_validate_.load() > job.place) {
        if (!wrote_new) return {job.place, job.incarnation, true};
        lower(to_validate_, job.place);
    }
    leave();
    return {};
}

/// False: the writer has executed by now.
bool OptimisticFlow::wait_for(std::uint32_t place, std::uint32_t writer) {
    Task& other = tasks_[writer];
    const std::lock_guard lock(other.guard);
    if (other.stage == Stage::executed) return false;
    {
        const std::lock_guard own(tasks_[place].guard); // always of the higher place
        tasks_[place].stage = Stage::aborting;
    }
    other.waiting.push_back(place);
    leave();
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

bool OptimisticFlow::next(unsigned worker, Attempt& attempt) {
    Job& job = workers_[worker].job;
    for (;;) {
        const std::uint32_t seen = news_.now();
        if (abandoned_.load(std::memory_order_acquire) || is_complete()) return false;
        if (job.place == none) job = next_job();
        while (job.place != none && job.validate) job = validated(job);
        if (job.place != none) {
            views_[job.place].restart();
            attempt = start_->round.attempt(job.place, views_[job.place]);
            return true;
        }
        if (std::min(to_execute_.load(), to_validate_.load()) < count_) continue;
        // Of those that found nothing, the last one to leave has to see that all is done.
        check_whether_finished();
        if (!is_complete()) news_.wait(seen, start_->pool, worker);
    }
}

void OptimisticFlow::done(unsigned worker, Result<Attempted> attempted) {
    Job& job = workers_[worker].job;
    const LiveView& view = views_[job.place];
    if (!attempted && view.blocked_on() != LiveVersions::nobody) {
        // The same worker tries again at once if the writer has executed meanwhile.
        if (wait_for(job.place, place_of(view.blocked_on()))) job = {};
        return;
    }
    Task& task = tasks_[job.place];
    const ExecutionResult* const before = task.made.load(std::memory_order_relaxed);
    const ExecutionResult* const made =
        start_->round.take(worker, job.place, !view.found_version(), std::move(attempted));
    if (made == nullptr) return abandon();
    const auto number = start_->round.task(job.place);
    const state::WriteSet* earlier = before == nullptr ? nullptr : &before->result.log.writes;
    if (earlier == nullptr && start_->executions[number] != nullptr)
        earlier = &start_->executions[number]->result.log.writes;
    task.made.store(made, std::memory_order_release);
    const bool wrote_new = versions_.publish(number, made->result.log.writes, earlier);
    if (before == nullptr)
        for (const state::Key* const key : expected_.of(job.place))
            if (state::written(made->result.log.writes, *key) == nullptr)
                versions_.withdraw(number, *key);
    job = finish_execution(job, wrote_new);
}

void OptimisticFlow::abandon() noexcept {
    abandoned_.store(true, std::memory_order_release);
    news_.announce();
}

} // namespace blockloom::execute
