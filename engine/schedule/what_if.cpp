#include "schedule/what_if.h"

#include "schedule/simulation.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace blockloom::schedule {
namespace {

using conflict::KeyId;
using trace::Access;
using trace::Mode;

/// One access of the relaxed trace, before they are sorted by task.
struct Added {
    TaskId task;
    Access access;
};

/// What the accesses to one predicted key become: an edge is a key of its own, which one task
/// writes and others read.
class PredictedKey {
public:
    PredictedKey(const RelaxedKey& relaxed, KeyId& fresh, std::vector<Added>& added)
        : relaxed_(relaxed), fresh_(fresh), added_(added) {}

    void take(TaskId task, Access access) {
        const bool misses =
            !pilot_ || std::binary_search(relaxed_.misses.begin(), relaxed_.misses.end(), task);
        if (access.reads() && writer_) {
            if (misses) {
                added_.push_back({*writer_, Access(fresh_, Mode::write)});
                added_.push_back({task, Access(fresh_++, Mode::read)});
            } else {
                if (!pilots_key_) {
                    pilots_key_ = fresh_++;
                    added_.push_back({*pilot_, Access(*pilots_key_, Mode::write)});
                }
                added_.push_back({task, Access(*pilots_key_, Mode::read)});
            }
        }
        if (!access.writes()) return;
        if (writer_ && misses) {
            pilot_ = task;
            pilots_key_.reset();
        }
        writer_ = task;
    }

private:
    const RelaxedKey& relaxed_;
    KeyId& fresh_;
    std::vector<Added>& added_;
    std::optional<TaskId> writer_, pilot_; ///< the latest one; the one that predictions start from
    std::optional<KeyId> pilots_key_;      ///< what tasks that wait for the pilot read
};

/// The updates of a split key take turns; a pure read needs all parts.
class SplitKey {
public:
    SplitKey(const RelaxedKey& relaxed, KeyId& fresh, std::vector<Added>& added)
        : parts_(std::clamp(relaxed.parts, 1U, most_parts)), first_(fresh), added_(added) {
        fresh += parts_;
    }

    void take(TaskId task, Access access) {
        if (access.writes()) {
            added_.push_back({task, Access(first_ + next_, access.mode())});
            next_ = (next_ + 1) % parts_;
            return;
        }
        for (std::uint32_t part = 0; part < parts_; ++part)
            added_.push_back({task, Access(first_ + part, Mode::read)});
    }

private:
    std::uint32_t parts_, next_ = 0;
    KeyId first_;
    std::vector<Added>& added_;
};

/// One batch: costliest first, each to the worker that is free first.
std::uint64_t batch_time(std::vector<std::uint64_t>& costs, std::uint32_t workers) {
    std::sort(costs.begin(), costs.end(), std::greater<>());
    std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> free;
    std::uint64_t end = 0;
    for (const std::uint64_t cost : costs) {
        std::uint64_t start = 0;
        if (free.size() == workers) {
            start = free.top();
            free.pop();
        }
        free.push(start + cost);
        end = std::max(end, start + cost);
    }
    return end;
}

/// The tasks in block order, cut into batches with a barrier after each.
std::uint64_t batches_time(const trace::PolicedTrace& trace, std::span<const TaskId> tasks,
                           std::uint32_t workers, std::size_t most) {
    std::uint64_t time = 0;
    std::vector<std::uint64_t> costs;
    for (std::size_t at = 0; at < tasks.size();) {
        const std::size_t end = most == 0 ? tasks.size() : std::min(tasks.size(), at + most);
        costs.clear();
        for (; at < end; ++at) costs.push_back(trace.cost_of(tasks[at]));
        time += batch_time(costs, workers);
    }
    return time;
}

std::uint64_t levels_time(const ConflictIndex& index, std::uint32_t workers, std::size_t most) {
    std::vector<std::vector<TaskId>> levels(index.level_sizes.size());
    for (TaskId task = 0; task < index.tasks(); ++task)
        levels[index.level[task] - 1].push_back(task);
    std::uint64_t time = 0;
    for (const auto& tasks : levels) time += batches_time(*index.trace, tasks, workers, most);
    return time;
}

/// As execute::LevelRounds decides with a single level.
std::uint64_t rounds_time(const ConflictIndex& index, std::uint32_t workers, BatchLimits limits) {
    std::vector<TaskId> tasks(index.tasks());
    for (TaskId task = 0; task < index.tasks(); ++task) tasks[task] = task;
    std::uint64_t time = 0;
    for (std::uint32_t level = 1; !tasks.empty(); ++level) {
        time += batches_time(*index.trace, tasks, workers, limits.max);
        const std::size_t ran = tasks.size();
        std::erase_if(tasks, [&](TaskId task) { return index.level[task] <= level; });
        const bool pays = tasks.size() < ran && tasks.size() >= limits.min &&
                          (ran - tasks.size()) * workers >= ran;
        if (pays) continue;
        for (const TaskId task : tasks) time += index.trace->cost_of(task);
        break;
    }
    return time;
}

} // namespace

std::string_view name_of(Relaxation how) noexcept {
    switch (how) {
    case Relaxation::ignore:
        return "ignore";
    case Relaxation::commutative:
        return "commutative";
    case Relaxation::predicted:
        return "predicted";
    case Relaxation::split:
        break;
    }
    return "split";
}

std::string_view name_of(ExecutionModel model) noexcept {
    switch (model) {
    case ExecutionModel::serial:
        return "serial";
    case ExecutionModel::levels:
        return "levels";
    case ExecutionModel::rounds:
        return "rounds";
    case ExecutionModel::optimistic:
        return "optimistic";
    case ExecutionModel::list:
        break;
    }
    return "list";
}

trace::PolicedTrace relax(const trace::PolicedTrace& trace, std::span<const RelaxedKey> keys) {
    trace::PolicedTrace relaxed = trace;
    if (keys.empty()) return relaxed;
    const trace::AccessSets& sets = trace.access_sets();
    constexpr std::uint32_t untouched = ~std::uint32_t{0};
    std::vector<std::uint32_t> place(sets.key_count, untouched);
    for (std::uint32_t i = 0; i < keys.size(); ++i) place[keys[i].key] = i;
    KeyId fresh = sets.key_count;
    std::vector<Added> added;
    std::vector<std::function<void(TaskId, Access)>> take(keys.size());
    std::vector<KeyId> commutative;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const RelaxedKey& key = keys[i];
        const bool already = !trace.commutative.empty() && trace.commutative[key.key];
        switch (key.how) {
        case Relaxation::ignore:
            break;
        case Relaxation::commutative:
            commutative.push_back(key.key);
            place[key.key] = untouched;
            break;
        case Relaxation::predicted:
            if (already) {
                place[key.key] = untouched;
                break;
            }
            take[i] = [rule = PredictedKey(key, fresh, added)](TaskId task, Access access) mutable {
                rule.take(task, access);
            };
            break;
        case Relaxation::split:
            for (std::uint32_t part = 0; already && part < std::clamp(key.parts, 1U, most_parts);
                 ++part)
                commutative.push_back(fresh + part);
            take[i] = [rule = SplitKey(key, fresh, added)](TaskId task, Access access) mutable {
                rule.take(task, access);
            };
            break;
        }
    }
    for (TaskId task = 0; task < sets.tasks(); ++task)
        for (const Access access : sets.of(task))
            if (place[access.key()] != untouched && take[place[access.key()]])
                take[place[access.key()]](task, access);
    std::stable_sort(added.begin(), added.end(),
                     [](const Added& a, const Added& b) { return a.task < b.task; });
    trace::AccessSets made;
    made.begin.reserve(sets.begin.size());
    made.accesses.reserve(sets.accesses.size() + added.size());
    made.key_count = fresh;
    auto more = added.begin();
    for (TaskId task = 0; task < sets.tasks(); ++task) {
        for (const Access access : sets.of(task))
            if (place[access.key()] == untouched) made.accesses.push_back(access);
        for (; more != added.end() && more->task == task; ++more)
            made.accesses.push_back(more->access);
        made.begin.push_back(static_cast<std::uint32_t>(made.accesses.size()));
    }
    relaxed.sets = std::move(made);
    relaxed.same_sets = false;
    if (!commutative.empty() || !relaxed.commutative.empty()) relaxed.commutative.resize(fresh);
    for (const KeyId key : commutative) relaxed.commutative[key] = true;
    return relaxed;
}

std::uint64_t predicted_time(const ConflictIndex& index, ExecutionModel model,
                             std::uint32_t workers, BatchLimits limits) {
    workers = std::max(workers, 1U);
    const bool batched = has_barriers(model);
    if (model == ExecutionModel::serial || (batched && index.tasks() < limits.min))
        return index.work;
    switch (model) {
    case ExecutionModel::levels:
        return levels_time(index, workers, limits.max);
    case ExecutionModel::rounds:
        return rounds_time(index, workers, limits);
    case ExecutionModel::optimistic:
        return OptimisticSimulation(index).run(workers, Keep::makespan).makespan;
    default:
        return ListSimulation(index).run(workers, Keep::makespan).makespan;
    }
}

} // namespace blockloom::schedule
