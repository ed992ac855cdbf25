#include "conflict/levels.h"

#include <algorithm>

namespace blockloom::conflict {
namespace {

using trace::Access;

/// The latest finish among a key's latest write, and among its reads since. For a commutative key:
/// among the updates and the reads of its latest epochs.
template <typename Time> struct KeyTimes { Time write = 0, read = 0; };

/// One pass; `finished(task, time)` is called for each task in order.
template <typename Time, typename Cost, typename Finished>
void pass(const trace::PolicedTrace& trace, ConflictModel model, KeyId relaxed, Cost cost,
          Finished finished) {
    const trace::AccessSets& sets = trace.access_sets();
    const bool multi_version = model == ConflictModel::multi_version;
    const TaskId tasks = sets.tasks();
    std::vector<KeyTimes<Time>> keys(sets.key_count);
    std::vector<bool> reads_open(trace.commutative.empty() ? 0 : sets.key_count);
    Time previous = 0; // finish of the task before
    for (TaskId task = 0; task < tasks; ++task) {
        Time ready = 0;
        if (!trace.transaction.empty() && task > 0 &&
            trace.transaction[task] == trace.transaction[task - 1])
            ready = previous;
        for (const Access access : sets.of(task)) {
            if (access.key() == relaxed) continue;
            KeyTimes<Time>& key = keys[access.key()];
            if (!trace.commutative.empty() && trace.commutative[access.key()]) {
                if (!access.writes()) {
                    ready = std::max(ready, key.write);
                } else if (!multi_version) {
                    ready = std::max(ready, key.read);
                }
                continue;
            }
            if (access.reads()) ready = std::max(ready, key.write);
            if (access.writes() && !multi_version) ready = std::max({ready, key.write, key.read});
        }
        const Time end = ready + cost(task);
        for (const Access access : sets.of(task)) {
            if (access.key() == relaxed) continue;
            KeyTimes<Time>& key = keys[access.key()];
            if (!trace.commutative.empty() && trace.commutative[access.key()]) {
                Time& mine = access.writes() ? key.write : key.read;
                // A new epoch forgets the last one of its kind: it is reached through the other's.
                if (!multi_version && reads_open[access.key()] == access.writes()) mine = 0;
                reads_open[access.key()] = !access.writes();
                mine = std::max(mine, end);
                continue;
            }
            if (access.writes()) {
                key = {end, 0};
            } else {
                key.read = std::max(key.read, end);
            }
        }
        previous = end;
        finished(task, end);
    }
}

} // namespace

std::vector<std::uint32_t> find_levels(const trace::PolicedTrace& trace, ConflictModel model) {
    std::vector<std::uint32_t> level(trace.tasks());
    pass<std::uint32_t>(
        trace, model, no_key, [](TaskId) { return std::uint32_t{1}; },
        [&](TaskId task, std::uint32_t end) { level[task] = end; });
    return level;
}

std::uint64_t find_span(const trace::PolicedTrace& trace, ConflictModel model, KeyId relaxed) {
    std::uint64_t span = 0;
    if (trace.cost.empty()) {
        pass<std::uint32_t>(
            trace, model, relaxed, [](TaskId) { return std::uint32_t{1}; },
            [&](TaskId, std::uint32_t end) { span = std::max<std::uint64_t>(span, end); });
    } else {
        pass<std::uint64_t>(
            trace, model, relaxed, [&](TaskId task) { return trace.cost[task]; },
            [&](TaskId, std::uint64_t end) { span = std::max(span, end); });
    }
    return span;
}

} // namespace blockloom::conflict
