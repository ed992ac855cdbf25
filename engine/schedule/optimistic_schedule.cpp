// The optimistic schedule: tasks run ahead, and those that read too early are re-executed
// (Block-STM without its overheads).
#include "schedule/rank_set.h"
#include "schedule/simulation.h"
#include "schedule/slot_order.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace blockloom::schedule {

namespace {

using conflict::KeyId;

using KeyLists = OptimisticSimulation::KeyLists;

/// A commutative key's update does not look at what it updates.
bool is_read(const trace::PolicedTrace& trace, trace::Access access) {
    return access.reads() &&
           !(access.writes() && !trace.commutative.empty() && trace.commutative[access.key()]);
}

bool follows_in_transaction(const trace::PolicedTrace& trace, TaskId task) {
    return task > 0 && task < trace.tasks() && !trace.transaction.empty() &&
           trace.transaction[task] == trace.transaction[task - 1];
}

/// For each key the tasks that have read it and whose execution stands (running or done),
/// ascending. Tasks start almost in order, so that both ends of an insertion are near the end of a
/// list.
class Readers {
public:
    Readers(const KeyLists& reads, const KeyLists& writes, std::size_t keys)
        : reads_(reads), writes_(writes), tasks_(keys) {}

    void add(TaskId task) {
        for (const std::uint32_t key : reads_.of(task)) {
            auto& tasks = tasks_[key];
            tasks.insert(place(tasks, task), task);
        }
    }
    void remove(TaskId task) {
        for (const std::uint32_t key : reads_.of(task)) {
            auto& tasks = tasks_[key];
            tasks.erase(place(tasks, task));
        }
    }
    /// Tasks above `writer` that have read what it writes, into `found`: ascending, each once.
    void above(TaskId writer, std::vector<TaskId>& found) const {
        found.clear();
        for (const std::uint32_t key : writes_.of(writer)) {
            const auto& tasks = tasks_[key];
            for (auto it = tasks.rbegin(); it != tasks.rend() && *it > writer; ++it)
                found.push_back(*it);
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
    }

private:
    static std::vector<TaskId>::const_iterator place(const std::vector<TaskId>& tasks,
                                                     TaskId task) {
        if (tasks.empty() || tasks.back() < task) return tasks.end();
        return std::lower_bound(tasks.begin(), tasks.end(), task);
    }

    const KeyLists& reads_;
    const KeyLists& writes_;
    std::vector<std::vector<TaskId>> tasks_;
};

struct Event {
    std::uint64_t end;
    TaskId task;
    std::uint32_t execution; ///< void if the task has been aborted since
    friend bool operator>(const Event& a, const Event& b) {
        return a.end != b.end ? a.end > b.end : a.task > b.task;
    }
};

/// One run for a number of workers.
class Run {
public:
    Run(const trace::PolicedTrace& trace, Readers readers, std::uint32_t workers, Keep keep)
        : trace_(trace), keep_(keep), readers_(std::move(readers)), tasks_(trace.tasks()),
          state_(tasks_), waiting_(tasks_),
          idle_(std::min(std::max(workers, 1u), tasks_)), schedule_{Strategy::optimistic,
                                                                    std::max(workers, 1u),
                                                                    0,
                                                                    {}} {
        if (keep == Keep::slots) schedule_.slots.reserve(tasks_);
        for (TaskId task = 0; task < tasks_; ++task) waiting_.insert(task);
        for (std::uint32_t w = 0; w < std::min(schedule_.workers, tasks_); ++w) idle_.insert(w);
    }

    Schedule finished() {
        while (true) {
            start_what_can();
            if (events_.empty()) break;
            now_ = events_.top().end;
            // Tasks that end now end before any task starts, the lowest first.
            while (!events_.empty() && events_.top().end == now_) {
                const Event event = events_.top();
                events_.pop();
                if (state_[event.task].executions == event.execution) finish(event.task);
            }
        }
        schedule_.makespan = now_;
        order_slots(schedule_.slots);
        return std::move(schedule_);
    }

private:
    struct State {
        std::size_t slot = 0; ///< of the latest execution, where slots are kept
        std::uint32_t worker = 0;
        std::uint32_t executions = 0; ///< aborted ones
        bool running = false;
    };

    void start_what_can() {
        while (!idle_.empty() && !waiting_.empty()) {
            const TaskId task = waiting_.take_first();
            State& state = state_[task];
            state.worker = idle_.take_first();
            state.running = true;
            const std::uint64_t end = now_ + trace_.cost_of(task);
            if (keep_ == Keep::slots) {
                state.slot = schedule_.slots.size();
                schedule_.slots.push_back({task, state.worker, now_, end, false});
            }
            readers_.add(task);
            if (end == now_)
                finish(task);
            else
                events_.push({end, task, state.executions});
        }
    }

    void finish(TaskId task) {
        state_[task].running = false;
        idle_.insert(state_[task].worker);
        readers_.above(task, overtaken_);
        for (const TaskId stale : overtaken_) abort(stale);
    }

    void abort(TaskId task) {
        State& state = state_[task];
        if (keep_ == Keep::slots) {
            Slot& slot = schedule_.slots[state.slot];
            slot.aborted = true;
            slot.end = std::min(slot.end, now_);
        }
        if (state.running) idle_.insert(state.worker);
        state.running = false;
        ++state.executions;
        readers_.remove(task);
        waiting_.insert(task);
    }

    const trace::PolicedTrace& trace_;
    Keep keep_;
    Readers readers_;
    TaskId tasks_;
    std::vector<State> state_;
    std::vector<TaskId> overtaken_;
    RankSet waiting_; ///< tasks that neither run nor are done
    RankSet idle_;    ///< workers
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::uint64_t now_ = 0;
    Schedule schedule_;
};

} // namespace

OptimisticSimulation::OptimisticSimulation(const ConflictIndex& index) : trace_(*index.trace) {
    const trace::AccessSets& sets = trace_.access_sets();
    constexpr std::uint32_t none = ~std::uint32_t{0};
    std::vector<TaskId> first_writer(sets.key_count, none), last_reader(sets.key_count, none);
    for (TaskId task = 0; task < sets.tasks(); ++task)
        for (const trace::Access access : sets.of(task)) {
            const KeyId key = access.key();
            if (access.writes() && first_writer[key] == none) first_writer[key] = task;
            if (is_read(trace_, access)) last_reader[key] = task;
        }
    // Dense names for the few keys that matter: in a Bitcoin block most outputs stay unspent.
    std::vector<std::uint32_t> name(sets.key_count, none);
    for (KeyId key = 0; key < sets.key_count; ++key)
        if (first_writer[key] != none && last_reader[key] != none &&
            first_writer[key] < last_reader[key])
            name[key] = static_cast<std::uint32_t>(keys_++);
    for (TaskId task = 0; task < sets.tasks(); ++task) {
        for (const trace::Access access : sets.of(task)) {
            const KeyId key = access.key();
            if (name[key] == none) continue;
            if (is_read(trace_, access) && first_writer[key] < task)
                reads_.keys.push_back(name[key]);
            if (access.writes() && last_reader[key] > task) writes_.keys.push_back(name[key]);
        }
        // Program order is a read of what the previous neighbour writes, under a separate name.
        if (follows_in_transaction(trace_, task))
            reads_.keys.push_back(static_cast<std::uint32_t>(keys_ - 1));
        if (follows_in_transaction(trace_, task + 1))
            writes_.keys.push_back(static_cast<std::uint32_t>(keys_++));
        reads_.end_list();
        writes_.end_list();
    }
}

Schedule OptimisticSimulation::run(std::uint32_t workers, Keep keep) const {
    return Run(trace_, Readers(reads_, writes_, keys_), workers, keep).finished();
}

Schedule schedule_optimistic(const ConflictIndex& index, std::uint32_t workers) {
    return OptimisticSimulation(index).run(workers, Keep::slots);
}

} // namespace blockloom::schedule
