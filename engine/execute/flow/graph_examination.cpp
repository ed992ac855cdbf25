#include "execute/flow/graph_examination.h"

#include "base/prefetch.h"
#include "execute/execution_result.h"
#include "execute/worker_pool.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

namespace blockloom::execute {
namespace {

/// Places of two tasks, of which one depends on what the other one left.
struct Dependency {
    std::uint32_t writer, reader;
};

struct KeyAccess {
    std::uint64_t hash = 0;  ///< of the key
    std::uint32_t place = 0; ///< of the task
    bool writes = false;
};

/// In two passes: each worker sorts the accesses of some tasks into parts by key, then follows the
/// keys of one part through the whole window. Keys are compared by their hashes only: a collision
/// costs little here.
std::vector<std::vector<Dependency>> dependencies_of(const WindowNow& now,
                                                     std::span<const std::uint32_t> tasks) {
    const std::size_t parts = now.pool.workers();
    // By worker that divides, then by part.
    std::vector<std::vector<std::vector<KeyAccess>>> divided(parts);
    const auto divide = [&](std::size_t slice) {
        auto& accesses = divided[slice];
        accesses.resize(parts);
        const std::size_t end = tasks.size() * (slice + 1) / parts;
        for (std::size_t place = tasks.size() * slice / parts; place < end; ++place) {
            if (place + 2 < end)
                if (const ExecutionResult* const ahead = now.executions[tasks[place + 2]].get())
                    prefetch_near(ahead);
            const ExecutionResult* const execution = now.executions[tasks[place]].get();
            if (execution == nullptr) continue;
            for (const Probe& probe : execution->probes) // writes are the last
                accesses[(probe.hash >> 32U) % parts].push_back({probe.hash,
                                                                 static_cast<std::uint32_t>(place),
                                                                 probe.kind == Probe::Kind::write});
        }
    };
    std::vector<std::vector<Dependency>> found(parts);
    const auto follow = [&](std::size_t part) {
        std::unordered_map<std::uint64_t, std::uint32_t> writers; // places
        for (const auto& slice : divided)
            for (const KeyAccess& access : slice[part])
                // A blind write depends on what it would overwrite, too: it must not be silent.
                if (access.writes)
                    writers.insert_or_assign(access.hash, access.place);
                else if (const auto at = writers.find(access.hash); at != writers.end())
                    found[part].push_back({at->second, access.place});
    };
    const auto each_of = [](const auto& step) {
        return [&step](unsigned, std::size_t begin, std::size_t end) {
            for (std::size_t at = begin; at < end; ++at) step(at);
        };
    };
    now.pool.stages(std::array<WorkerPool::Stage, 2>{
        {{parts, 1, each_of(divide)}, {parts, 1, each_of(follow)}}});
    return found;
}

/// When each task would start, by place, in units of a task's time. Ranks are a topological order.
std::vector<double> starts_of(const TaskGraph& graph, double width) {
    std::vector<double> starts(graph.tasks());
    for (std::uint32_t rank = 0; rank < graph.tasks(); ++rank) {
        const std::uint32_t task = graph.at_rank(rank);
        starts[task] = std::max(starts[task], rank / width);
        for (const std::uint32_t after : graph.successors_of(task))
            starts[after] = std::max(starts[after], starts[task] + 1);
    }
    return starts;
}

} // namespace

double share_that_dag_would_repeat(const WindowNow& now, std::span<const std::uint32_t> tasks,
                                   const TaskGraph& graph) {
    if (tasks.empty()) return 0;
    const auto parts = dependencies_of(now, tasks);
    const std::vector<double> starts = starts_of(graph, now.width);
    std::vector<bool> repeated(tasks.size());
    // Every part is in the order of its readers.
    std::vector<std::size_t> next(parts.size());
    for (std::uint32_t place = 0; place < tasks.size(); ++place)
        for (std::size_t part = 0; part < parts.size(); ++part)
            for (; next[part] < parts[part].size() && parts[part][next[part]].reader == place;
                 ++next[part]) {
                const std::uint32_t writer = parts[part][next[part]].writer;
                if (repeated[writer] || starts[place] < starts[writer] + 1) repeated[place] = true;
            }
    return static_cast<double>(std::ranges::count(repeated, true)) /
           static_cast<double>(tasks.size());
}

} // namespace blockloom::execute
