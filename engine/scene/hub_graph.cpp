#include "scene/hub_graph.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace blockloom::scene::layout {
namespace {

using conflict::TaskId;

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// Which tasks are connected: union-find with path halving.
class Pieces {
public:
    explicit Pieces(TaskId tasks) : above_(tasks) {
        std::iota(above_.begin(), above_.end(), TaskId{0});
    }
    TaskId top(TaskId t) noexcept {
        while (above_[t] != t) t = above_[t] = above_[above_[t]];
        return t;
    }
    void join(TaskId a, TaskId b) noexcept {
        a = top(a);
        b = top(b);
        above_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<TaskId> above_;
};

/// Chooses the hubs and lists their spokes.
void choose(const conflict::ConflictIndex& index, std::uint64_t most_spokes, HubGraph& graph) {
    const trace::AccessSets& sets = index.trace->access_sets();
    std::vector<std::uint32_t> tasks(sets.key_count, 0);
    std::vector<bool> written(sets.key_count, false);
    for (const trace::Access a : sets.accesses) {
        ++tasks[a.key()];
        if (a.writes()) written[a.key()] = true;
    }
    for (trace::KeyId key = 0; key < sets.key_count; ++key) {
        if (tasks[key] < 2) continue;
        if (!written[key]) {
            ++graph.only_read;
            continue;
        }
        graph.hubs.push_back({key, 0, tasks[key], tasks[key], 0});
        graph.all_spokes += tasks[key];
    }
    graph.all_hubs = graph.hubs.size();
    std::stable_sort(graph.hubs.begin(), graph.hubs.end(),
                     [](const Hub& a, const Hub& b) { return a.count > b.count; });
    std::vector<std::uint32_t> hub_of(sets.key_count, none);
    std::uint32_t spokes = 0;
    std::size_t kept = 0;
    for (Hub& hub : graph.hubs) {
        const std::uint64_t room = most_spokes - spokes;
        if (room < 2) break;
        hub.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(hub.count, room));
        hub.first = spokes;
        spokes += hub.count;
        hub_of[hub.key] = static_cast<std::uint32_t>(kept++);
    }
    graph.hubs.resize(kept);
    graph.spokes.resize(spokes);
    std::vector<std::uint32_t> filled(kept, 0);
    for (TaskId t = 0; t < sets.tasks(); ++t)
        for (const trace::Access a : sets.of(t))
            if (const std::uint32_t h = hub_of[a.key()];
                h != none && filled[h] < graph.hubs[h].count)
                graph.spokes[graph.hubs[h].first + filled[h]++] = {t, a.writes()};
}

} // namespace

HubGraph hub_graph(const conflict::ConflictIndex& index, std::uint64_t most_spokes) {
    HubGraph graph;
    choose(index, most_spokes, graph);

    const TaskId n = index.tasks();
    Pieces pieces(n);
    std::vector<bool> touched(n, false);
    for (const Hub& hub : graph.hubs)
        for (const Spoke& spoke : graph.of(hub)) {
            touched[spoke.task] = true;
            pieces.join(graph.spokes[hub.first].task, spoke.task);
        }
    std::vector<std::uint32_t> part_of(n, none), size;
    for (TaskId t = 0; t < n; ++t) {
        if (!touched[t]) {
            graph.apart.push_back(t);
            continue;
        }
        std::uint32_t& part = part_of[pieces.top(t)];
        if (part == none) {
            part = static_cast<std::uint32_t>(size.size());
            size.push_back(0);
        }
        ++size[part];
    }
    std::vector<std::uint32_t> order(size.size()), rank(size.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return size[a] > size[b]; });
    for (std::uint32_t r = 0; r < order.size(); ++r) rank[order[r]] = r;
    graph.parts.resize(size.size());
    for (TaskId t = 0; t < n; ++t) {
        if (!touched[t]) continue;
        Part& part = graph.parts[rank[part_of[pieces.top(t)]]];
        (index.level[t] % 2 == 1 ? part.left : part.right).push_back(t);
    }
    for (std::uint32_t h = 0; h < graph.hubs.size(); ++h) {
        Hub& hub = graph.hubs[h];
        hub.part = rank[part_of[pieces.top(graph.spokes[hub.first].task)]];
        graph.parts[hub.part].hubs.push_back(h);
    }
    return graph;
}

} // namespace blockloom::scene::layout
