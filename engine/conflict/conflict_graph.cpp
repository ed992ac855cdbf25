// All conflict pairs as a graph: what colourings work on.
#include "conflict/conflict_index.h"
#include "conflict/touch_lists.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::conflict {
namespace {

using trace::Access;

/// Finds for one task after the other the earlier tasks that it conflicts with.
class EarlierConflicts {
public:
    EarlierConflicts(const trace::PolicedTrace& trace, const TouchLists& lists)
        : trace_(trace), sets_(trace.access_sets()), lists_(lists),
          next_(lists.begin.begin(), lists.begin.end() - 1), seen_(sets_.tasks(), ~TaskId{0}) {}

    /// Distinct, in no order; valid until the next call.
    const std::vector<TaskId>& next(TaskId task) {
        found_.clear();
        for (const Access access : sets_.of(task)) {
            const KeyId key = access.key();
            const bool commutative = !trace_.commutative.empty() && trace_.commutative[key];
            const std::uint32_t here = next_[key]++;
            for (std::uint32_t i = lists_.begin[key]; i < here; ++i) {
                const Touch touch = lists_.touches[i];
                const bool conflict = commutative ? access.writes() != touch.writes()
                                                  : access.writes() || touch.writes();
                if (!conflict || seen_[touch.task()] == task) continue;
                seen_[touch.task()] = task;
                found_.push_back(touch.task());
            }
        }
        return found_;
    }

private:
    const trace::PolicedTrace& trace_;
    const trace::AccessSets& sets_;
    const TouchLists& lists_;
    std::vector<std::uint32_t> next_;
    std::vector<TaskId> seen_;
    std::vector<TaskId> found_;
};

/// Calls `each(task, earlier tasks)` for all tasks; false if stopped.
template <typename Each>
bool walk(const trace::PolicedTrace& trace, const TouchLists& lists, const std::stop_token& stop,
          Each each) {
    EarlierConflicts conflicts(trace, lists);
    for (TaskId task = 0; task < trace.tasks(); ++task) {
        if (stop.stop_requested()) return false;
        each(task, conflicts.next(task));
    }
    return true;
}

} // namespace

Result<ConflictGraph> conflict_graph(const trace::PolicedTrace& trace, std::uint64_t most,
                                     std::stop_token stop) {
    const Result<TouchLists> listed = list_touches(trace.access_sets());
    if (!listed) return listed.error();
    const TouchLists& lists = *listed;
    const TaskId tasks = trace.tasks();
    ConflictGraph graph;
    graph.begin.assign(std::size_t{tasks} + 1, 0);
    std::uint64_t pairs = 0;
    // Degrees first: memory for the result is only allocated once its size is known to be allowed.
    if (!walk(trace, lists, stop, [&](TaskId task, const std::vector<TaskId>& earlier) {
            pairs += earlier.size();
            graph.begin[task] += earlier.size();
            for (const TaskId other : earlier) ++graph.begin[other];
        }))
        return cancelled_error();
    if (pairs > most)
        return Error{ErrorCode::bad_input,
                     fmt::format("conflict graph: expected at most {} conflict pairs, found {}",
                                 most, pairs)};
    std::uint64_t place = 0;
    for (std::uint64_t& begin : graph.begin) place += std::exchange(begin, place);
    graph.neighbours.resize(place);
    // A task's earlier neighbours are written sorted when it comes, later ones as they come: each
    // list is sorted. begin[v] advances to its end and is restored below.
    if (!walk(trace, lists, stop, [&](TaskId task, const std::vector<TaskId>& earlier) {
            const std::uint64_t first = graph.begin[task];
            for (const TaskId other : earlier) {
                graph.neighbours[graph.begin[task]++] = other;
                graph.neighbours[graph.begin[other]++] = task;
            }
            std::sort(graph.neighbours.begin() + static_cast<std::ptrdiff_t>(first),
                      graph.neighbours.begin() + static_cast<std::ptrdiff_t>(graph.begin[task]));
        }))
        return cancelled_error();
    for (std::size_t v = tasks; v > 0; --v) graph.begin[v] = graph.begin[v - 1];
    graph.begin[0] = 0;
    return graph;
}

} // namespace blockloom::conflict
