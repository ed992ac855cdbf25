#include "conflict/index_conflicts.h"

#include "conflict/edges.h"
#include "conflict/groups.h"
#include "conflict/pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace blockloom::conflict {
namespace {

constexpr std::uint64_t most_work = std::numeric_limits<std::int64_t>::max();

Status count_work(const trace::PolicedTrace& trace, ConflictIndex& index) {
    const TaskId tasks = trace.tasks();
    if (!trace.cost.empty() && trace.cost.size() != tasks)
        return Error{ErrorCode::bad_input,
                     fmt::format("costs: expected {}, one for each task, found {}", tasks,
                                 trace.cost.size())};
    if (!trace.transaction.empty() && trace.transaction.size() != tasks)
        return Error{ErrorCode::bad_input,
                     fmt::format("transactions: expected {}, one for each task, found {}", tasks,
                                 trace.transaction.size())};
    if (!trace.commutative.empty() && trace.commutative.size() < trace.access_sets().key_count)
        return Error{ErrorCode::bad_input,
                     fmt::format("commutative keys: expected {}, one for each key, found {}",
                                 trace.access_sets().key_count, trace.commutative.size())};
    for (TaskId task = 0; task < tasks; ++task) {
        const std::uint64_t cost = trace.cost_of(task);
        if (cost > most_work - index.work)
            return Error{
                ErrorCode::bad_input,
                fmt::format("costs: expected a sum below 2^63, exceeded at task {}", task)};
        index.work += cost;
    }
    return {};
}

void count_accesses(const trace::AccessSets& sets, const TouchLists& lists, ConflictIndex& index) {
    for (const trace::Access access : sets.accesses) index.accesses += access.count();
    for (KeyId key = 0; key < lists.keys(); ++key)
        if (lists.begin[key] != lists.begin[key + 1]) ++index.keys;
}

/// Levels and finish times: a task's predecessors have lower indices, so one pass is enough.
void find_levels(const trace::PolicedTrace& trace, ConflictIndex& index) {
    const TaskId tasks = trace.tasks();
    index.level.resize(tasks);
    index.finish.resize(tasks);
    for (TaskId task = 0; task < tasks; ++task) {
        std::uint32_t below = 0;
        std::uint64_t ready = 0;
        for (const TaskId before : index.predecessors_of(task)) {
            below = std::max(below, index.level[before]);
            ready = std::max(ready, index.finish[before]);
        }
        index.level[task] = below + 1;
        index.finish[task] = ready + trace.cost_of(task);
        index.span = std::max(index.span, index.finish[task]);
        if (index.level_sizes.size() <= below) index.level_sizes.resize(below + 1);
        ++index.level_sizes[below];
    }
    for (const std::uint32_t size : index.level_sizes)
        if (size > 1) index.parallel_tasks += size;
}

void find_groups(const trace::PolicedTrace& trace, ConflictIndex& index) {
    const TaskId tasks = trace.tasks();
    Groups groups(tasks);
    for (TaskId task = 0; task < tasks; ++task)
        for (const TaskId before : index.predecessors_of(task)) groups.join(before, task);
    index.group.resize(tasks);
    std::vector<std::uint32_t> sizes;
    for (TaskId task = 0; task < tasks; ++task) {
        const TaskId root = groups.root(task); // the lowest of its group: numbered already
        if (root == task) {
            index.group[task] = static_cast<std::uint32_t>(sizes.size());
            sizes.push_back(1);
        } else {
            index.group[task] = index.group[root];
            ++sizes[index.group[task]];
        }
    }
    index.groups = sizes.size();
    for (const std::uint32_t size : sizes) {
        index.largest_group = std::max<std::uint64_t>(index.largest_group, size);
        if (size > 1) index.conflicting_tasks += size;
    }
}

/// Everything but what is found along its edges; the lists of who accesses which key.
Result<TouchLists> begin_index(std::shared_ptr<const trace::PolicedTrace> trace,
                               ConflictModel model, ConflictIndex& index) {
    if (!trace || !trace->original)
        return Error{ErrorCode::bad_input, "conflict index: expected a trace, found none"};
    const trace::AccessSets& sets = trace->access_sets();
    index.trace = trace;
    index.model = model;
    Result<TouchLists> lists = list_touches(sets);
    if (!lists) return lists;
    if (Status counted = count_work(*trace, index); !counted) return counted.error();
    count_accesses(sets, *lists, index);
    return lists;
}

Status find_edges(const TouchLists& lists, const std::stop_token& stop, ConflictIndex& index) {
    const trace::PolicedTrace& trace = *index.trace;
    if (Status built = build_edges(trace, lists, index.model, stop, index); !built) return built;
    find_levels(trace, index);
    find_groups(trace, index);
    return {};
}

} // namespace

Result<ConflictIndex> index_conflicts(std::shared_ptr<const trace::PolicedTrace> trace,
                                      ConflictModel model, std::stop_token stop) {
    ConflictIndexing indexing(model, 1);
    if (Status begun = indexing.begin(std::move(trace)); !begun) return begun.error();
    if (Status done = indexing.run_piece(0, stop); !done) return done.error();
    return indexing.finish();
}

Result<ConflictIndex> index_without_pairs(std::shared_ptr<const trace::PolicedTrace> trace,
                                          ConflictModel model, std::stop_token stop) {
    ConflictIndex index;
    const Result<TouchLists> lists = begin_index(std::move(trace), model, index);
    if (!lists) return lists.error();
    if (Status found = find_edges(*lists, stop, index); !found) return found.error();
    return index;
}

struct ConflictIndexing::Lists {
    Lists(const trace::PolicedTrace& trace, TouchLists all)
        : touches(std::move(all)), pairs(trace, touches) {}

    TouchLists touches;
    PairUnits pairs;
};

ConflictIndexing::ConflictIndexing(ConflictModel model, std::size_t pieces) : pairs_(pieces) {
    index_.model = model;
}

ConflictIndexing::~ConflictIndexing() = default;

std::size_t ConflictIndexing::most_pieces(std::size_t tasks) noexcept {
    return 1 + PairUnits::most_units(tasks);
}

Status ConflictIndexing::begin(std::shared_ptr<const trace::PolicedTrace> trace) {
    Result<TouchLists> touches = begin_index(std::move(trace), index_.model, index_);
    if (!touches) return touches.error();
    lists_ = std::make_unique<const Lists>(*index_.trace, *std::move(touches));
    return {};
}

Status ConflictIndexing::count_pairs(std::size_t first, std::size_t step, ConflictPairs& sum,
                                     const std::stop_token& stop) const {
    for (std::size_t unit = first; unit < lists_->pairs.units(); unit += step) {
        const auto pairs = lists_->pairs.pairs_of(unit, stop);
        if (!pairs) return pairs.error();
        sum += *pairs;
    }
    return {};
}

Status ConflictIndexing::run_piece(std::size_t piece, const std::stop_token& stop) {
    const std::size_t counting = std::max<std::size_t>(pairs_.size() - 1, 1);
    if (piece == 0)
        if (Status found = find_edges(lists_->touches, stop, index_); !found) return found;
    if (piece == 0 && pairs_.size() > 1) return {};
    return count_pairs(piece == 0 ? 0 : piece - 1, counting, pairs_[piece], stop);
}

ConflictIndex ConflictIndexing::finish() {
    for (const ConflictPairs& pairs : pairs_) index_.pairs += pairs;
    lists_.reset();
    return std::move(index_);
}

} // namespace blockloom::conflict
