// Which rows and columns the groups of a layered view get: level bands as wide as they need, rows
// kept by group. Private to the scene room.
#pragma once

#include "scene/layout.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace blockloom::scene::layout {

/// A group of two or more tasks. Its tasks lie together, level after level.
struct GroupShape {
    std::uint32_t group = 0;
    std::uint32_t first = 0; ///< into GroupSet::tasks
    std::uint32_t size = 0;
    std::uint32_t runs = 0;  ///< into GroupSet::run: `depth` counts of tasks, level 1 first
    std::uint32_t depth = 0; ///< levels that the group reaches
};

/// The groups in the order of their rows: the critical chain's first, then the deepest, the
/// largest, the earliest.
struct GroupSet {
    std::vector<GroupShape> shapes;
    std::vector<conflict::TaskId> tasks;    ///< by group, level, then near their predecessors
    std::vector<std::uint32_t> run;         ///< tasks of one level of one group
    std::vector<conflict::TaskId> isolated; ///< block order
};
[[nodiscard]] GroupSet collect_groups(const conflict::ConflictIndex& index,
                                      std::span<const conflict::TaskId> critical_chain);

/// What does not fit: whole small groups, lone tasks, and a part of the largest group where that
/// alone is too large.
struct Folded {
    std::uint64_t groups = 0, group_tasks = 0, isolated = 0;
    double kept_of_largest = 1; ///< share of each of its levels that is shown
};
/// Cuts the set down to about `most` tasks: the groups keep three quarters where there are lone
/// tasks too.
[[nodiscard]] Folded fold_groups(GroupSet& groups, std::size_t most);

/// Where a group stands: its first row, and the column inside each band where it begins. Groups
/// that share rows (`lanes` > 1) have lanes of their own, so that their edges never coincide.
struct GroupPlace {
    std::uint32_t row = 0, rows = 1;
    std::uint32_t column = 0;
    std::uint32_t lane = 0, lanes = 1;
};

struct Packing {
    std::vector<std::uint32_t> band_columns; ///< one a level
    std::vector<GroupPlace> places;          ///< one a shape
    std::uint32_t rows = 0;                  ///< of the groups
    std::uint32_t isolated_rows = 0, isolated_columns = 0;
};
/// Tries band widths and row sharing, and keeps what fits the planned canvas best. O(candidates ×
/// tasks) with at most 60 candidates, fewer for large blocks.
[[nodiscard]] Packing pack_groups(const GroupSet& groups, std::size_t levels, std::stop_token stop);

/// Least space between two bands, world units.
inline constexpr float band_gap = 11;
/// Between the isolated tasks and the first band.
inline constexpr float isolated_gap = 26;

} // namespace blockloom::scene::layout
