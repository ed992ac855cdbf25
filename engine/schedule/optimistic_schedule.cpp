// The optimistic schedule: run ahead, and again what read too early (Block-STM without its costs).
#include "schedule/schedules.h"
#include "schedule/slot_order.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace blockloom::schedule {

namespace {

using conflict::KeyId;

template <typename T> using MinQueue = std::priority_queue<T, std::vector<T>, std::greater<>>;

/// Lists of 32-bit ids, one a task.
struct Lists {
    std::vector<std::size_t> begin{0};
    std::vector<std::uint32_t> ids;

    void end_list() { begin.push_back(ids.size()); }
    [[nodiscard]] std::span<const std::uint32_t> of(TaskId task) const {
        return std::span(ids).subspan(begin[task], begin[task + std::size_t{1}] - begin[task]);
    }
};

/// The reads that a lower task can spoil and the writes that can spoil a higher one's read. Program
/// order is a read of what the neighbour before leaves, under an id of its own.
struct Reach {
    Lists reads, writes;
    std::size_t ids = 0;

    explicit Reach(const trace::PolicedTrace& trace) {
        const trace::AccessSets& sets = trace.access_sets();
        constexpr TaskId none = ~TaskId{0};
        std::vector<TaskId> first_writer(sets.key_count, none), last_reader(sets.key_count, none);
        for (TaskId task = 0; task < sets.tasks(); ++task) {
            for (const trace::Access access : sets.of(task)) {
                const KeyId key = access.key();
                if (access.writes() && first_writer[key] == none) first_writer[key] = task;
                if (is_read(trace, access)) last_reader[key] = task;
            }
        }
        // Dense ids for the few keys that matter: in a Bitcoin block most outputs stay unspent.
        std::vector<std::uint32_t> id(sets.key_count, none);
        for (KeyId key = 0; key < sets.key_count; ++key)
            if (first_writer[key] != none && last_reader[key] != none &&
                first_writer[key] < last_reader[key])
                id[key] = static_cast<std::uint32_t>(ids++);
        for (TaskId task = 0; task < sets.tasks(); ++task) {
            for (const trace::Access access : sets.of(task)) {
                const KeyId key = access.key();
                if (id[key] == none) continue;
                if (is_read(trace, access) && first_writer[key] < task)
                    reads.ids.push_back(id[key]);
                if (access.writes() && last_reader[key] > task) writes.ids.push_back(id[key]);
            }
            if (follows_in_transaction(trace, task))
                reads.ids.push_back(static_cast<std::uint32_t>(ids - 1));
            if (task + 1 < sets.tasks() && follows_in_transaction(trace, task + 1))
                writes.ids.push_back(static_cast<std::uint32_t>(ids++));
            reads.end_list();
            writes.end_list();
        }
    }

private:
    /// A commutative key's update does not look at what it updates.
    static bool is_read(const trace::PolicedTrace& trace, trace::Access access) {
        return access.reads() &&
               !(access.writes() && !trace.commutative.empty() && trace.commutative[access.key()]);
    }
    static bool follows_in_transaction(const trace::PolicedTrace& trace, TaskId task) {
        return task > 0 && !trace.transaction.empty() &&
               trace.transaction[task] == trace.transaction[task - 1];
    }
};

/// For each key the tasks that have read it and whose execution stands (running or done),
/// ascending. Tasks start almost in order, so that both ends of an insertion are near the end of a
/// list.
class Readers {
public:
    explicit Readers(const Reach& reach) : reach_(reach), tasks_(reach.ids) {}

    void add(TaskId task) {
        for (const std::uint32_t key : reach_.reads.of(task)) {
            auto& tasks = tasks_[key];
            tasks.insert(place(tasks, task), task);
        }
    }
    void remove(TaskId task) {
        for (const std::uint32_t key : reach_.reads.of(task)) {
            auto& tasks = tasks_[key];
            tasks.erase(place(tasks, task));
        }
    }
    /// Tasks above `writer` that have read what it writes, into `found`: ascending, each once.
    void above(TaskId writer, std::vector<TaskId>& found) const {
        found.clear();
        for (const std::uint32_t key : reach_.writes.of(writer)) {
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

    const Reach& reach_;
    std::vector<std::vector<TaskId>> tasks_;
};

struct Event {
    std::uint64_t end;
    TaskId task;
    std::size_t slot; ///< an event whose slot was aborted meanwhile is void
    friend bool operator>(const Event& a, const Event& b) {
        return a.end != b.end ? a.end > b.end : a.task > b.task;
    }
};

class Simulation {
public:
    Simulation(const ConflictIndex& index, std::uint32_t workers)
        : index_(index), reach_(*index.trace), readers_(reach_), slot_of_(index.tasks(), 0),
          running_(index.tasks(), false), schedule_{
                                              Strategy::optimistic, std::max(workers, 1u), 0, {}} {
        schedule_.slots.reserve(index.tasks());
        for (std::uint32_t w = 0; w < std::min(schedule_.workers, index.tasks()); ++w)
            idle_.push(w);
    }

    Schedule run() {
        while (true) {
            start_what_can();
            if (events_.empty()) break;
            now_ = events_.top().end;
            // Whatever ends now ends before anything starts, the lowest task first.
            while (!events_.empty() && events_.top().end == now_) {
                const Event event = events_.top();
                events_.pop();
                if (!schedule_.slots[event.slot].aborted) finish(event.task);
            }
        }
        schedule_.makespan = now_;
        order_slots(schedule_.slots);
        return std::move(schedule_);
    }

private:
    void start_what_can() {
        while (!idle_.empty() && (!again_.empty() || frontier_ < index_.tasks())) {
            // Whatever runs again lies below the frontier.
            TaskId task = frontier_;
            if (again_.empty()) {
                ++frontier_;
            } else {
                task = again_.top();
                again_.pop();
            }
            const std::uint32_t worker = idle_.top();
            idle_.pop();
            const std::uint64_t end = now_ + index_.trace->cost_of(task);
            slot_of_[task] = schedule_.slots.size();
            schedule_.slots.push_back({task, worker, now_, end, false});
            readers_.add(task);
            running_[task] = true;
            if (end == now_)
                finish(task);
            else
                events_.push({end, task, slot_of_[task]});
        }
    }

    void finish(TaskId task) {
        running_[task] = false;
        idle_.push(schedule_.slots[slot_of_[task]].worker);
        readers_.above(task, overtaken_);
        for (const TaskId stale : overtaken_) {
            Slot& slot = schedule_.slots[slot_of_[stale]];
            slot.aborted = true;
            if (running_[stale]) {
                slot.end = now_;
                running_[stale] = false;
                idle_.push(slot.worker);
            }
            readers_.remove(stale);
            again_.push(stale);
        }
    }

    const ConflictIndex& index_;
    Reach reach_;
    Readers readers_;
    std::vector<std::size_t> slot_of_; ///< the latest execution of a task
    std::vector<bool> running_;
    std::vector<TaskId> overtaken_;
    MinQueue<std::uint32_t> idle_;
    MinQueue<TaskId> again_;
    MinQueue<Event> events_;
    TaskId frontier_ = 0; ///< tasks from here on have never run
    std::uint64_t now_ = 0;
    Schedule schedule_;
};

} // namespace

Schedule schedule_optimistic(const ConflictIndex& index, std::uint32_t workers) {
    return Simulation(index, workers).run();
}

} // namespace blockloom::schedule
