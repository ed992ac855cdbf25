// Rows and columns of the groups in a layered view: level bands as wide as needed, rows by group.
// Private to the scene room.
#pragma once

#include "scene/layout.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace blockloom::scene::layout {

/// A group of two or more tasks, which are stored together, level by level.
struct GroupShape {
    std::uint32_t group = 0;
    std::uint32_t first = 0; ///< into GroupSet::tasks
    std::uint32_t size = 0;
    std::uint32_t runs = 0;  ///< into GroupSet::run: `depth` counts of tasks, level 1 first
    std::uint32_t depth = 0; ///< levels that the group reaches
};

/// The groups in the order of their rows: that of the critical path first, then the deepest, the
/// largest, the earliest.
struct GroupSet {
    std::vector<GroupShape> shapes;
    std::vector<conflict::TaskId> tasks;    ///< by group, level, then near their predecessors
    std::vector<std::uint32_t> run;         ///< tasks of one level of one group
    std::vector<conflict::TaskId> isolated; ///< block order
};
[[nodiscard]] GroupSet collect_groups(const conflict::ConflictIndex& index,
                                      std::span<const conflict::TaskId> critical_chain);

/// What does not fit: whole small groups, isolated tasks, and a part of the largest group if that
/// alone is too large.
struct Folded {
    std::uint64_t groups = 0, group_tasks = 0, isolated = 0;
    double kept_of_largest = 1; ///< share of each of its levels that is shown
};
/// Reduces the set to about `most` tasks; groups get three quarters if there are isolated tasks
/// too.
[[nodiscard]] Folded fold_groups(GroupSet& groups, std::size_t most);

/// The position of a group: its first row, and its first column inside each band. Groups that share
/// rows (`lanes` > 1) have their own lanes, so that their edges never coincide.
struct GroupPlace {
    std::uint32_t row = 0, rows = 1;
    std::uint32_t column = 0;
    std::uint32_t lane = 0, lanes = 1;
};

struct Packing {
    std::vector<std::uint32_t> band_columns; ///< one per level
    std::vector<GroupPlace> places;          ///< one per shape
    std::uint32_t rows = 0;                  ///< of the groups
    std::uint32_t isolated_rows = 0, isolated_columns = 0;
};
/// Tries band widths and row sharing, and keeps the best fit for the planned canvas. O(candidates ×
/// tasks) with at most 60 candidates, fewer for large blocks.
[[nodiscard]] Packing pack_groups(const GroupSet& groups, std::size_t levels, std::stop_token stop);

/// Minimum space between two bands, in world units.
inline constexpr float band_gap = 11;
/// Space between the isolated tasks and the first band.
inline constexpr float isolated_gap = 26;

} // namespace blockloom::scene::layout
