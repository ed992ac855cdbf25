// Looks at display lists the way the tests need: where tasks stand, what is drawn, whether two are
// the same.
#pragma once

#include "scene/views.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace blockloom::scene::tests {

inline bool same(const DisplayList& a, const DisplayList& b) {
    const auto targets = [](const DisplayList& list) {
        std::vector<std::pair<Rect, std::pair<std::int64_t, std::int64_t>>> all;
        for (const PickTarget& t : list.targets)
            all.push_back(
                {t.bounds,
                 {t.task ? std::int64_t{*t.task} : -1, t.key ? std::int64_t{*t.key} : -1}});
        return all;
    };
    return a.layers == b.layers && a.world == b.world && targets(a) == targets(b) &&
           a.summary == b.summary && a.coverage.drawn_edges == b.coverage.drawn_edges &&
           a.coverage.folded == b.coverage.folded && a.task_target == b.task_target;
}

/// Targets of each task.
inline std::map<std::uint32_t, std::vector<const PickTarget*>> by_task(const DisplayList& list) {
    std::map<std::uint32_t, std::vector<const PickTarget*>> tasks;
    for (const PickTarget& t : list.targets)
        if (t.task) tasks[*t.task].push_back(&t);
    return tasks;
}

inline Point centre(const Rect& r) {
    return {r.x + r.width / 2, r.y + r.height / 2};
}

inline std::uint64_t count_lines(const DisplayList& list, Colour colour) {
    std::uint64_t count = 0;
    for (const Layer& layer : list.layers)
        count += static_cast<std::uint64_t>(
            std::count_if(layer.lines.begin(), layer.lines.end(),
                          [&](const Line& l) { return l.colour == colour; }));
    return count;
}

inline std::uint64_t count_boxes(const DisplayList& list) {
    std::uint64_t count = 0;
    for (const Layer& layer : list.layers) count += layer.boxes.size();
    return count;
}

/// Pairs of tasks that lines join end to end: an edge is a line, or a polyline whose inner corners
/// are no task's place.
inline std::set<std::pair<std::uint32_t, std::uint32_t>> joined(const DisplayList& list) {
    std::map<std::pair<float, float>, std::uint32_t> at;
    for (const PickTarget& t : list.targets)
        if (t.task) at[{t.bounds.x, t.bounds.y}] = *t.task;
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const Layer& layer : list.layers) {
        const Line* begin = nullptr;
        for (const Line& line : layer.lines) {
            if (at.count({line.from.x, line.from.y}) > 0) begin = &line;
            const auto end = at.find({line.to.x, line.to.y});
            if (begin == nullptr || end == at.end()) continue;
            edges.insert({at[{begin->from.x, begin->from.y}], end->second});
            begin = nullptr;
        }
    }
    return edges;
}

/// The dependency edges of a block.
inline std::set<std::pair<std::uint32_t, std::uint32_t>>
edges_of(const schedule::BlockAnalysis& analysis) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t t = 0; t < analysis.index->tasks(); ++t)
        for (const std::uint32_t p : analysis.index->predecessors_of(t)) edges.insert({p, t});
    return edges;
}

} // namespace blockloom::scene::tests
