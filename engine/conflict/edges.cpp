#include "conflict/edges.h"

#include "conflict/ordered_set.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::conflict {
namespace {

using trace::Access;

constexpr TaskId stop_interval = 4096; ///< tasks between two checks of the stop token
constexpr std::size_t ahead = 24;      ///< accesses between prefetching memory and reading it
constexpr KeyId many_keys = 64 * 1024; ///< their states no longer fit the nearer caches

/// The position in a key's list when the current task reaches it. All earlier touches from the
/// latest write on are touches[segment] … touches[next-1]; a commutative key has its epochs
/// instead.
struct KeyState {
    std::uint32_t next = 0;    ///< the current task's touch
    std::uint32_t segment = 0; ///< the latest write; before any: the begin of the list
};

/// The two latest epochs of a commutative key: touches[before] … touches[open-1] and
/// touches[open] … touches[next-1].
struct Epochs {
    std::uint32_t before = 0, open = 0;
};

template <typename Set, ConflictModel Model> class EdgeBuilder {
public:
    EdgeBuilder(const trace::PolicedTrace& trace, const TouchLists& lists)
        : trace_(trace), sets_(trace.access_sets()), touches_(lists.touches.data()),
          states_(lists.keys()), found_(sets_.tasks()) {
        for (KeyId key = 0; key < lists.keys(); ++key)
            states_[key] = {lists.begin[key], lists.begin[key]};
        if (trace.commutative.empty()) return;
        epochs_.resize(lists.keys());
        for (KeyId key = 0; key < lists.keys(); ++key)
            epochs_[key] = {lists.begin[key], lists.begin[key]};
    }

    /// Calls `each(predecessor)` for those of the next task: ascending, distinct.
    template <typename Each> void next(TaskId task, Each each) {
        if (!trace_.transaction.empty() && task > 0 &&
            trace_.transaction[task] == trace_.transaction[task - 1])
            found_.add(task - 1);
        if (!trace_.commutative.empty()) {
            for (const Access access : sets_.of(task))
                trace_.commutative[access.key()] ? take_commutative(access) : take(access);
        } else {
            for (const Access access : sets_.of(task)) take(access);
        }
        found_.take(each);
    }

    /// Prefetches the memory that later tasks will need: the states of keys far ahead, and the
    /// touches of those whose states have arrived. Only pays where the keys exceed the caches.
    void look_ahead(TaskId task) {
        const Access* const accesses = sets_.accesses.data();
        const std::size_t count = sets_.accesses.size();
        for (std::size_t i = sets_.begin[task]; i < sets_.begin[task + 1]; ++i) {
            if (i + 2 * ahead < count)
                __builtin_prefetch(&states_[accesses[i + 2 * ahead].key()], 1);
            if (i + ahead < count)
                __builtin_prefetch(&touches_[states_[accesses[i + ahead].key()].segment]);
        }
    }

private:
    static constexpr bool multi_version = Model == ConflictModel::multi_version;

    void take(Access access) {
        KeyState& state = states_[access.key()];
        const std::uint32_t here = state.next, segment = state.segment;
        const bool writes = access.writes(), orders = writes && !multi_version;
        state = {here + 1, writes ? here : segment};
        // The latest write, or the first reader of a key that was never written. Without a branch:
        // whether the key was touched before is as good as random.
        const Touch latest = touches_[segment];
        const bool reads = access.reads(), written = latest.writes();
        found_.add(latest.task(), (segment < here) & (orders | (reads & written)));
        const std::uint32_t end = orders ? here : segment;
        for (std::uint32_t i = segment + 1; i < end; ++i) found_.add(touches_[i].task());
    }

    void take_commutative(Access access) {
        KeyState& state = states_[access.key()];
        Epochs& epochs = epochs_[access.key()];
        const std::uint32_t here = state.next++;
        if (multi_version) {
            if (access.writes()) return;
            // Between segment and here lie all touches of the key: updates among them count.
            for (std::uint32_t i = state.segment; i < here; ++i)
                found_.add(touches_[i].task(), touches_[i].writes());
            return;
        }
        const bool same_epoch =
            epochs.open < here && touches_[here - 1].writes() == access.writes();
        if (!same_epoch) epochs = {epochs.open, here};
        for (std::uint32_t i = epochs.before; i < epochs.open; ++i) found_.add(touches_[i].task());
    }

    const trace::PolicedTrace& trace_;
    const trace::AccessSets& sets_;
    const Touch* touches_;
    std::vector<KeyState> states_;
    std::vector<Epochs> epochs_; ///< empty where no key is commutative
    Set found_;
};

template <typename Set, ConflictModel Model>
Status build(const trace::PolicedTrace& trace, const TouchLists& lists, const std::stop_token& stop,
             ConflictIndex& into) {
    const TaskId tasks = trace.tasks();
    const std::uint64_t most =
        std::min<std::uint64_t>(std::max<std::uint64_t>(max_edges, 3 * lists.touches.size()),
                                ~std::uint32_t{0} - std::uint64_t{tasks});
    std::vector<TaskId>& edges = into.predecessors;
    std::vector<TaskId> found(tasks);
    EdgeBuilder<Set, Model> builder(trace, lists);
    for (TaskId task = 0; task < tasks; ++task) {
        if (task % stop_interval == 0 && stop.stop_requested()) return cancelled_error();
        if (lists.keys() > many_keys) builder.look_ahead(task);
        TaskId* end = found.data();
        builder.next(task, [&](TaskId before) { *end++ = before; });
        edges.insert(edges.end(), found.data(), end);
        if (edges.size() > most)
            return Error{ErrorCode::bad_input,
                         fmt::format("dependency edges: expected at most {}, found more by task {} "
                                     "of {} (commutative keys with long epochs?)",
                                     most, task, tasks)};
        into.predecessor_begin.push_back(static_cast<std::uint32_t>(edges.size()));
    }
    return {};
}

template <ConflictModel Model>
Status build_by_size(const trace::PolicedTrace& trace, const TouchLists& lists,
                     const std::stop_token& stop, ConflictIndex& into) {
    const TaskId tasks = trace.tasks();
    if (tasks <= 64 * 64) return build<OrderedSet<2>, Model>(trace, lists, stop, into);
    if (tasks <= 64 * 64 * 64) return build<OrderedSet<3>, Model>(trace, lists, stop, into);
    return build<SortedList, Model>(trace, lists, stop, into);
}

} // namespace

Status build_edges(const trace::PolicedTrace& trace, const TouchLists& lists, ConflictModel model,
                   std::stop_token stop, ConflictIndex& into) {
    into.predecessor_begin.assign(1, 0);
    into.predecessor_begin.reserve(std::size_t{trace.tasks()} + 1);
    into.predecessors.clear();
    return model == ConflictModel::multi_version
               ? build_by_size<ConflictModel::multi_version>(trace, lists, stop, into)
               : build_by_size<ConflictModel::single_version>(trace, lists, stop, into);
}

} // namespace blockloom::conflict
