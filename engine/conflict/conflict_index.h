// Turns access sets into what orders the tasks of a block: dependency edges, levels, groups, and
// the exact figures.
//
// Commutative keys (trace/key_policy.h). A write of such a key, blind or after a read, is an
// *update*. Updates do not conflict with each other; a pure read conflicts with every update of
// another task (RAW if the update comes first, else WAR). In block order its accesses form
// alternating epochs of updates and of reads. `single_version`: a reader depends on every update of
// the latest update epoch before it, and an update on every reader of the latest read epoch before
// it; earlier ones are reached through these. `multi_version`: a reader depends on every update
// before it (nothing orders the updates, and each is part of the value that is read); there are no
// other edges. Such keys can therefore have more than two edges an access; `max_edges` bounds them.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "trace/key_policy.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace blockloom::conflict {

using trace::KeyId;
using trace::TaskId;

/// More edges than this (and than two an access) are refused instead of exhausting memory.
inline constexpr std::uint64_t max_edges = 200'000'000;

/// Which conflicts order tasks (docs/definitions.md#conflict-models).
enum class ConflictModel : std::uint8_t { single_version, multi_version };

/// Counts of conflict pairs; always by the three plain rules, whatever the model.
struct ConflictPairs {
    std::uint64_t any = 0, raw = 0, war = 0, waw = 0;
    friend bool operator==(const ConflictPairs&, const ConflictPairs&) = default;
    ConflictPairs& operator+=(const ConflictPairs& more) noexcept {
        any += more.any;
        raw += more.raw;
        war += more.war;
        waw += more.waw;
        return *this;
    }
};

/// A block under a conflict model: the edges and everything derived from them. Immutable once made.
struct ConflictIndex {
    std::shared_ptr<const trace::PolicedTrace> trace;
    ConflictModel model = ConflictModel::single_version;

    /// Dependency edges as predecessors in CSR: task j waits for predecessors[begin[j]] …,
    /// ascending, distinct.
    std::vector<std::uint32_t> predecessor_begin{0};
    std::vector<TaskId> predecessors;
    std::vector<std::uint32_t> level;  ///< 1-based, one per task
    std::vector<std::uint32_t> group;  ///< dense 0-based component, numbered by first task
    std::vector<std::uint64_t> finish; ///< cost of the critical path that ends with the task
    std::vector<std::uint32_t> level_sizes;

    ConflictPairs pairs;
    std::uint64_t accesses = 0; ///< Σ(reads + writes)
    std::uint64_t keys = 0;     ///< keys that are accessed
    std::uint64_t conflicting_tasks = 0, groups = 0, largest_group = 0, parallel_tasks = 0;
    std::uint64_t work = 0, span = 0;

    [[nodiscard]] TaskId tasks() const noexcept { return static_cast<TaskId>(level.size()); }
    [[nodiscard]] std::uint64_t edges() const noexcept { return predecessors.size(); }
    [[nodiscard]] std::uint64_t isolated() const noexcept { return tasks() - conflicting_tasks; }
    [[nodiscard]] std::span<const TaskId> predecessors_of(TaskId task) const noexcept {
        return std::span(predecessors)
            .subspan(predecessor_begin[task],
                     predecessor_begin[task + 1] - predecessor_begin[task]);
    }
    // docs/definitions.md#figures-of-a-block; for a block without tasks the rates are 0 and the
    // parallelism is 1.
    [[nodiscard]] double single_conflict_rate() const noexcept;
    [[nodiscard]] double group_conflict_rate() const noexcept;
    [[nodiscard]] double parallel_ratio() const noexcept;
    [[nodiscard]] double parallelism() const noexcept;
};

/// A critical path, first task first; ties go to the lowest index.
[[nodiscard]] std::vector<TaskId> critical_chain(const ConflictIndex& index);

/// The undirected conflict pairs as adjacency lists in CSR: the input of colourings. Sorted,
/// symmetric, no loops.
struct ConflictGraph {
    std::vector<std::uint64_t> begin{0}; ///< vertices + 1 entries
    std::vector<TaskId> neighbours;

    [[nodiscard]] TaskId vertices() const noexcept { return static_cast<TaskId>(begin.size() - 1); }
    [[nodiscard]] std::uint64_t edges() const noexcept { return neighbours.size() / 2; }
    [[nodiscard]] std::span<const TaskId> of(TaskId v) const noexcept {
        return std::span(neighbours).subspan(begin[v], begin[v + 1] - begin[v]);
    }
};

/// All conflict pairs of a trace. Fails (with the count) if there are more than `most`, instead of
/// exhausting memory.
[[nodiscard]] Result<ConflictGraph> conflict_graph(const trace::PolicedTrace& trace,
                                                   std::uint64_t most, std::stop_token stop = {});

inline constexpr KeyId no_key = ~KeyId{0};

/// What a task waits for, and the key that causes it: for the Inspector and the bipartite view.
struct Reason {
    TaskId task;         ///< the earlier task
    KeyId key;           ///< a key that causes the edge (the lowest id); no_key: program order only
    std::uint32_t kinds; ///< conflicts of the two tasks on that key that order tasks in the model:
                         ///< bit 0 RAW, bit 1 WAR, bit 2 WAW; 0: program order only
};

/// One entry for each predecessor of the task, in order. One pass over the accesses before the
/// task.
[[nodiscard]] std::vector<Reason> waits_for(const ConflictIndex& index, TaskId task);

} // namespace blockloom::conflict
