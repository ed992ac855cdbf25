#include "scene/group_packing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace blockloom::scene::layout {
namespace {

using conflict::TaskId;

/// Groups of at most this many levels may share their rows with others.
constexpr std::uint32_t shallow = 3;

constexpr std::uint32_t ceil_div(std::uint32_t a, std::uint32_t b) noexcept {
    return (a + b - 1) / b;
}

bool may_share(const GroupSet& groups, const GroupShape& shape, std::uint32_t shelf) noexcept {
    if (shelf < 2 || shape.depth > shallow) return false;
    for (std::uint32_t l = 0; l < shape.depth; ++l)
        if (groups.run[shape.runs + l] * 2 > shelf) return false;
    return true;
}

std::uint32_t widest_run(const GroupSet& groups, const GroupShape& shape) noexcept {
    const auto* run = groups.run.data() + shape.runs;
    return *std::max_element(run, run + shape.depth);
}

/// One candidate: bands as wide as groups of at most `tallest` rows need; shallow groups share
/// shelves of `shelf` columns.
struct Candidate {
    std::uint32_t tallest = 1, shelf = 1;
};

struct Trial {
    std::vector<std::uint32_t> band_columns;
    std::uint32_t rows = 0;
};

/// Places every group; `places` may be null when only the measure counts.
Trial place(const GroupSet& groups, std::span<const std::uint32_t> widest, Candidate candidate,
            std::vector<GroupPlace>* places) {
    Trial trial;
    trial.band_columns.resize(widest.size());
    for (std::size_t l = 0; l < widest.size(); ++l)
        trial.band_columns[l] = std::max(1U, ceil_div(widest[l], candidate.tallest));
    if (places != nullptr) places->resize(groups.shapes.size());

    // The shelf being filled: its row, the columns taken, and the groups on it.
    std::uint32_t shelf_row = 0, taken = candidate.shelf, on_shelf = 0;
    std::size_t shelf_first = 0;
    const auto close_shelf = [&](std::size_t end) {
        if (places == nullptr) return;
        for (std::size_t i = shelf_first; i < end; ++i)
            if ((*places)[i].lanes == 0) (*places)[i].lanes = on_shelf;
    };
    for (std::size_t i = 0; i < groups.shapes.size(); ++i) {
        const GroupShape& shape = groups.shapes[i];
        GroupPlace at;
        if (may_share(groups, shape, candidate.shelf)) {
            const std::uint32_t width = widest_run(groups, shape);
            for (std::uint32_t l = 0; l < shape.depth; ++l)
                trial.band_columns[l] = std::max(trial.band_columns[l], candidate.shelf);
            if (taken + width > candidate.shelf) {
                close_shelf(i);
                shelf_row = trial.rows++;
                taken = on_shelf = 0;
                shelf_first = i;
            }
            at = {shelf_row, 1, taken, on_shelf++, 0};
            taken += width;
        } else {
            std::uint32_t rows = 1;
            for (std::uint32_t l = 0; l < shape.depth; ++l)
                rows =
                    std::max(rows, ceil_div(groups.run[shape.runs + l],
                                            std::max(1U, ceil_div(widest[l], candidate.tallest))));
            at = {trial.rows, rows, 0, 0, 1};
            trial.rows += rows;
        }
        if (places != nullptr) (*places)[i] = at;
    }
    close_shelf(groups.shapes.size());
    return trial;
}

float bands_width(const Trial& trial) noexcept {
    float width = 0;
    for (const std::uint32_t columns : trial.band_columns)
        width += static_cast<float>(columns) * pitch + band_gap;
    return width;
}

/// Rows for the isolated tasks beside bands of this width, so that the whole keeps the canvas's
/// shape; bands that are too wide by themselves do not make them taller.
std::uint32_t isolated_rows_for(std::size_t isolated, float bands) {
    if (isolated == 0) return 0;
    const float beside = bands > 0 ? std::min(bands + isolated_gap, canvas_width * 0.75F) : 0.0F;
    const auto rows = [](double scale) {
        return std::max(1.0, std::floor(scale * canvas_height / pitch));
    };
    const auto fits = [&](double scale) {
        const double wide = std::ceil(static_cast<double>(isolated) / rows(scale)) * pitch;
        return wide + beside <= scale * canvas_width;
    };
    double low = 0, high = 1;
    while (!fits(high)) high *= 2;
    for (int i = 0; i < 24; ++i) (fits((low + high) / 2) ? high : low) = (low + high) / 2;
    return static_cast<std::uint32_t>(rows(high));
}

/// How far the whole exceeds the planned canvas, most by one side and a little by the other, 1
/// where it fits; sharing rows and wide bands cost a little too, for rows of their own read better.
double cost_of(const Trial& trial, Candidate candidate, std::size_t isolated) {
    const float bands = bands_width(trial);
    const std::uint32_t tall = std::max(isolated_rows_for(isolated, bands), trial.rows);
    const double columns =
        isolated == 0 ? 0 : std::ceil(static_cast<double>(isolated) / static_cast<double>(tall));
    const double width = columns * pitch + (columns > 0 ? isolated_gap : 0) + bands;
    const double height = tall * static_cast<double>(pitch);
    const double over_x = std::max(1.0, width / canvas_width);
    const double over_y = std::max(1.0, height / canvas_height);
    return std::max(over_x, over_y) + 0.3 * std::min(over_x, over_y) +
           0.07 * std::log2(candidate.shelf) - 0.01 * std::log2(candidate.tallest);
}

} // namespace

GroupSet collect_groups(const conflict::ConflictIndex& index,
                        std::span<const TaskId> critical_chain) {
    GroupSet set;
    const TaskId n = index.tasks();
    std::vector<std::uint32_t> size(index.groups, 0), depth(index.groups, 0);
    for (TaskId t = 0; t < n; ++t) {
        ++size[index.group[t]];
        depth[index.group[t]] = std::max(depth[index.group[t]], index.level[t]);
    }
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    const std::uint32_t critical =
        critical_chain.size() > 1 ? index.group[critical_chain.front()] : none;
    for (std::uint32_t g = 0; g < size.size(); ++g)
        if (size[g] > 1) set.shapes.push_back({g, 0, size[g], 0, depth[g]});
    std::stable_sort(set.shapes.begin(), set.shapes.end(),
                     [&](const GroupShape& a, const GroupShape& b) {
                         const bool first_a = a.group == critical, first_b = b.group == critical;
                         if (first_a != first_b) return first_a;
                         if (a.depth != b.depth) return a.depth > b.depth;
                         return a.size > b.size;
                     });

    std::vector<std::uint32_t> shape_of(size.size(), none);
    std::uint32_t tasks = 0, runs = 0;
    for (std::uint32_t i = 0; i < set.shapes.size(); ++i) {
        GroupShape& shape = set.shapes[i];
        shape_of[shape.group] = i;
        shape.first = tasks;
        shape.runs = runs;
        tasks += shape.size;
        runs += shape.depth;
    }
    set.run.assign(runs, 0);
    for (TaskId t = 0; t < n; ++t) {
        const std::uint32_t s = shape_of[index.group[t]];
        if (s == none)
            set.isolated.push_back(t);
        else
            ++set.run[set.shapes[s].runs + index.level[t] - 1];
    }
    // Place by level; then, level after level, next to the first predecessor: fewer crossings.
    std::vector<std::uint32_t> next(runs);
    for (const GroupShape& shape : set.shapes) {
        std::uint32_t at = shape.first;
        for (std::uint32_t l = 0; l < shape.depth; ++l) {
            next[shape.runs + l] = at;
            at += set.run[shape.runs + l];
        }
    }
    set.tasks.resize(tasks);
    for (TaskId t = 0; t < n; ++t)
        if (const std::uint32_t s = shape_of[index.group[t]]; s != none)
            set.tasks[next[set.shapes[s].runs + index.level[t] - 1]++] = t;
    std::vector<std::uint32_t> rank(n, 0), key(n, 0);
    for (const GroupShape& shape : set.shapes) {
        std::uint32_t begin = shape.first;
        for (std::uint32_t l = 0; l < shape.depth; ++l) {
            const std::uint32_t end = begin + set.run[shape.runs + l];
            for (std::uint32_t i = begin; i < end; ++i) {
                const TaskId t = set.tasks[i];
                key[t] = none;
                for (const TaskId p : index.predecessors_of(t))
                    if (index.level[p] == l) key[t] = std::min(key[t], rank[p]);
            }
            std::stable_sort(set.tasks.begin() + begin, set.tasks.begin() + end,
                             [&](TaskId a, TaskId b) { return key[a] < key[b]; });
            for (std::uint32_t i = begin; i < end; ++i) rank[set.tasks[i]] = i - begin;
            begin = end;
        }
    }
    return set;
}

Folded fold_groups(GroupSet& groups, std::size_t most) {
    Folded folded;
    const std::size_t for_lone = std::min(groups.isolated.size(), most / 4);
    std::size_t room = most - for_lone, kept = 0;
    while (kept < groups.shapes.size() && groups.shapes[kept].size <= room)
        room -= groups.shapes[kept++].size;
    if (kept == 0 && !groups.shapes.empty()) {
        folded.kept_of_largest =
            static_cast<double>(room) / static_cast<double>(groups.shapes.front().size);
        kept = 1;
        room = 0;
    }
    for (std::size_t s = kept; s < groups.shapes.size(); ++s) {
        ++folded.groups;
        folded.group_tasks += groups.shapes[s].size;
    }
    groups.shapes.resize(kept);
    if (groups.isolated.size() > for_lone + room) {
        folded.isolated = groups.isolated.size() - for_lone - room;
        groups.isolated.resize(for_lone + room);
    }
    return folded;
}

Packing pack_groups(const GroupSet& groups, std::size_t levels, std::stop_token stop) {
    std::vector<std::uint32_t> widest(levels, 0);
    std::uint32_t deepest = 0;
    for (const GroupShape& shape : groups.shapes) {
        deepest = std::max(deepest, shape.depth);
        for (std::uint32_t l = 0; l < shape.depth; ++l)
            widest[l] = std::max(widest[l], groups.run[shape.runs + l]);
    }
    widest.resize(deepest); // bands are for groups; a block of lone tasks has none

    static constexpr std::array<std::uint32_t, 10> heights{1, 2, 3, 4, 6, 9, 14, 24, 45, 90};
    static constexpr std::array<std::uint32_t, 6> shelves{1, 2, 4, 6, 8, 12};
    const std::size_t step = groups.tasks.size() > 200'000 ? 3 : 1;
    Candidate best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t h = 0; h < heights.size(); h += step) {
        for (std::size_t s = 0; s < shelves.size(); s += step) {
            if (stop.stop_requested()) return {};
            const Candidate candidate{heights[h], shelves[s]};
            const double cost = cost_of(place(groups, widest, candidate, nullptr), candidate,
                                        groups.isolated.size());
            if (cost < least) {
                least = cost;
                best = candidate;
            }
        }
    }
    Packing packing;
    Trial trial = place(groups, widest, best, &packing.places);
    packing.rows = trial.rows;
    if (!groups.isolated.empty()) {
        const auto isolated = static_cast<std::uint32_t>(groups.isolated.size());
        // As tall as the groups at least: one left edge from top to bottom.
        packing.isolated_rows =
            std::max(isolated_rows_for(isolated, groups.shapes.empty() ? 0 : bands_width(trial)),
                     trial.rows);
        packing.isolated_columns = ceil_div(isolated, packing.isolated_rows);
    }
    packing.band_columns = std::move(trial.band_columns);
    return packing;
}

} // namespace blockloom::scene::layout
