#include "conflict/edges.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::conflict {
namespace {

using trace::Access;

constexpr TaskId stop_interval = 4096; ///< tasks between two looks at the stop token

/// Where a key's list stands when the task at hand comes to it. All earlier touches from the latest
/// write on are touches[segment] … touches[next-1]; a commutative key has its epochs instead.
struct KeyState {
    std::uint32_t next = 0;    ///< the touch of the task at hand
    std::uint32_t segment = 0; ///< the latest write; before any: the begin of the list
};

/// The two latest epochs of a commutative key: touches[before] … touches[open-1] and
/// touches[open] … touches[next-1].
struct Epochs {
    std::uint32_t before = 0, open = 0;
};

class EdgeBuilder {
public:
    EdgeBuilder(const trace::PolicedTrace& trace, const TouchLists& lists, ConflictModel model)
        : trace_(trace), sets_(trace.access_sets()), touches_(lists.touches),
          multi_version_(model == ConflictModel::multi_version), states_(lists.keys()),
          seen_(sets_.tasks(), no_task) {
        for (KeyId key = 0; key < lists.keys(); ++key)
            states_[key] = {lists.begin[key], lists.begin[key]};
        if (trace.commutative.empty()) return;
        epochs_.resize(lists.keys());
        for (KeyId key = 0; key < lists.keys(); ++key)
            epochs_[key] = {lists.begin[key], lists.begin[key]};
    }

    /// The predecessors of the next task: ascending, distinct.
    const std::vector<TaskId>& next(TaskId task) {
        found_.clear();
        task_ = task;
        if (!trace_.transaction.empty() && task > 0 &&
            trace_.transaction[task] == trace_.transaction[task - 1])
            add(task - 1);
        for (const Access access : sets_.of(task)) {
            if (!trace_.commutative.empty() && trace_.commutative[access.key()]) {
                take_commutative(access);
            } else {
                take(access);
            }
        }
        std::sort(found_.begin(), found_.end());
        return found_;
    }

private:
    static constexpr TaskId no_task = ~TaskId{0};

    void add(TaskId before) {
        if (seen_[before] == task_) return;
        seen_[before] = task_;
        found_.push_back(before);
    }

    void take(Access access) {
        KeyState& state = states_[access.key()];
        const std::uint32_t here = state.next++;
        if (state.segment < here) {
            if (access.writes() && !multi_version_) {
                for (std::uint32_t i = state.segment; i < here; ++i) add(touches_[i].task());
            } else if (access.reads() && touches_[state.segment].writes()) {
                add(touches_[state.segment].task());
            }
        }
        if (access.writes()) state.segment = here;
    }

    void take_commutative(Access access) {
        KeyState& state = states_[access.key()];
        Epochs& epochs = epochs_[access.key()];
        const std::uint32_t here = state.next++;
        if (multi_version_) {
            if (access.writes()) return;
            // Between segment and here lie all touches of the key: updates among them count.
            for (std::uint32_t i = state.segment; i < here; ++i)
                if (touches_[i].writes()) add(touches_[i].task());
            return;
        }
        const bool goes_on = epochs.open < here && touches_[here - 1].writes() == access.writes();
        if (!goes_on) epochs = {epochs.open, here};
        for (std::uint32_t i = epochs.before; i < epochs.open; ++i) add(touches_[i].task());
    }

    const trace::PolicedTrace& trace_;
    const trace::AccessSets& sets_;
    const std::vector<Touch>& touches_;
    bool multi_version_;
    std::vector<KeyState> states_;
    std::vector<Epochs> epochs_; ///< empty where no key is commutative
    std::vector<TaskId> seen_;   ///< the last task that each task was found for
    std::vector<TaskId> found_;
    TaskId task_ = 0;
};

} // namespace

Status build_edges(const trace::PolicedTrace& trace, const TouchLists& lists, ConflictModel model,
                   std::stop_token stop, ConflictIndex& into) {
    const TaskId tasks = trace.tasks();
    const std::uint64_t most =
        std::min<std::uint64_t>(std::max<std::uint64_t>(max_edges, 3 * lists.touches.size()),
                                ~std::uint32_t{0} - std::uint64_t{tasks});
    into.predecessor_begin.assign(1, 0);
    into.predecessor_begin.reserve(std::size_t{tasks} + 1);
    into.predecessors.clear();
    EdgeBuilder builder(trace, lists, model);
    for (TaskId task = 0; task < tasks; ++task) {
        if (task % stop_interval == 0 && stop.stop_requested()) return cancelled_error();
        const std::vector<TaskId>& before = builder.next(task);
        into.predecessors.insert(into.predecessors.end(), before.begin(), before.end());
        if (into.predecessors.size() > most)
            return Error{ErrorCode::bad_input,
                         fmt::format("dependency edges: expected at most {}, found more up to task "
                                     "{} of {} (commutative keys with long epochs?)",
                                     most, task, tasks)};
        into.predecessor_begin.push_back(static_cast<std::uint32_t>(into.predecessors.size()));
    }
    return {};
}

} // namespace blockloom::conflict
