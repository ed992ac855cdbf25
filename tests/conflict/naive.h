// The definitions of docs/definitions.md, written down word for word: quadratic, on names instead
// of ids, and apart from everything that the engine does. What the engine's figures are held
// against.
#pragma once

#include "conflict/conflict_index.h"

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace blockloom::test {

using Task = std::size_t;
using Edge = std::pair<Task, Task>; ///< the earlier task first

struct NaiveAccess {
    bool reads = false, writes = false;
};

struct NaiveTrace {
    std::vector<std::map<std::string, NaiveAccess>> tasks;
    std::set<std::string> commutative;
    std::vector<std::uint64_t> cost;
    std::vector<std::uint32_t> transaction; ///< empty: each its own
    std::vector<Task> original_task;
};

[[nodiscard]] NaiveTrace naive_apply(const trace::BlockTrace& trace, const trace::KeyPolicy& policy,
                                     bool use_cost);

/// The trace without a key's accesses.
[[nodiscard]] NaiveTrace without(NaiveTrace trace, const std::string& key);

/// Which plain rules a key lays between an earlier and a later task (bit 0 RAW, 1 WAR, 2 WAW).
[[nodiscard]] std::uint32_t kinds_on(const NaiveTrace& trace, const std::string& key, Task i,
                                     Task j);
[[nodiscard]] std::uint32_t kinds_between(const NaiveTrace& trace, Task i, Task j);

/// Whether the key makes (i, j) a dependency edge.
[[nodiscard]] bool makes_edge(const NaiveTrace& trace, conflict::ConflictModel model,
                              const std::string& key, Task i, Task j);

struct NaiveFigures {
    std::set<Edge> edges, conflicts;
    conflict::ConflictPairs pairs;
    std::vector<std::uint32_t> level, group, level_sizes;
    std::vector<std::uint64_t> finish;
    std::uint64_t accesses = 0, keys = 0, conflicting_tasks = 0, groups = 0, largest_group = 0,
                  parallel_tasks = 0, work = 0, span = 0;
};

[[nodiscard]] NaiveFigures naive_figures(const NaiveTrace& trace, conflict::ConflictModel model);

/// A policy drawn at random from patterns that fit the names of random_trace.
[[nodiscard]] trace::KeyPolicy random_policy(std::mt19937_64& random);

} // namespace blockloom::test
